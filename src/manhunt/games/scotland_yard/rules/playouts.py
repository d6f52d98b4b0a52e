"""Random games of Scotland Yard in compiled code: a uniform choice among the moves, without listing them."""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Int32s, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.packed import FareTable

N_TRIES = 12
"""Draws from the unblocked fares before the moves are listed."""


class PlayoutScratch(NamedTuple):
    """Room that the caller owns, one per thread."""

    state: Int32s
    actions: Int64s


def new_scratch(config: ScotlandYardConfig) -> PlayoutScratch:
    return PlayoutScratch(
        np.zeros(packed.state_size(config), np.int32), np.zeros(packed.most_actions(config), np.int64)
    )


# A uniformly random legal action of a game that goes on is drawn from all fares (and pairs of fares) that the tickets
# held allow, and again if that one is blocked. Where few ways are free the draws fail (-1), and the moves are listed
# in `actions` instead. Both are uniform over the legal actions, so the whole is.


@kernel
def draw_listed(table: FareTable, state: Int32s, rng: Words, actions: Int64s) -> int:
    return int(actions[below(rng, kernels.offered(table, state, actions))])


@kernel
def draw_mrx(table: FareTable, state: Int32s, rng: Words) -> int:
    held, node = state[packed.HELD], state[packed.QUARRY]
    first = table.indptr[held, node]
    n_singles = table.indptr[held, node + 1] - first
    n = n_singles
    if kernels.doubles_allowed(table, state):
        n += table.n_pairs[held, node]
    if n == 0:
        return -1
    for _ in range(N_TRIES):
        k = below(rng, n)
        if k < n_singles:
            action = int(table.fares[first + k])
            if not kernels.is_blocked(state, action >> 8):
                return action
        else:
            action = pair_at(table, held, first, k - n_singles)
            if not kernels.is_blocked(state, action >> 8 & 0xFFFF) and kernels.may_join(state, action):
                return action
    return -1


@kernel
def pair_at(table: FareTable, held: int, first: int, k: int) -> int:
    """The k-th pair of fares in a row, of those that begin with fare `first` or a later one of the same node."""
    while True:
        mid = table.fares[first] >> 8
        n_seconds = table.indptr[held, mid + 1] - table.indptr[held, mid]
        if k < n_seconds:
            break
        k -= n_seconds
        first += 1
    return kernels.joined(int(table.fares[first]), int(table.fares[table.indptr[held, mid] + k]))


@kernel
def draw_detective(table: FareTable, state: Int32s, rng: Words) -> int:
    waiting = state[packed.WAITING]
    if table.seated:
        waiting = first_able(table, state)
    n = 0
    for i in range(table.n_detectives):
        if waiting >> i & 1:
            held, node = state[packed.HELD + i + 1], state[packed.PLACES + i]
            n += table.indptr[held, node + 1] - table.indptr[held, node]
    if n == 0:
        return -1
    for _ in range(N_TRIES):
        action = fare_at(table, state, waiting, below(rng, n))
        if not kernels.is_blocked(state, action >> 8):
            return action
    return -1


@kernel
def first_able(table: FareTable, state: Int32s) -> int:
    """The bit of the first detective who has not moved and can."""
    for i in range(table.n_detectives):
        if state[packed.WAITING] >> i & 1 and kernels.can_move(table, state, i + 1):
            return 1 << i
    return 0


@kernel
def fare_at(table: FareTable, state: Int32s, waiting: int, k: int) -> int:
    """The k-th fare of the waiting detectives, blocked or not."""
    for i in range(table.n_detectives):
        if waiting >> i & 1:
            held, node = state[packed.HELD + i + 1], state[packed.PLACES + i]
            n_fares = table.indptr[held, node + 1] - table.indptr[held, node]
            if k < n_fares:
                return int(table.fares[table.indptr[held, node] + k]) | (i + 1)
            k -= n_fares
    return -1


@kernel
def playout(table: FareTable, state: Int32s, rng: Words, actions: Int64s) -> tuple[int, int]:
    """Play the state to its end in place by uniformly random moves; the outcome's code and the number of plies.

    Calls only kernels that call nothing themselves once compiled, save in rare cases: a call within a call costs
    a reference count for each array. Mr X's move cannot end the game, since it takes nothing from the detectives.
    """
    n_plies = 0
    code = kernels.outcome(table, state)
    while code == kernels.GOES_ON:
        turn = state[packed.WAITING]
        action = draw_detective(table, state, rng) if turn else draw_mrx(table, state, rng)
        if action < 0:
            action = draw_listed(table, state, rng, actions)
        kernels.advance(table, state, action)
        n_plies += 1
        if state[packed.WAITING] == 0:
            code = kernels.outcome(table, state)
        elif turn and state[packed.QUARRY] == action >> 8:
            code = kernels.CAPTURED
    return code, n_plies


@kernel
def deal(table: FareTable, state: Int32s, mrx_starts: Int32s, detective_starts: Int32s, rng: Words) -> None:
    """Paragraph 4: put Mr X on one of his start places and the detectives on different ones of theirs."""
    state[packed.QUARRY] = mrx_starts[below(rng, len(mrx_starts))]
    for i in range(table.n_detectives):
        while True:
            node = detective_starts[below(rng, len(detective_starts))]
            is_taken = node == state[packed.QUARRY]
            for j in range(i):
                is_taken = is_taken or state[packed.PLACES + j] == node
            if not is_taken:
                break
        state[packed.PLACES + i] = node
