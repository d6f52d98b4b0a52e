"""Compiled: worlds of a Marshal's view by lot: a row, then sprint cards stack by stack, then his other draws.

A row is any of those that fit, all alike. For a stack of c cards that needs r even ones, the split into odd and even
cards of each group is drawn in proportion to its term in

    A(g, c, r) = sum over i, j of C(odds_g, i) C(evens_g, j) ways_g(i + j) A(g + 1, c - i - j, r - j)

`ahead` holds A (r is never below 0), `classes` the cards odds_g and evens_g whose place is unknown. ways_g(k), up to a
factor, are the orders of his draws of pile g in which the cards of the row, those of the stacks drawn before and k more
in this one were all drawn in time (`order_ways`).
`count_splits` fills A from the last group to the first, `draw_split` walks through it the other way.

No stack looks ahead to the next ones, and a dead end starts anew with another row: this is the law of a proposal, which
defines the opponent bir-2u, and not the exact law over worlds. Cost of a stack: about groups * (r + 1) * c^3 / 6 terms,
and groups * c * positions for the orders.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below, next_bits
from manhunt.games.fugitive.rules.kernels import lowest, n_cards

U11 = np.uint64(11)
HALF_BITS = 2.0**-53


class ParticleTable(NamedTuple):
    """What the Marshal sees, position by position, the escape included. Group 0 are the cards in no pile."""

    slots: Int64s
    """Per position and pile, the cards he had had by then."""
    shown: Int64s
    """Per position and pile, the sprint cards that lie face up."""
    stacks: Int64s
    """Per hidden stack its position and its size, in row order."""
    classes: Int64s
    """The cards whose place is unknown, odd and even ones of each group, as bits."""
    unheld: Int64s
    """Per pile its cards that the Marshal does not hold, as bits."""
    n_his: Int64s
    """Per pile, the cards he has had till now."""
    face_up: int
    """Sprint cards that lie face up."""
    group: Int64s
    last: int
    reach: int
    escaped: bool
    choose: Floats
    """Binomial coefficients."""
    factorial: Floats


class ParticleColumns(NamedTuple):
    """Row, hidden sprint cards and undrawn cards of each world, as bits."""

    row: Int64s
    sprints: Int64s
    undrawn: Int64s


class Stock(NamedTuple):
    """Scratch for one world."""

    cards: Int64s
    demand: Int64s
    """Per position and pile, the cards that had to be there by then."""
    ways: Floats
    """Per group, the ways to order his draws if so many more cards of it are needed."""
    ahead: Floats
    """Ways of the groups from one on, by cards and by even cards still to be taken."""


@kernel
def fraction(rng: Words) -> float:
    """Uniform in [0, 1)."""
    return float(next_bits(rng) >> U11) * HALF_BITS


@kernel
def random_card(cards: int, rng: Words) -> int:
    for _ in range(below(rng, n_cards(cards))):
        cards &= cards - 1
    return lowest(cards)


@kernel
def lay_out(table: ParticleTable, row: int, stock: Stock) -> None:
    """The cards of the row by position, and what they and the face-up sprint cards demand."""
    stock.demand[:] = table.shown
    i = 0
    while row:
        card = lowest(row)
        row &= row - 1
        stock.cards[i] = card
        if table.group[card] > 0:
            stock.demand[i, table.group[card] - 1] += 1
        i += 1
    if table.escaped:
        stock.cards[i] = table.last


@kernel
def order_ways(table: ParticleTable, stock: Stock, pile: int, position: int, more: int) -> float:
    """The ways to order his draws of a pile, up to a factor, if so many more of it lie at a position."""
    used, ways = 0, 1.0
    for i in range(table.slots.shape[0]):
        for _ in range(stock.demand[i, pile] + (more if i == position else 0)):
            if used >= table.slots[i, pile]:
                return 0.0
            ways *= table.slots[i, pile] - used
            used += 1
    n_free = n_cards(table.unheld[pile]) - used
    return ways * table.factorial[n_free] if n_free >= table.n_his[pile] - used else 0.0


@kernel
def count_splits(table: ParticleTable, stock: Stock, position: int, size: int, n_even: int, taken: int) -> float:
    """Fill `ways` and `ahead` for a stack that needs so many even cards; `taken` cards are no more to be had."""
    n_groups = stock.ways.shape[0]
    for g in range(n_groups):
        for k in range(size + 1):
            stock.ways[g, k] = order_ways(table, stock, g - 1, position, k) if g > 0 else 1.0
    stock.ahead[n_groups, : size + 1, : n_even + 1] = 0.0
    stock.ahead[n_groups, 0, 0] = 1.0
    for g in range(n_groups - 1, -1, -1):
        n_odds, n_evens = n_cards(table.classes[2 * g] & ~taken), n_cards(table.classes[2 * g + 1] & ~taken)
        for c in range(size + 1):
            for r in range(n_even + 1):
                total = 0.0
                for even in range(min(c, n_evens) + 1):
                    for odd in range(min(c - even, n_odds) + 1):
                        rest = stock.ahead[g + 1, c - even - odd, max(0, r - even)]
                        if rest > 0.0:
                            both = table.choose[n_odds, odd] * table.choose[n_evens, even]
                            total += both * stock.ways[g, odd + even] * rest
                stock.ahead[g, c, r] = total
    return float(stock.ahead[0, size, n_even])


@kernel
def draw_split(
    table: ParticleTable, stock: Stock, position: int, size: int, n_even: int, taken: int, rng: Words
) -> int:
    """Sprint cards of a stack by lot, from the tables of `count_splits`; notes what they demand."""
    found = 0
    for g in range(stock.ways.shape[0]):
        odds, evens = table.classes[2 * g] & ~taken, table.classes[2 * g + 1] & ~taken
        n_odds, n_evens = n_cards(odds), n_cards(evens)
        point = fraction(rng) * stock.ahead[g, size, n_even]
        chosen_odd, chosen_even = 0, 0
        for even in range(min(size, n_evens) + 1):
            for odd in range(min(size - even, n_odds) + 1):
                both = table.choose[n_odds, odd] * table.choose[n_evens, even] * stock.ways[g, odd + even]
                weight = both * stock.ahead[g + 1, size - even - odd, max(0, n_even - even)]
                if weight > 0.0 and point >= 0.0:
                    chosen_odd, chosen_even = odd, even
                    point -= weight
        for _ in range(chosen_odd):
            card = random_card(odds, rng)
            odds &= ~(1 << card)
            found |= 1 << card
        for _ in range(chosen_even):
            card = random_card(evens, rng)
            evens &= ~(1 << card)
            found |= 1 << card
        size -= chosen_odd + chosen_even
        n_even = max(0, n_even - chosen_even)
        if g > 0:
            stock.demand[position, g - 1] += chosen_odd + chosen_even
    return found


@kernel
def draw_stacks(table: ParticleTable, row: int, stock: Stock, rng: Words) -> int:
    """Hidden sprint cards for a row, stack by stack without looking ahead; -1 at a dead end."""
    lay_out(table, row, stock)
    found = 0
    for s in range(table.stacks.shape[0]):
        position, size = table.stacks[s, 0], table.stacks[s, 1]
        previous = stock.cards[position - 1] if position > 0 else 0
        n_even = max(0, stock.cards[position] - previous - table.reach - size)
        if n_even > size or count_splits(table, stock, position, size, n_even, row | found) <= 0.0:
            return -1
        found |= draw_split(table, stock, position, size, n_even, row | found, rng)
    for pile in range(table.unheld.shape[0]):
        if order_ways(table, stock, pile, 0, 0) <= 0.0:
            return -1
    return found


@kernel
def draw_undrawn(table: ParticleTable, placed: int, rng: Words) -> int:
    """The cards left in the piles if his other draws were any of the rest."""
    found = 0
    for pile in range(table.unheld.shape[0]):
        rest = table.unheld[pile] & ~placed
        n_left = n_cards(table.unheld[pile]) - table.n_his[pile]
        for _ in range(n_left):
            card = random_card(rest, rng)
            rest &= ~(1 << card)
            found |= 1 << card
    return found


@kernel
def draw_worlds(
    table: ParticleTable, rows: Int64s, n_tries: int, stock: Stock, rng: Words, out: ParticleColumns
) -> int:
    """Fill `out` with worlds; a dead end starts anew with another row. Returns how many were found."""
    n = 0
    for _ in range(n_tries):
        if n == out.row.shape[0]:
            break
        row = rows[below(rng, rows.shape[0])]
        sprints = draw_stacks(table, row, stock, rng)
        if sprints < 0:
            continue
        out.row[n], out.sprints[n] = row, sprints
        out.undrawn[n] = draw_undrawn(table, row | sprints | table.face_up, rng)
        n += 1
    return n
