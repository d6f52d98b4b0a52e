"""Certified upper bounds: what a traveller pays at most who keeps to some arcs, and arcs that are good for it."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import cache

from manhunt.boards.build import build_board
from manhunt.errors import ManhuntError
from manhunt.games.shortest_path import rules
from manhunt.games.shortest_path.config import Config
from manhunt.games.shortest_path.costs import MOST_COST, edge_index, hops_to
from manhunt.games.shortest_path.state import State
from manhunt.ids import Node
from manhunt.solvers.memory import TooLarge
from manhunt.solvers.shortest_path.certificate import UpperCertificate
from manhunt.solvers.shortest_path.upper_arena import all_arcs, build_ground, useful_arcs
from manhunt.solvers.shortest_path.upper_paths import best_path, committed_value
from manhunt.solvers.shortest_path.upper_plan import Plan, proved_plan
from manhunt.solvers.shortest_path.upper_proof import Prover, tolerance
from manhunt.solvers.shortest_path.upper_search import Search, only_path, path_in, settle

Arcs = Sequence[tuple[Node, Node]]
MOST_STEPS = 20_000_000
CHECK_SECONDS = 60.0
N_PATHS = 24
MOST_HOPS = 60
"""From further away no search comes to an end; the best of some paths must do."""


def upper_value(
    state: State, arcs: Arcs, seconds: float = CHECK_SECONDS, most_steps: int = MOST_STEPS, at_most: float = -math.inf
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
    prover = Prover(build_ground(state, useful))
    plan = settle(prover, state, path_in(state, useful), time.perf_counter() + seconds, most_steps, at_most)
    if plan is None:
        raise TooLarge(f"the value on {len(useful)} arcs is not found in {seconds:g} s; give more time or fewer arcs")
    return plan.value


def holds(state: State, certificate: UpperCertificate, seconds: float = CHECK_SECONDS) -> bool:
    """Whether the certificate's value is enough on its arcs; quicker than the exact value."""
    allowed = certificate.value + tolerance(certificate.value)
    return upper_value(state, certificate.arcs, seconds, at_most=allowed) <= allowed


def checked_arcs(state: State, arcs: Arcs) -> list[tuple[Node, Node]]:
    index, board = edge_index(state.config.board), state.config.board
    for arc in arcs:
        if arc not in index:
            raise ManhuntError(f"{arc} is no arc of board {board.name}; give pairs of nodes that an edge joins")
    return list(arcs)


def find_upper(state: State, seconds: float, lower: float = 0.0) -> UpperCertificate:
    """The best certificate found in the time; looking ends when its value is `lower` or less."""
    plan = find_plan(state, seconds, lower)
    assert plan is not None  # nothing was asked for below infinity but a plan
    return UpperCertificate(plan.value, plan.arcs)


def find_plan(
    state: State,
    seconds: float,
    lower: float = 0.0,
    most_steps: int | None = None,
    banned: frozenset[Node] = frozenset(),
    below: float = math.inf,
) -> Plan | None:
    """The best plan found in the time, or in so many steps, that visits no banned node and costs less than `below`."""
    deadline = time.perf_counter() + seconds
    if state.quarry == state.config.target:
        return Plan(state, 0.0, ())
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
    state = rules.start(Config(board, board.node("a"), board.node("g")))
    best_path(state, 0)
    prover = Prover(build_ground(state, useful_arcs(all_arcs(state), state.quarry, state.config.target)))
    prover.ask(prover.floor, math.inf, MOST_STEPS)
    prover.ask(MOST_COST, math.inf, MOST_STEPS)
    proved_plan(state, prover).step([state.quarry], state)
