"""Kernels that weigh guesses by a sample of worlds. Sets of cards are bits."""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.jit import kernel
from manhunt.games.fugitive.rules.kernels import lowest, n_cards

MOST_SETS = 128
N_FREQUENT = 24
LARGEST = 4
NO_CARD = 0


class ParticleSample(NamedTuple):
    """Worlds sorted by what lies face down."""

    hidden: Int64s
    undrawn: Int64s
    margin: Int64s
    """What his hand is worth beyond the way to the escape; far below 0 if he does not have that card."""
    piles: Int64s
    """The cards of each pile, as bits."""
    sizes: Int64s
    """Cards left in each pile, the same in all worlds."""


class SetTally(NamedTuple):
    """Different hidden sets with their frequencies, and the worlds that they stand for."""

    sets: Int64s
    counts: Int64s
    worlds: Int64s


@kernel
def tally(sample: ParticleSample, drawn: int, out: SetTally) -> tuple[int, int]:
    """Count the hidden sets of the worlds in which `drawn` can be drawn (NO_CARD: of all); sets and worlds found."""
    n_sets, n_worlds = 0, 0
    for w in range(sample.hidden.shape[0]):
        if drawn != NO_CARD and not sample.undrawn[w] >> drawn & 1:
            continue
        out.worlds[n_worlds] = w
        n_worlds += 1
        if n_sets == 0 or out.sets[n_sets - 1] != sample.hidden[w]:
            out.sets[n_sets], out.counts[n_sets] = sample.hidden[w], 0
            n_sets += 1
        out.counts[n_sets - 1] += 1
    return n_sets, n_worlds


@kernel
def threat(sample: ParticleSample, drawn: int, worlds: Int64s) -> float:
    """The chance that he can escape after his next draw from the pile that is best for it.

    `worlds` are those in which the Marshal has drawn this card (NO_CARD: none).
    """
    best, n_open = 0.0, 0
    for pile in range(sample.piles.shape[0]):
        gone = 1 << drawn if drawn != NO_CARD and sample.piles[pile] >> drawn & 1 else 0
        size = sample.sizes[pile] - (1 if gone else 0)
        if size == 0:
            continue
        n_open += 1
        total = 0.0
        for w in worlds:
            if sample.margin[w] >= -1:
                total += 1.0
            elif sample.margin[w] == -2:
                left = sample.undrawn[w] & sample.piles[pile] & ~gone
                total += n_cards(left & 0x5555555555555555) / size
        best = max(best, total / worlds.shape[0])
    if n_open == 0:
        for w in worlds:
            if sample.margin[w] >= 0:
                best += 1.0 / worlds.shape[0]
    return best


@kernel
def is_before(count: int, cards: int, other_count: int, other: int) -> bool:
    """More frequent, then of the smaller cards; both sets have the same size."""
    if count != other_count:
        return count > other_count
    different = cards ^ other
    return (cards & different & -different) != 0


@kernel
def add_set(cards: int, n: int, out: Int64s) -> int:
    """Append it if it is new and there is room; returns how many there are."""
    if n == out.shape[0]:
        return n
    for i in range(n):
        if out[i] == cards:
            return n
    out[n] = cards
    return n + 1


@kernel
def add_subsets(cards: int, size: int, n: int, out: Int64s) -> int:
    """Append all subsets of a size in lexicographic order."""
    members, n_members = np.zeros(64, np.int64), 0
    while cards:
        members[n_members] = lowest(cards)
        cards &= cards - 1
        n_members += 1
    chosen = np.arange(size)
    while n < out.shape[0]:
        found = 0
        for i in range(size):
            found |= 1 << members[chosen[i]]
        n = add_set(found, n, out)
        i = size - 1
        while i >= 0 and chosen[i] == n_members - size + i:
            i -= 1
        if i < 0:
            break
        chosen[i] += 1
        for j in range(i + 1, size):
            chosen[j] = chosen[j - 1] + 1
    return n


@kernel
def add_singles(counted: SetTally, n_sets: int, out: Int64s) -> int:
    """All numbers, the likeliest first."""
    counts = np.zeros(64, np.int64)
    for s in range(n_sets):
        cards = counted.sets[s]
        while cards:
            counts[lowest(cards)] += counted.counts[s]
            cards &= cards - 1
    n = 0
    while n < out.shape[0]:
        best = 0
        for card in range(64):
            if counts[card] > counts[best]:
                best = card
        if counts[best] == 0:
            break
        counts[best] = 0
        out[n] = 1 << best
        n += 1
    return n


@kernel
def list_sets(counted: SetTally, n_sets: int, out: Int64s) -> int:
    """Guesses to think about: all numbers, then the most frequent hidden sets with their subsets of two to four."""
    n = add_singles(counted, n_sets, out)
    done = np.zeros(n_sets, np.bool_)
    for _ in range(min(N_FREQUENT, n_sets)):
        best = -1
        for s in range(n_sets):
            if not done[s] and (
                best < 0 or is_before(counted.counts[s], counted.sets[s], counted.counts[best], counted.sets[best])
            ):
                best = s
        done[best] = True
        n = add_set(counted.sets[best], n, out)
        for size in range(2, min(LARGEST, n_cards(counted.sets[best])) + 1):
            n = add_subsets(counted.sets[best], size, n, out)
    return n


@kernel
def shares(counted: SetTally, n_sets: int, n_worlds: int, sets: Int64s, out: Floats) -> None:
    """Per guess, the share of worlds in which all its numbers lie face down."""
    for k in range(sets.shape[0]):
        total = 0
        for s in range(n_sets):
            if counted.sets[s] & sets[k] == sets[k]:
                total += counted.counts[s]
        out[k] = total / n_worlds


@kernel
def guess_values(sets: Int64s, chances: Floats, n_hidden: int, danger: float, out: Floats) -> None:
    """Numbers found, twice over if they are all, less the threat of an escape after a miss."""
    for k in range(sets.shape[0]):
        size = n_cards(sets[k])
        gain = size + n_hidden if size == n_hidden else size
        out[k] = gain * chances[k] - danger * (1 - chances[k])


@kernel
def pile_values(sample: ParticleSample, n_hidden: int, scratch: SetTally, out: Floats) -> None:
    """Per pile the mean value of the best guess after drawing from it; piles without cards get 0."""
    sets, chances, values = np.zeros(MOST_SETS, np.int64), np.zeros(MOST_SETS), np.zeros(MOST_SETS)
    n_all = sample.hidden.shape[0]
    out[:] = 0.0
    for pile in range(sample.piles.shape[0]):
        cards = sample.piles[pile] if sample.sizes[pile] else 0
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            n_sets, n_worlds = tally(sample, card, scratch)
            if n_worlds == 0:
                continue
            danger = threat(sample, card, scratch.worlds[:n_worlds])
            n = list_sets(scratch, n_sets, sets)
            shares(scratch, n_sets, n_worlds, sets[:n], chances)
            guess_values(sets[:n], chances, n_hidden, danger, values)
            out[pile] += n_worlds / (n_all * sample.sizes[pile]) * values[:n].max()
