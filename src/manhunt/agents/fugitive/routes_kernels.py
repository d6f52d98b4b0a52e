"""Kernels of the route count: all rows that fit what lies on the table, as bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.fugitive.kernels import lowest
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class Trail(NamedTuple):
    """What a row must keep, position by position (the escape is not one of them). Sets of cards are bits."""

    allowed: Ints
    """What each position may hold by itself."""
    step: Ints
    """How far it may lie from the one before."""
    room: Ints
    """Per position and pile, the most hideouts of that pile up to here."""
    pile_of: Ints
    """By card; cards in no pile have the number after the last pile."""
    sets: Ints
    """Failed guesses of several numbers."""
    set_sizes: Ints
    """How many positions lay there at each of them."""
    last: int
    end_step: int
    """How far the escape may lie from the last position; 0 while it does not lie."""


@kernel
def between(low: int, high: int) -> int:
    """The cards from `low` to `high`."""
    return ((1 << (high + 1)) - 1) & ~((1 << low) - 1) if low <= high else 0


@kernel
def prune(trail: Trail, out: Ints) -> None:
    """Per position, the allowed cards from which the steps lead to the end of the row."""
    n = trail.allowed.shape[0]
    for i in range(n - 1, -1, -1):
        found, waiting = 0, trail.allowed[i]
        while waiting:
            card = lowest(waiting)
            waiting &= waiting - 1
            if i == n - 1:
                goes_on = trail.end_step == 0 or trail.last - card <= trail.end_step
            else:
                goes_on = (out[i + 1] & between(card + 1, min(trail.last - 1, card + trail.step[i + 1]))) != 0
            if goes_on:
                found |= 1 << card
        out[i] = found


@kernel
def fits(trail: Trail, i: int, used: Ints, row: int) -> bool:
    """Whether the first i + 1 positions keep to the piles and to the failed guesses."""
    for pile in range(trail.room.shape[1]):
        if used[pile] > trail.room[i, pile]:
            return False
    for s in range(trail.sets.shape[0]):
        if trail.set_sizes[s] == i + 1 and row & trail.sets[s] == trail.sets[s]:
            return False
    return True


@kernel
def list_rows(trail: Trail, out: Ints) -> int:
    """Write the rows, as many as there is room for, and return how many there are; by ascending cards."""
    n, count = trail.allowed.shape[0], 0
    if n == 0:
        if trail.end_step == 0 or trail.last <= trail.end_step:
            if out.shape[0]:
                out[0] = 0
            count = 1
        return count
    live, waiting, cards = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    used = np.zeros(trail.room.shape[1] + 1, np.int64)
    prune(trail, live)
    row, i = 0, 0
    waiting[0] = live[0] & between(1, min(trail.last - 1, trail.step[0]))
    while i >= 0:
        if cards[i]:
            row &= ~(1 << cards[i])
            used[trail.pile_of[cards[i]]] -= 1
            cards[i] = 0
        if waiting[i] == 0:
            i -= 1
            continue
        card = lowest(waiting[i])
        waiting[i] &= waiting[i] - 1
        cards[i] = card
        row |= 1 << card
        used[trail.pile_of[card]] += 1
        if not fits(trail, i, used, row):
            continue
        if i < n - 1:
            i += 1
            waiting[i] = live[i] & between(card + 1, min(trail.last - 1, card + trail.step[i]))
        else:
            if count < out.shape[0]:
                out[count] = row
            count += 1
    return count


@kernel
def count_cards(rows: Ints, hidden: int, out: Ints) -> None:
    """How many rows hold each card of `hidden`."""
    for r in range(rows.shape[0]):
        cards = rows[r] & hidden
        while cards:
            out[lowest(cards)] += 1
            cards &= cards - 1


@kernel
def count_sets(rows: Ints, sets: Ints, out: Ints) -> None:
    """How many rows hold all cards of each set."""
    for s in range(sets.shape[0]):
        n = 0
        for r in range(rows.shape[0]):
            if rows[r] & sets[s] == sets[s]:
                n += 1
        out[s] = n
