"""Compiled: which guess leaves the Marshal the best chance to win, among rows with probabilities.

    value(S) = P(S) V(rows with S) + (1 - P(S)) V(rows without S),    P(S) = sum of the weights of the rows that hold S

V, the outlook, is a logistic function of twelve terms: how many hideouts stay hidden, how unclear the rows are (the
entropy `spread` and the heaviest row `top`), how soon he can escape (`threat`, `gap`), and whether his way is open.
It needs sums over rows alone, so that one pass over the rows weighs one set S.

Not every set is weighed. `propose` lists all single numbers, likeliest first, then sets that grow from the certain
numbers and from the likeliest ones by the number that goes with them best, and sets without the cards that would open
his way. Cost: (sets proposed) x (rows), twice. A set of cards is bits: card c is 1 << c.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.jit import kernel
from manhunt.games.fugitive.rules.kernels import lowest, n_cards

N_TERMS = 12
"""Terms of the outlook."""
MOST_SETS = 256
TINY = 1e-12
ANY = -1
"""All cards."""


class WeightedRows(NamedTuple):
    """What may lie face down: a line for each possible row."""

    hidden: Int64s
    """The face-down cards as bits."""
    weight: Floats
    """Adding up to 1."""
    threat: Floats
    """The chance that he can escape in his next turn."""
    gap: Floats
    """What his hand lacks, on average, to reach the escape."""


class GuessTable(NamedTuple):
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
def outlook(
    table: GuessTable, n_hidden: int, opened: int, mass: float, sums: Floats, top: float, terms: Floats
) -> float:
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
def marginals(rows: WeightedRows, inside: int, out: Floats) -> float:
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
def add_set(cards: int, n: int, out: Int64s) -> int:
    """Append a set unless it is there already or there is no room; how many there are."""
    for i in range(n):
        if out[i] == cards:
            return n
    if n < out.shape[0]:
        out[n] = cards
        n += 1
    return n


@kernel
def likeliest(chances: Floats, allowed: int) -> int:
    """The allowed card with the largest chance, the lowest of equals; 0 if none has any."""
    best, most = 0, TINY
    for card in range(1, chances.shape[0]):
        if chances[card] > most and allowed >> card & 1:
            best, most = card, chances[card]
    return best


@kernel
def grow(rows: WeightedRows, table: GuessTable, start: int, allowed: int, chances: Floats, n: int, out: Int64s) -> int:
    """Append a set and all that it grows to by the allowed number that goes with it best; how many sets there are."""
    cards = start
    n = add_set(cards, n, out)
    while n_cards(cards) < table.n_hidden:
        marginals(rows, cards, chances)
        best = likeliest(chances, allowed)
        if best == 0:
            break
        cards |= 1 << best
        n = add_set(cards, n, out)
    return n


@kernel
def propose(rows: WeightedRows, table: GuessTable, n_starts: int, out: Int64s) -> int:
    """Guesses worth a look: the likeliest numbers, sets grown from them, the certain ones; returns how many."""
    first, chances = np.zeros(table.last + 1), np.zeros(table.last + 1)
    marginals(rows, 0, first)
    n, certain, closed = 0, 0, 0
    order = np.argsort(-first)
    for card in order:
        if first[card] < TINY:
            break
        n = add_set(1 << card, n, out)
        if first[card] > 1.0 - 1e-9:
            certain |= 1 << card
        if first[card] > TINY and not table.opening >> card & 1:
            closed |= 1 << card
    if certain:
        n = grow(rows, table, certain, ANY, chances, n, out)
    for i in range(min(n_starts, order.shape[0])):
        if first[order[i]] < TINY:
            break
        n = grow(rows, table, 1 << order[i], ANY, chances, n, out)
    if closed and table.opening and not table.opened:
        n = grow(rows, table, 1 << likeliest(first, closed), closed, chances, n, out)
    return n


@kernel
def weigh(rows: WeightedRows, table: GuessTable, cards: int, scratch: Floats) -> tuple[float, float]:
    """The chance that a set is right, and the Marshal's chance to win if she guesses it.

    `scratch` has a line for sums over the rows with the set, one for those without it, and one for terms.
    """
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
    opened = 1 if table.opened or (cards & table.opening) else 0
    good = outlook(table, table.n_hidden - n_cards(cards), opened, hit, scratch[0], top_hit, scratch[2])
    bad = outlook(table, table.n_hidden, table.opened, miss, scratch[1], top_miss, scratch[2])
    return hit, hit * good + miss * bad


@kernel
def best_guess(rows: WeightedRows, table: GuessTable, n_starts: int) -> tuple[int, float, float]:
    """The best of the proposed sets, the chance that it is right, and the Marshal's chance to win with it."""
    sets, scratch = np.zeros(MOST_SETS, np.int64), np.zeros((3, N_TERMS))
    best, best_chance, best_value = 0, 0.0, -1.0
    for s in range(propose(rows, table, n_starts, sets)):
        chance, value = weigh(rows, table, sets[s], scratch)
        if best == 0 or value > best_value + TINY:
            best, best_chance, best_value = sets[s], chance, value
    return best, best_chance, best_value
