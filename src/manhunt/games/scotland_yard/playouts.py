"""Random games of Scotland Yard in compiled code: uniform choice without lists, and a hook for a cheap policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.boards.distance import distances
from manhunt.games.generator import LOW as LOW
from manhunt.games.generator import U32 as U32
from manhunt.games.generator import below as below
from manhunt.games.generator import new_rng as new_rng
from manhunt.games.generator import next_bits as next_bits
from manhunt.games.jit import kernel
from manhunt.games.scotland_yard.config import Config
from manhunt.games.scotland_yard.kernels import (
    CAPTURED,
    GOES_ON,
    advance,
    can_move,
    doubles_allowed,
    is_blocked,
    joined,
    may_join,
    offered,
    outcome,
)
from manhunt.games.scotland_yard.packed import (
    DOUBLE_BIT,
    HELD,
    LOG,
    N_LOGGED,
    NO_NODE,
    PLACES,
    QUARRY,
    WAITING,
    Table,
    most_actions,
    state_size,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_TRIES = 12
"""Draws from the unblocked fares before the moves are listed."""
LEAST = -(1 << 62)


class Policy(NamedTuple):
    """A cheap way to choose: the best of some uniformly drawn moves; one draw is uniform play.

    Mr X likes to be far from the nearest detective, less `costs[ticket]` for each ticket he pays; detectives like to
    be near their goal: Mr X himself if `chases_truth`, else where he was last shown.
    """

    mrx_draws: int
    detective_draws: int
    chases_truth: int
    distance: NDArray[np.int32]
    costs: NDArray[np.int32]


class Scratch(NamedTuple):
    """Room that the caller owns, one per thread."""

    state: NDArray[np.int32]
    actions: NDArray[np.int64]


def uniform_policy() -> Policy:
    return Policy(1, 1, 0, np.zeros((1, 1), np.int32), np.zeros(5, np.int32))


def greedy_policy(
    config: Config, *, mrx_draws: int = 4, detective_draws: int = 4, chases_truth: bool = True, ticket_cost: int = 1
) -> Policy:
    """Distances in hops; secret and double tickets cost Mr X `ticket_cost` hops each."""
    costs = np.array([0, 0, 0, ticket_cost, ticket_cost], np.int32)
    hops = np.ascontiguousarray(distances(config.board), np.int32)
    return Policy(mrx_draws, detective_draws, int(chases_truth), hops, costs)


def new_scratch(config: Config) -> Scratch:
    return Scratch(np.zeros(state_size(config), np.int32), np.zeros(most_actions(config), np.int64))


@kernel
def draw(table: Table, state: NDArray[np.int32], rng: NDArray[np.uint64], actions: NDArray[np.int64]) -> int:
    """A uniformly random legal action of a game that goes on.

    Draws from all fares (and pairs of fares) that the tickets held allow, and again if that one is blocked; a game
    with few ways out gets its moves listed in `actions` instead. Both are uniform, so the whole is.
    """
    action = draw_detective(table, state, rng) if state[WAITING] else draw_mrx(table, state, rng)
    return action if action >= 0 else draw_listed(table, state, rng, actions)


@kernel
def draw_listed(table: Table, state: NDArray[np.int32], rng: NDArray[np.uint64], actions: NDArray[np.int64]) -> int:
    return int(actions[below(rng, offered(table, state, actions))])


@kernel
def draw_mrx(table: Table, state: NDArray[np.int32], rng: NDArray[np.uint64]) -> int:
    held, node = state[HELD], state[QUARRY]
    first = table.indptr[held, node]
    n_singles = table.indptr[held, node + 1] - first
    n = n_singles
    if doubles_allowed(table, state):
        n += table.n_pairs[held, node]
    if n == 0:
        return -1
    for _ in range(N_TRIES):
        k = below(rng, n)
        if k < n_singles:
            action = int(table.fares[first + k])
            if not is_blocked(state, action >> 8):
                return action
        else:
            action = pair_at(table, held, first, k - n_singles)
            if not is_blocked(state, action >> 8 & 0xFFFF) and may_join(state, action):
                return action
    return -1


@kernel
def pair_at(table: Table, held: int, first: int, k: int) -> int:
    """The k-th pair of fares in a row, of those that begin with fare `first` or a later one of the same node."""
    while True:
        mid = table.fares[first] >> 8
        n_seconds = table.indptr[held, mid + 1] - table.indptr[held, mid]
        if k < n_seconds:
            break
        k -= n_seconds
        first += 1
    return joined(int(table.fares[first]), int(table.fares[table.indptr[held, mid] + k]))


@kernel
def draw_detective(table: Table, state: NDArray[np.int32], rng: NDArray[np.uint64]) -> int:
    waiting = state[WAITING]
    if table.seated:
        waiting = first_able(table, state)
    n = 0
    for i in range(table.n_detectives):
        if waiting >> i & 1:
            held, node = state[HELD + i + 1], state[PLACES + i]
            n += table.indptr[held, node + 1] - table.indptr[held, node]
    if n == 0:
        return -1
    for _ in range(N_TRIES):
        action = fare_at(table, state, waiting, below(rng, n))
        if not is_blocked(state, action >> 8):
            return action
    return -1


@kernel
def first_able(table: Table, state: NDArray[np.int32]) -> int:
    """The bit of the first detective who has not moved and can."""
    for i in range(table.n_detectives):
        if state[WAITING] >> i & 1 and can_move(table, state, i + 1):
            return 1 << i
    return 0


@kernel
def fare_at(table: Table, state: NDArray[np.int32], waiting: int, k: int) -> int:
    """The k-th fare of the waiting detectives, blocked or not."""
    for i in range(table.n_detectives):
        if waiting >> i & 1:
            held, node = state[HELD + i + 1], state[PLACES + i]
            n_fares = table.indptr[held, node + 1] - table.indptr[held, node]
            if k < n_fares:
                return int(table.fares[table.indptr[held, node] + k]) | (i + 1)
            k -= n_fares
    return -1


@kernel
def goal_of(state: NDArray[np.int32], chases_truth: int) -> int:
    """Where the detectives want to go: to Mr X, or to where he was last shown."""
    goal = last_shown(state)
    return int(state[QUARRY]) if chases_truth else goal


@kernel
def detective_appeal(distance: NDArray[np.int32], goal: int, action: int) -> int:
    return 0 if goal == NO_NODE else -int(distance[action >> 8, goal])


@kernel
def mrx_appeal(state: NDArray[np.int32], policy: Policy, action: int) -> int:
    cost = policy.costs[action >> 3 & 3]
    to = action >> 8 & 0xFFFF
    if action & DOUBLE_BIT:
        cost += policy.costs[action >> 6 & 3] + policy.costs[4]
        to = action >> 24
    nearest = policy.distance[to, state[PLACES]]
    for i in range(1, 5):
        node = state[PLACES + i]
        if node != NO_NODE:
            nearest = min(nearest, policy.distance[to, node])
    return int(nearest - cost)


@kernel
def last_shown(state: NDArray[np.int32]) -> int:
    for slot in range(state[N_LOGGED] - 1, -1, -1):
        if state[LOG + 2 * slot + 1] != NO_NODE:
            return int(state[LOG + 2 * slot + 1])
    return NO_NODE


@kernel
def playout(
    table: Table,
    state: NDArray[np.int32],
    rng: NDArray[np.uint64],
    policy: Policy,
    actions: NDArray[np.int64],
) -> tuple[int, int]:
    """Play the state to its end in place; the outcome's code and the number of plies.

    Calls only kernels that call nothing themselves once compiled, save in rare cases: a call within a call costs
    a reference count for each array. Mr X's move cannot end the game, since it takes nothing from the detectives.
    """
    n_plies = 0
    code = outcome(table, state)
    while code == GOES_ON:
        turn = state[WAITING]
        n_draws = policy.detective_draws if turn else policy.mrx_draws
        goal = goal_of(state, policy.chases_truth) if n_draws > 1 else NO_NODE
        best, value = -1, LEAST
        for _ in range(max(n_draws, 1)):
            action = draw_detective(table, state, rng) if turn else draw_mrx(table, state, rng)
            if action < 0:
                action = draw_listed(table, state, rng, actions)
            worth = 0
            if n_draws > 1:
                worth = detective_appeal(policy.distance, goal, action) if turn else mrx_appeal(state, policy, action)
            if worth > value:
                best, value = action, worth
        advance(table, state, best)
        n_plies += 1
        if state[WAITING] == 0:
            code = outcome(table, state)
        elif turn and state[QUARRY] == best >> 8:
            code = CAPTURED
    return code, n_plies


@kernel
def playouts(
    table: Table,
    state: NDArray[np.int32],
    n: int,
    rng: NDArray[np.uint64],
    policy: Policy,
    scratch: Scratch,
    counts: NDArray[np.int64],
) -> int:
    """Play n games from one state, which stays as it is; add the outcomes to `counts`, return the plies."""
    total = 0
    for _ in range(n):
        scratch.state[:] = state
        code, n_plies = playout(table, scratch.state, rng, policy, scratch.actions)
        counts[code] += 1
        total += n_plies
    return total


@kernel
def deal(
    table: Table,
    state: NDArray[np.int32],
    mrx_starts: NDArray[np.int32],
    detective_starts: NDArray[np.int32],
    rng: NDArray[np.uint64],
) -> None:
    """Paragraph 4: put Mr X on one of his start places and the detectives on different ones of theirs."""
    state[QUARRY] = mrx_starts[below(rng, len(mrx_starts))]
    for i in range(table.n_detectives):
        while True:
            node = detective_starts[below(rng, len(detective_starts))]
            is_taken = node == state[QUARRY]
            for j in range(i):
                is_taken = is_taken or state[PLACES + j] == node
            if not is_taken:
                break
        state[PLACES + i] = node


@kernel
def dealt_games(
    table: Table,
    state: NDArray[np.int32],
    starts: tuple[NDArray[np.int32], NDArray[np.int32]],
    n: int,
    rng: NDArray[np.uint64],
    policy: Policy,
    scratch: Scratch,
    counts: NDArray[np.int64],
) -> int:
    """As `playouts`, with the pieces of each game dealt anew to the start places of Mr X and the detectives."""
    total = 0
    for _ in range(n):
        scratch.state[:] = state
        deal(table, scratch.state, starts[0], starts[1], rng)
        code, n_plies = playout(table, scratch.state, rng, policy, scratch.actions)
        counts[code] += 1
        total += n_plies
    return total
