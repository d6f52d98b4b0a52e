"""Choosing by lot: soft choices between scores, and weights."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from manhunt.core.arrays import Floats

EPSILON = 0.15
"""Chance of any option whatever its score."""
TAU = 0.7
FLAT = 1e-12
GREED = 0.9
"""The share of a sharpened choice that follows the numbers."""
T = TypeVar("T")


def esoft(scores: ArrayLike) -> Floats:
    """Chances of options: softmax of the standardised scores, mixed with the uniform choice."""
    values = np.asarray(scores, np.float64)
    spread = values.std()
    z = (values - values.mean()) / spread if spread > FLAT else np.zeros(len(values))
    weights = np.exp((z - z.max()) / TAU)
    chances: Floats = EPSILON / len(values) + (1 - EPSILON) * weights / weights.sum()
    return chances


def sharpened(weights: ArrayLike) -> Floats:
    """Mostly by weight, a tenth uniform."""
    values = np.asarray(weights, np.float64)
    chances: Floats = (1 - GREED) / len(values) + GREED * values / values.sum()
    return chances


def pick(options: Sequence[T], chances: Iterable[float] | Floats, rng: Random) -> T:
    """One of the options by lot; chances need not add up to 1."""
    return pick_by_sums(options, sums_of(chances), rng)


def sums_of(chances: Iterable[float] | Floats) -> list[float]:
    """Of the chances up to each option."""
    return list(accumulate(map(float, chances)))


def pick_by_sums(options: Sequence[T], sums: Sequence[float], rng: Random) -> T:
    """As `pick`, for those who choose more than once."""
    found = bisect_right(sums, rng.random() * sums[-1])
    return options[min(found, len(options) - 1)]


def pick_soft(options: Sequence[T], scores: ArrayLike, rng: Random) -> T:
    return pick(options, esoft(scores), rng)
