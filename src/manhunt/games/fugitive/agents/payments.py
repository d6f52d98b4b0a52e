"""Placements and what they cost: the tools of the Fugitives who weigh them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.games.fugitive.agents import payments_kernels as kernels
from manhunt.games.fugitive.agents.payments_kernels import EXTRA, LOW, MOST, Deck, Plays, Scratch
from manhunt.games.fugitive.rules.config import MOST_CARDS, Config

__all__ = ["EXTRA", "LOW", "Hands", "Plans", "Plays", "hands_of"]

_MOST_VALUE = 2 * MOST_CARDS


@dataclass(frozen=True)
class Plans:
    """Openings of two hideouts: `first_of` points into `firsts`; a plan is EXTRA if one of its payments is."""

    firsts: Plays
    first_of: Int64s
    seconds: Plays

    @property
    def kind(self) -> Int64s:
        return np.maximum(self.firsts.kind[self.first_of], self.seconds.kind)

    @property
    def cost(self) -> Int64s:
        return self.firsts.cost[self.first_of] + self.seconds.cost


class Hands:
    """What hands of a deck can do; hands are bits, costs are in quarters."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.deck = Deck(config.last, config.reach, _n_payments())
        rows = _MOST_VALUE + 2
        self._scratch = Scratch(
            np.zeros(rows, np.int64),
            np.zeros((rows, MOST), np.int64),
            np.zeros((rows, MOST), np.int64),
            np.zeros((2, MOST), np.int64),
            np.zeros((2, MOST), np.int64),
        )

    def plays(self, hand: int, before: int) -> Plays:
        out = _new_plays(2 * MOST * hand.bit_count())
        n = kernels.list_plays(self.deck, hand, before, self._scratch, out)
        return Plays(*(column[:n] for column in out))

    def plans(self, hand: int) -> Plans:
        """Openings; the escape is no first hideout."""
        plays = self.plays(hand, 0)
        firsts = Plays(*(column[plays.hideout < self.config.last] for column in plays))
        n_most = len(firsts.hideout) * 2 * MOST * hand.bit_count()
        first_of, out = np.zeros(n_most, np.int64), _new_plays(n_most)
        n = kernels.list_seconds(self.deck, hand, firsts, self._scratch, first_of, out)
        return Plans(firsts, first_of[:n], Plays(*(column[:n] for column in out)))

    def n_ahead(self, hands: Int64s, befores: Int64s) -> Int64s:
        """Continuations of up to two placements."""
        out = np.zeros(len(hands), np.int64)
        kernels.count_ahead(self.deck, hands, befores, self._scratch, out)
        return out

    def mobilities(self, hands: Int64s, befores: Int64s) -> Floats:
        out = np.zeros(len(hands))
        kernels.mobilities(self.deck, hands, befores, out)
        return out

    def quick_values(self, hands: Int64s, before: int) -> Floats:
        out = np.zeros(len(hands))
        kernels.quick_values(self.deck, hands, before, out)
        return out


@lru_cache(maxsize=8)
def hands_of(config: Config) -> Hands:
    return Hands(config)


def rest_of(hand: int, plays: Plays) -> Int64s:
    """Per play what is left in the hand."""
    return np.int64(hand) & ~plays.sprints & ~(np.int64(1) << plays.hideout)


def picked(plays: Plays, indices: Iterable[int] | Int64s) -> Plays:
    return Plays(*(column[np.asarray(indices, np.int64)] for column in plays))


def _new_plays(n: int) -> Plays:
    return Plays(*(np.zeros(n, np.int64) for _ in range(4)))


@lru_cache(maxsize=1)
def _n_payments() -> Int64s:
    """By odd cards, even cards and need: how many payments are kept, LOW and EXTRA together."""
    half = MOST_CARDS // 2 + 2
    out = np.zeros((half, half, MOST_CARDS + 2), np.int64)
    odd_ways = np.zeros(3 * half + 2, np.int64)  # sets of odd cards by value, counted up to MOST
    odd_ways[0] = 1
    for odd in range(half):
        ways = odd_ways.copy()
        for even in range(half):
            out[odd, even] = _n_kept(ways, odd, even)
            ways[2:] = np.minimum(ways[2:] + ways[:-2], MOST)
        odd_ways[1:] = np.minimum(odd_ways[1:] + odd_ways[:-1], MOST)
    return out


def _n_kept(ways: Int64s, odd: int, even: int) -> Int64s:
    """By need."""
    needs = np.arange(MOST_CARDS + 2)
    least = needs if odd else needs + needs % 2
    more = ways[::-1].cumsum()[::-1][least + 1]
    kept = np.minimum(MOST, ways[least]) + np.minimum(MOST, more)
    return np.where(least <= odd + 2 * even, kept, 0)
