"""Games of Scotland Yard played out by a cheap policy, compiled: for benchmarks, and to check the random ones."""

from typing import NamedTuple

import numpy as np

from manhunt.boards.distance import distances
from manhunt.core.arrays import Int32s, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.kernels import CAPTURED, GOES_ON, advance, outcome
from manhunt.games.scotland_yard.rules.packed import (
    DOUBLE_BIT,
    LOG,
    N_LOGGED,
    NO_NODE,
    PLACES,
    QUARRY,
    WAITING,
    FareTable,
)
from manhunt.games.scotland_yard.rules.playouts import PlayoutScratch, deal, draw_detective, draw_listed, draw_mrx

LEAST = -(1 << 62)


class PlayoutPolicy(NamedTuple):
    """A cheap way to choose: the best of some uniformly drawn moves; one draw is uniform play.

    Mr X likes to be far from the nearest detective, less `costs[ticket]` for each ticket he pays; detectives like to
    be near their goal: Mr X himself if `chases_truth`, else where he was last shown.
    """

    mrx_draws: int
    detective_draws: int
    chases_truth: int
    distance: Int32s
    costs: Int32s


def uniform_policy() -> PlayoutPolicy:
    return PlayoutPolicy(1, 1, 0, np.zeros((1, 1), np.int32), np.zeros(5, np.int32))


def greedy_policy(
    config: ScotlandYardConfig,
    *,
    mrx_draws: int = 4,
    detective_draws: int = 4,
    chases_truth: bool = True,
    ticket_cost: int = 1,
) -> PlayoutPolicy:
    """Distances in hops; secret and double tickets cost Mr X `ticket_cost` hops each."""
    costs = np.array([0, 0, 0, ticket_cost, ticket_cost], np.int32)
    hops = np.ascontiguousarray(distances(config.board), np.int32)
    return PlayoutPolicy(mrx_draws, detective_draws, int(chases_truth), hops, costs)


@kernel
def draw(table: FareTable, state: Int32s, rng: Words, actions: Int64s) -> int:
    """A uniformly random legal action of a game that goes on.

    Draws from all fares (and pairs of fares) that the tickets held allow, and again if that one is blocked; a game
    with few ways out gets its moves listed in `actions` instead. Both are uniform, so the whole is.
    """
    action = draw_detective(table, state, rng) if state[WAITING] else draw_mrx(table, state, rng)
    return action if action >= 0 else draw_listed(table, state, rng, actions)


@kernel
def goal_of(state: Int32s, chases_truth: int) -> int:
    """Where the detectives want to go: to Mr X, or to where he was last shown."""
    goal = last_shown(state)
    return int(state[QUARRY]) if chases_truth else goal


@kernel
def detective_appeal(distance: Int32s, goal: int, action: int) -> int:
    return 0 if goal == NO_NODE else -int(distance[action >> 8, goal])


@kernel
def mrx_appeal(state: Int32s, policy: PlayoutPolicy, action: int) -> int:
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
def last_shown(state: Int32s) -> int:
    for slot in range(state[N_LOGGED] - 1, -1, -1):
        if state[LOG + 2 * slot + 1] != NO_NODE:
            return int(state[LOG + 2 * slot + 1])
    return NO_NODE


@kernel
def policy_playout(
    table: FareTable, state: Int32s, rng: Words, policy: PlayoutPolicy, actions: Int64s
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
    table: FareTable, state: Int32s, n: int, rng: Words, policy: PlayoutPolicy, scratch: PlayoutScratch, counts: Int64s
) -> int:
    """Play n games from one state, which stays as it is; add the outcomes to `counts`, return the plies."""
    total = 0
    for _ in range(n):
        scratch.state[:] = state
        code, n_plies = policy_playout(table, scratch.state, rng, policy, scratch.actions)
        counts[code] += 1
        total += n_plies
    return total


@kernel
def dealt_games(
    table: FareTable,
    state: Int32s,
    starts: tuple[Int32s, Int32s],
    n: int,
    rng: Words,
    policy: PlayoutPolicy,
    scratch: PlayoutScratch,
    counts: Int64s,
) -> int:
    """As `playouts`, with the pieces of each game dealt anew to the start places of Mr X and the detectives."""
    total = 0
    for _ in range(n):
        scratch.state[:] = state
        deal(table, scratch.state, starts[0], starts[1], rng)
        code, n_plies = policy_playout(table, scratch.state, rng, policy, scratch.actions)
        counts[code] += 1
        total += n_plies
    return total
