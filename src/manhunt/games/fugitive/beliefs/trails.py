"""Possible rows with their probabilities."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from manhunt.core.arrays import Bools, Bytes, Floats, Words
from manhunt.games.fugitive.beliefs import row_kernels
from manhunt.games.fugitive.rules.public import Card


@dataclass(frozen=True)
class Trails:
    """One line a possible row, in ascending order."""

    rows: Bytes
    masks: Words
    """Per row its face-down cards as bits."""
    weights: Floats
    """Adding up to 1."""
    hidden: tuple[int, ...]
    """The face-down positions, from 1."""
    last: Card

    @cached_property
    def marginals(self) -> Floats:
        """The probability of each card at each position: an array of position by card; position 0 is the start."""
        found = np.zeros((self.rows.shape[1] + 1, self.last + 1))
        found[0, 0] = 1.0
        row_kernels.add_marginals(self.rows, self.weights, found[1:])
        return found

    @cached_property
    def hideouts(self) -> Floats:
        """By number, the probability that it is a face-down hideout."""
        found = np.zeros(self.last + 1)
        row_kernels.add_hidden(self.rows, np.array(self.hidden, np.int64) - 1, self.weights, found)
        return found

    def probability(self, numbers: Iterable[Card]) -> float:
        """That all these numbers are face-down hideouts."""
        return float(self.weights[self._has(numbers)].sum())

    def _has(self, numbers: Iterable[Card]) -> Bools:
        bits = np.uint64(sum(1 << card for card in set(numbers)))
        return np.asarray(self.masks & bits == bits)


def possible_trails(rows: Bytes, masks: Words, weights: Floats, hidden: tuple[int, ...], last: Card) -> Trails:
    """The rows that weigh anything."""
    possible = weights > 0
    if not possible.all():
        rows, masks, weights = rows[possible], masks[possible], weights[possible]
    return Trails(rows, masks, weights / weights.sum(), hidden, last)
