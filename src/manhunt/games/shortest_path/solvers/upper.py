"""Certified upper bounds: what a traveller pays at most who keeps to some arcs, and arcs that are good for it."""

import math
from functools import cache

from manhunt.boards.build import build_board
from manhunt.core import thinking_time
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import MOST_COST, edge_index, hops_to
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import UpperCertificate
from manhunt.games.shortest_path.solvers.upper_arena import Arcs, all_arcs, build_named_arena, useful_arcs
from manhunt.games.shortest_path.solvers.upper_plan import TravelPlan, best_path, committed_value, proved_plan
from manhunt.games.shortest_path.solvers.upper_proof import CHECK_SECONDS, MOST_STEPS, Prover, tolerance
from manhunt.games.shortest_path.solvers.upper_search import Search, only_path, path_in, settle
from manhunt.solvers.memory import TooLarge

N_PATHS = 24
MOST_HOPS = 60
"""From further away no search comes to an end; the best of some paths must do."""


def upper_value(
    state: ShortestPathState,
    arcs: Arcs,
    seconds: float = CHECK_SECONDS,
    most_steps: int = MOST_STEPS,
    at_most: float = -math.inf,
) -> float:
    """What is still to be paid when both play best and the traveller uses these arcs only and no node twice.

    Once it is known to be `at_most` or less, the bound found is good enough. TooLarge when time or steps run out.
    """
    if state.quarry == state.config.target:
        return 0.0
    useful = useful_arcs(checked_arcs(state, arcs), state.quarry, state.config.target)
    if not useful:
        return math.inf
    path = only_path(state, useful)
    if path is not None:
        return committed_value(state, path)
    prover = Prover(build_named_arena(state, useful))
    plan = settle(prover, state, path_in(state, useful), thinking_time.now() + seconds, most_steps, at_most)
    if plan is None:
        raise TooLarge(f"the value on {len(useful)} arcs is not found in {seconds:g} s; give more time or fewer arcs")
    return plan.value


def holds(state: ShortestPathState, certificate: UpperCertificate, seconds: float = CHECK_SECONDS) -> bool:
    """Whether the certificate's value is enough on its arcs; quicker than the exact value."""
    allowed = certificate.value + tolerance(certificate.value)
    return upper_value(state, certificate.arcs, seconds, at_most=allowed) <= allowed


def checked_arcs(state: ShortestPathState, arcs: Arcs) -> list[tuple[Node, Node]]:
    index, board = edge_index(state.config.board), state.config.board
    for arc in arcs:
        if arc not in index:
            raise ManhuntError(f"{arc} is not an arc of board {board.name}; give pairs of nodes that an edge joins")
    return list(arcs)


def find_upper(state: ShortestPathState, seconds: float, lower: float = 0.0) -> UpperCertificate:
    """The best certificate found in the time; looking ends when its value is `lower` or less."""
    plan = find_plan(state, seconds, lower)
    assert plan is not None  # nothing was asked for below infinity but a plan
    return UpperCertificate(plan.value, plan.arcs)


def find_plan(
    state: ShortestPathState,
    seconds: float,
    lower: float = 0.0,
    most_steps: int | None = None,
    banned: frozenset[Node] = frozenset(),
    below: float = math.inf,
) -> TravelPlan | None:
    """The best plan found in the time, or in so many steps, that visits no banned node and costs less than `below`."""
    deadline = thinking_time.now() + seconds
    if state.quarry == state.config.target:
        return TravelPlan(state, 0.0, ())
    search = Search(state, deadline, lower, most_steps, banned, below)
    search.take_path(*best_path(state, 0))
    if not search.is_over():
        search.take_path(*best_path(state, N_PATHS))
        if (hops_to(state.config.board, state.config.target)[state.quarry] or 0) <= MOST_HOPS:
            search.run()
    return search.plan


@cache
def warm_up() -> None:
    """Have the kernels compiled, or read from where they are kept, before a clock runs."""
    board = build_board("warm-up", [(a, b, None) for a, b in ("ab", "bd", "ac", "cd", "bc", "de", "df", "eg", "fg")])
    state = rules.start(ShortestPathConfig(board, board.node("a"), board.node("g")))
    best_path(state, 0)
    prover = Prover(build_named_arena(state, useful_arcs(all_arcs(state), state.quarry, state.config.target)))
    prover.ask(prover.floor, math.inf, MOST_STEPS)
    prover.ask(MOST_COST, math.inf, MOST_STEPS)
    proved_plan(state, prover).step([state.quarry], state)
