"""Tables of factorials for the count: in floats, or in residues of a prime for exact whole numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb, factorial, perm

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.errors import ManhuntError

PRIMES = (67108859, 67108837, 67108819, 67108777, 67108763, 67108757, 67108753, 67108747, 67108739, 67108729)
"""Primes below 2**26: the product of two residues is exact in a float."""
LONGEST = 130
"""Longest table of slots; no deck has more cards."""


@dataclass(frozen=True)
class Arithmetic:
    """Floats, or residues of a prime."""

    modulus: int = 0

    def number(self, top: int, bottom: int = 1) -> float:
        """A fraction of whole numbers."""
        return top / bottom if not self.modulus else float(top * pow(bottom, -1, self.modulus) % self.modulus)

    @cached_property
    def falling(self) -> Floats:
        """falling[n, k] = n (n - 1) ... (n - k + 1)."""
        return np.array([[self.number(perm(n, k)) for k in range(65)] for n in range(65)])


FLOATS = Arithmetic()


@lru_cache(maxsize=len(PRIMES))
def residues(modulus: int) -> Arithmetic:
    return Arithmetic(modulus)


@lru_cache(maxsize=4096)
def before_table(arithmetic: Arithmetic, slots: tuple[int, ...], worlds: bool) -> Floats:
    """By pile and cards used before a placement; times `after_table`, the ways to find slots for the new ones.

    With `worlds` a way either exists or not.
    """
    return _stack([[arithmetic.number(1 if worlds else factorial(n - u)) for u in range(n + 1)] for n in slots])


@lru_cache(maxsize=4096)
def after_table(arithmetic: Arithmetic, slots: tuple[int, ...], worlds: bool) -> Floats:
    return _stack([[arithmetic.number(1, 1 if worlds else factorial(n - u)) for u in range(n + 1)] for n in slots])


@lru_cache(maxsize=4096)
def end_table(arithmetic: Arithmetic, slots: tuple[int, ...], n_left: tuple[int, ...], worlds: bool) -> Floats:
    """By pile and cards used in the end, the ways to fill the other slots when he had `slots` of `n_left` cards."""
    ways = comb if worlds else perm
    return _stack(
        [
            [arithmetic.number(ways(cards - u, n - u)) for u in range(n + 1)] if cards >= n else []
            for n, cards in zip(slots, n_left, strict=True)
        ]
    )


def _stack(lines: Sequence[Sequence[float]]) -> Floats:
    table = np.zeros((len(lines), LONGEST))
    for line, values in zip(table, lines, strict=True):
        line[: len(values)] = values
    return table


def primes_for(bound: float) -> tuple[int, ...]:
    """Enough primes to tell apart whole numbers up to a bound that is known within a factor of two."""
    product = 1
    for i, prime in enumerate(PRIMES):
        product *= prime
        if product > 4 * bound + 4:
            return PRIMES[: i + 1]
    raise ManhuntError(f"about {bound:.3g} histories are too many for exact whole numbers")


def combine(found: Sequence[Sequence[int]], moduli: Sequence[int]) -> list[int]:
    """The whole numbers with these residues, one line a prime (Chinese remainders)."""
    product = 1
    for modulus in moduli:
        product *= modulus
    parts = [(product // m) * pow(product // m, -1, m) for m in moduli]
    return [sum(r * part for r, part in zip(rest, parts, strict=True)) % product for rest in zip(*found, strict=True)]
