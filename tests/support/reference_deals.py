"""Deals of Fugitive that programs in other languages can repeat: a 64-bit Mersenne Twister for each game."""

from __future__ import annotations

import hashlib
from random import Random

from manhunt.core.game import Setup

_SIZE, _MIDDLE = 312, 156
_WORD = 2**64 - 1
_HIGH, _LOW = 0xFFFFFFFF80000000, 0x7FFFFFFF
_TWIST = 0xB5026F5AA96619E9


class MersenneTwister64:
    """MT19937-64 of Nishimura and Matsumoto."""

    def __init__(self, seed: int) -> None:
        state = [seed & _WORD]
        for i in range(1, _SIZE):
            state.append((6364136223846793005 * (state[-1] ^ state[-1] >> 62) + i) & _WORD)
        self._state, self._next = state, _SIZE

    def next_word(self) -> int:
        """64 bits."""
        if self._next == _SIZE:
            self._twist()
        x = self._state[self._next]
        self._next += 1
        x ^= x >> 29 & 0x5555555555555555
        x ^= x << 17 & 0x71D67FFFEDA60000
        x ^= x << 37 & 0xFFF7EEE000000000
        return x ^ x >> 43

    def _twist(self) -> None:
        state = self._state
        for i in range(_SIZE):
            x = state[i] & _HIGH | state[(i + 1) % _SIZE] & _LOW
            state[i] = state[(i + _MIDDLE) % _SIZE] ^ x >> 1 ^ (_TWIST if x & 1 else 0)
        self._next = 0


def lowest_pile_deal(seed: int) -> Setup:
    """The standard deck when both sides always draw from the lowest pile that has cards.

    Every draw takes one word x and the card of rank floor(x n / 2**64) of the n in the pile, ascending: first the
    dealt cards, three low and two middle ones, then all others in the order of play.
    """
    chance = MersenneTwister64(seed)
    left = [list(range(4, 15)), list(range(15, 29)), list(range(29, 42))]

    def drawn(pile: int, n: int) -> list[int]:
        return [left[pile].pop(chance.next_word() * len(left[pile]) >> 64) for _ in range(n)]

    dealt = [drawn(0, 3), drawn(1, 2), drawn(2, 0)]
    return {"dealt": dealt, "piles": [drawn(pile, len(left[pile])) for pile in range(3)]}


def shuffled_deal(seed: int) -> Setup:
    """The standard deck shuffled by Python's generator, seeded by a hash of a text and the number of the game.

    Cards are taken from the ends of the shuffled piles, the dealt ones first.
    """
    digest = hashlib.sha256(f"fugitive-experiment-v1\0{seed}\0deck".encode()).digest()
    rng = Random(int.from_bytes(digest[:8], "big"))
    piles = [list(range(4, 15)), list(range(15, 29)), list(range(29, 42))]
    for pile in piles:
        rng.shuffle(pile)
        pile.reverse()
    return {"dealt": [piles[0][:3], piles[1][:2], []], "piles": [piles[0][3:], piles[1][2:], piles[2]]}
