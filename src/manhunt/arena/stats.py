"""How sure one may be: intervals of rates, and of differences between two agents on the same deals."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from manhunt.core.ids import Side

Z95 = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


class Interval(NamedTuple):
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(wins: int, n: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a rate; it stays inside [0, 1] and is accurate near both ends.

    Examples:
        >>> share = wilson(60, 100)
        >>> print(f"{share.value:.2f} ({share.low:.2f} to {share.high:.2f})")
        0.60 (0.50 to 0.69)
    """
    if not 0 <= wins <= n or n == 0:
        raise ValueError(f"{wins} wins in {n} games")
    rate = wins / n
    scale = 1 + z * z / n
    middle = (rate + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return Interval(rate, 0.0 if wins == 0 else middle - half, 1.0 if wins == n else middle + half)


def mean_of(counts: Mapping[float, int], level: float = 0.95) -> Interval | None:
    """The mean of values that came up so often, with Student's interval; None without values.

    The sums do not depend on the order. One value alone has no interval but itself.
    """
    n = sum(counts.values())
    if n == 0:
        return None
    values = sorted(counts.items())
    mean = math.fsum(value * count for value, count in values) / n
    if n == 1:
        return Interval(mean, mean, mean)
    from scipy.special import stdtrit

    spread = math.fsum((value - mean) ** 2 * count for value, count in values) / (n - 1)
    half = float(stdtrit(n - 1, (1 + level) / 2)) * math.sqrt(spread / n)
    return Interval(mean, mean - half, mean + half)


class PairCounts(NamedTuple):
    """Games of two agents on the same deals, by who of them won."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def n(self) -> int:
        return sum(self)


def count_pairs(side: Side, first: Sequence[Side | None], second: Sequence[Side | None]) -> PairCounts:
    """Compare two agents of one side deal by deal; deals without two outcomes do not count."""
    pairs = [(a is side, b is side) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    wanted = ((True, True), (True, False), (False, True), (False, False))
    return PairCounts(*(pairs.count(pair) for pair in wanted))


def paired_difference(counts: PairCounts, z: float = Z95) -> Interval:
    """Rate of the second agent less that of the first, after Agresti and Min: half a game added to each count."""
    if counts.n == 0:
        raise ValueError("no pairs of games")
    n = counts.n + 2
    difference = (counts.second_only - counts.first_only) / n
    discordant = (counts.second_only + counts.first_only + 1) / n
    half = z * math.sqrt((discordant - difference * difference) / n)
    exact = (counts.second_only - counts.first_only) / counts.n
    return Interval(exact, max(-1.0, difference - half), min(1.0, difference + half))
