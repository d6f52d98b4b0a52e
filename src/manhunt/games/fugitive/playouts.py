"""Random games of Fugitive in compiled code: uniform choice among the legal steps, without lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.games.fugitive.kernels import (
    advance,
    ask,
    hideouts,
    is_complete,
    is_left,
    lowest,
    may_pass,
    n_cards,
    sprints,
)
from manhunt.games.fugitive.packed import (
    ASK,
    BONUS,
    DONE,
    END,
    FUGITIVE_PLAY,
    HAND,
    HIDE,
    HIDEOUT,
    LOGS,
    MANHUNT,
    MARSHAL_GUESS,
    N_UNDRAWN,
    NAME,
    NEXT,
    OVER,
    PASS,
    PENDING,
    PHASE,
    ROUND,
    SPRINT,
    STOP,
    TAKE,
    TOP,
    Piles,
    Table,
)
from manhunt.games.generator import below, new_rng
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Row = NDArray[np.int64]
    Rng = NDArray[np.uint64]

__all__ = ["deal", "draw", "new_rng", "play_dealt", "playout"]


@kernel
def card_at(bits: int, k: int) -> int:
    """The k-th lowest card of a set."""
    for _ in range(k):
        bits &= bits - 1
    return lowest(bits)


@kernel
def draw(table: Table, state: Row, rng: Rng) -> int:
    """A uniformly random legal action of a game that goes on."""
    phase = state[PHASE]
    if phase == MARSHAL_GUESS:
        top = state[TOP]
        n = table.last - 1 - top
        k = below(rng, n + (1 if top or not table.must_guess else 0))
        return ASK if k == n else int(NAME | (top + 1 + k))
    if phase == FUGITIVE_PLAY:
        return draw_placement(table, state, rng)
    if phase == MANHUNT:
        return NAME | (1 + below(rng, table.last - 1))
    return draw_pile(table, state, rng)


@kernel
def draw_placement(table: Table, state: Row, rng: Rng) -> int:
    if state[HIDEOUT]:
        cards, kind, end = sprints(table, state), SPRINT, DONE
        may_end = is_complete(table, state)
    else:
        cards, kind, end = hideouts(table, state), HIDE, PASS
        may_end = may_pass(table, state, cards != 0)
    n = n_cards(cards)
    if n == 0:
        return end
    k = below(rng, n + (1 if may_end else 0))
    return end if k == n else kind | card_at(cards, k)


@kernel
def draw_pile(table: Table, state: Row, rng: Rng) -> int:
    n = 0
    for pile in range(table.n_piles):
        n += is_left(state, pile)
    if state[BONUS]:
        if below(rng, 2):
            return PASS
        n = 1
    k = below(rng, n)
    for pile in range(table.n_piles):
        if is_left(state, pile):
            if k == 0:
                return TAKE | pile
            k -= 1
    return PASS


@kernel
def deal(table: Table, piles: Piles, rng: Rng, state: Row, deck: Row) -> None:
    """Paragraph 2: shuffle every pile, give the Fugitive his cards; the logs need no clearing."""
    state[:LOGS] = 0
    state[HAND] = table.kept
    state[PHASE] = FUGITIVE_PLAY
    state[ROUND] = 1
    deck[:] = piles.cards
    for pile in range(table.n_piles):
        first, end = piles.indptr[pile], piles.indptr[pile + 1]
        for i in range(first, end - 1):
            j = i + below(rng, end - i)
            deck[i], deck[j] = deck[j], deck[i]
        start = first + piles.dealt[pile]
        for i in range(first, start):
            state[HAND] |= 1 << deck[i]
        state[NEXT + pile], state[STOP + pile] = start, end
        state[N_UNDRAWN] += end - start


@kernel
def playout(table: Table, deck: Row, state: Row, rng: Rng) -> int:
    """Play to the end at random, in place; return the plies."""
    n = 0
    while state[PHASE] != OVER:
        if state[PHASE] == MARSHAL_GUESS:
            n += guess(table, state, rng)
        else:
            advance(table, deck, state, draw(table, state, rng))
            n += 1
    return n


@kernel
def guess(table: Table, state: Row, rng: Rng) -> int:
    """A whole guess as `draw` and `advance` would make it, step by step; return the plies."""
    top, numbers, n = state[TOP], state[PENDING], 0
    while True:
        n_left = table.last - 1 - top
        k = below(rng, n_left + (1 if top or not table.must_guess else 0))
        n += 1
        if k == n_left:
            break
        top += 1 + k
        numbers |= 1 << top
    state[TOP] = top
    state[PENDING] = numbers
    ask(table, state)
    return n


@kernel
def play_dealt(table: Table, piles: Piles, n_games: int, rng: Rng, state: Row, deck: Row, counts: Row) -> int:
    """Deal and play so many games; add each end to `counts` by its code, return the plies."""
    n_plies = 0
    for _ in range(n_games):
        deal(table, piles, rng, state, deck)
        n_plies += playout(table, deck, state, rng)
        counts[state[END]] += 1
    return n_plies
