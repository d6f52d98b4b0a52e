"""Kernels that look for good guesses among rows with probabilities. Sets of cards are bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.fugitive.kernels import lowest, n_cards
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

N_TERMS = 12
"""Terms of the outlook."""
TINY = 1e-12


class Rows(NamedTuple):
    """What may lie face down: a line for each possible row."""

    hidden: Ints
    """The face-down cards as bits."""
    weight: Floats
    """Adding up to 1."""
    threat: Floats
    """The chance that he can escape in his next turn."""
    gap: Floats
    """What his hand lacks, on average, to reach the escape."""


class Table(NamedTuple):
    """What does not depend on the row."""

    n_hidden: int
    opened: int
    """1 if a face-up hideout lets him escape at once."""
    opening: int
    """The cards that would do so, as bits."""
    last: int
    coefficients: Floats
    """Of the terms of the outlook."""


@kernel
def fill_terms(
    n_hidden: float, opened: float, spread: float, top: float, threat: float, gap: float, out: Floats
) -> None:
    """What the chance of the Marshal to win depends on, once her guess is known."""
    out[0] = 1.0
    out[1] = n_hidden
    out[2] = spread
    out[3] = threat
    out[4] = gap
    out[5] = opened
    out[6] = opened * threat
    out[7] = n_hidden * threat
    out[8] = spread * threat
    out[9] = opened * gap
    out[10] = np.log(top + TINY)
    out[11] = spread * opened


@kernel
def outlook(table: Table, n_hidden: int, opened: int, mass: float, sums: Floats, top: float, terms: Floats) -> float:
    """Her chance to win with rows of this mass left; `sums` of w log w, threat and gap."""
    if n_hidden == 0:
        return 1.0
    if mass < TINY:
        return 0.0
    spread = max(0.0, np.log(mass) - sums[0] / mass)
    fill_terms(n_hidden, opened, spread, top / mass, sums[1] / mass, sums[2] / mass, terms)
    total = 0.0
    for i in range(N_TERMS):
        total += table.coefficients[i] * terms[i]
    return float(1.0 / (1.0 + np.exp(-total)))


@kernel
def marginals(rows: Rows, inside: int, out: Floats) -> float:
    """By card the chance that it lies face down together with all of `inside`; returns that of `inside`."""
    out[:] = 0.0
    total = 0.0
    for r in range(rows.hidden.shape[0]):
        if rows.hidden[r] & inside != inside:
            continue
        total += rows.weight[r]
        cards = rows.hidden[r] & ~inside
        while cards:
            out[lowest(cards)] += rows.weight[r]
            cards &= cards - 1
    return total


@kernel
def add_set(cards: int, n: int, out: Ints) -> int:
    """Append a set unless it is there already or there is no room; how many there are."""
    for i in range(n):
        if out[i] == cards:
            return n
    if n < out.shape[0]:
        out[n] = cards
        n += 1
    return n


@kernel
def grow_from(rows: Rows, table: Table, start: int, chances: Floats, n: int, out: Ints) -> int:
    """Sets that grow from one by the number that goes with it best."""
    cards = start
    n = add_set(cards, n, out)
    while n_cards(cards) < table.n_hidden:
        marginals(rows, cards, chances)
        best = int(np.argmax(chances))
        if chances[best] < TINY:
            break
        cards |= 1 << best
        n = add_set(cards, n, out)
    return n


@kernel
def propose(rows: Rows, table: Table, n_starts: int, chances: Floats, out: Ints) -> int:
    """Guesses worth a look: the likeliest numbers, sets grown from them, the certain ones; returns how many."""
    marginals(rows, 0, chances)
    n, certain, n_certain = 0, 0, 0
    first = chances.copy()
    order = np.argsort(-first)
    for i in range(order.shape[0]):
        if first[order[i]] < TINY:
            break
        n = add_set(1 << order[i], n, out)
        if first[order[i]] > 1.0 - 1e-9:
            certain |= 1 << order[i]
            n_certain += 1
    if n_certain:
        n = grow_from(rows, table, certain, chances, n, out)
    for i in range(min(n_starts, order.shape[0])):
        if first[order[i]] < TINY:
            break
        n = grow_from(rows, table, 1 << order[i], chances, n, out)
    closed = 0
    for i in range(order.shape[0]):
        if first[order[i]] > TINY and not table.opening >> order[i] & 1:
            closed |= 1 << order[i]
    if closed and table.opening and not table.opened:
        n = grow_closed(rows, closed, first, chances, n, out)
    return n


@kernel
def grow_closed(rows: Rows, closed: int, first: Floats, chances: Floats, n: int, out: Ints) -> int:
    """Sets without the cards that would open his way."""
    left, cards = closed, 0
    best, most = 0, 0.0
    while left:
        card = lowest(left)
        left &= left - 1
        if first[card] > most:
            best, most = card, first[card]
    cards = 1 << best
    while True:
        n = add_set(cards, n, out)
        marginals(rows, cards, chances)
        best, most, left = 0, TINY, closed & ~cards
        while left:
            card = lowest(left)
            left &= left - 1
            if chances[card] > most:
                best, most = card, chances[card]
        if best == 0:
            return n
        cards |= 1 << best


@kernel
def weigh(rows: Rows, table: Table, sets: Ints, n_sets: int, scratch: Floats, chances: Floats, values: Floats) -> None:
    """Per set the chance that it is right, and the Marshal's chance to win if she guesses it.

    `scratch` has a line for sums of hits, of misses, and for terms.
    """
    for s in range(n_sets):
        cards = sets[s]
        scratch[:2] = 0.0
        hit, miss, top_hit, top_miss = 0.0, 0.0, 0.0, 0.0
        for r in range(rows.hidden.shape[0]):
            w = rows.weight[r]
            line = 0
            if rows.hidden[r] & cards == cards:
                hit += w
                top_hit = max(top_hit, w)
            else:
                line = 1
                miss += w
                top_miss = max(top_miss, w)
            scratch[line, 0] += w * np.log(w)
            scratch[line, 1] += w * rows.threat[r]
            scratch[line, 2] += w * rows.gap[r]
        n = n_cards(cards)
        opened = 1 if table.opened or (cards & table.opening) else 0
        good = outlook(table, table.n_hidden - n, opened, hit, scratch[0], top_hit, scratch[2])
        bad = outlook(table, table.n_hidden, table.opened, miss, scratch[1], top_miss, scratch[2])
        chances[s] = hit
        values[s] = hit * good + miss * bad


@kernel
def best_value(rows: Rows, table: Table, n_starts: int, sets: Ints, by_card: Floats, scratch: Floats,
               chances: Floats, values: Floats) -> int:  # fmt: skip
    """The number of the best proposal; -1 if there is none. Sets, chances and values are filled."""
    n = propose(rows, table, n_starts, by_card, sets)
    weigh(rows, table, sets, n, scratch, chances, values)
    best = -1
    for s in range(n):
        if best < 0 or values[s] > values[best] + TINY:
            best = s
    return best
