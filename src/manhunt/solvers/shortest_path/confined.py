"""Lower bounds from refutations: an adversary who raises only some edges, as often as he likes.

Where the search of `upper_proof_kernels` on the whole board refutes a budget, the edges raised anywhere in it are
enough to refute it: an adversary confined to them forces as much. There may be many of them, so that no table over
their raises can be filled; the search itself checks such a certificate.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence

from manhunt.errors import ManhuntError
from manhunt.games.shortest_path.state import State
from manhunt.solvers.memory import TooLarge
from manhunt.solvers.shortest_path.certificate import LowerCertificate
from manhunt.solvers.shortest_path.upper_arena import all_arcs, build_ground, useful_arcs
from manhunt.solvers.shortest_path.upper_proof import NO, OPEN, Prover, tolerance
from manhunt.solvers.shortest_path.upper_search import between, path_in, settle

MOST_STEPS = 20_000_000
CHECK_SECONDS = 60.0
MOST_EDGES = 4_000
"""Larger boards are left to other searches."""
ROUNDS = 3
"""How often a certificate is searched again with its own edges alone, to need fewer of them."""


def confined_value(
    state: State, edges: Sequence[int], seconds: float = CHECK_SECONDS, most_steps: int = MOST_STEPS
) -> float:
    """What is still to be paid when both play best and the adversary raises only these edges or passes."""
    if state.quarry == state.config.target:
        return 0.0
    prover = _prover(state, _checked(state, edges))
    useful = useful_arcs(all_arcs(state), state.quarry, state.config.target)
    plan = settle(prover, state, path_in(state, useful), time.perf_counter() + seconds, most_steps)
    if plan is None:
        raise TooLarge(f"the value against {len(edges)} edges is not found in {seconds:g} s; give more time")
    return plan.value


def confined_holds(state: State, certificate: LowerCertificate, seconds: float = CHECK_SECONDS) -> bool:
    """Whether an adversary on the certificate's edges forces its value; quicker than the exact value."""
    value = certificate.value - 2 * tolerance(certificate.value)
    if state.quarry == state.config.target or value <= 0.0:
        return value <= 0.0
    prover = _prover(state, _checked(state, certificate.edges))
    answer = NO if prover.floor > value else prover.ask(value, time.perf_counter() + seconds, MOST_STEPS)
    if answer == OPEN:
        raise TooLarge(f"{len(certificate.edges)} edges cannot be checked in {seconds:g} s; give more time")
    return answer == NO


def find_confined(state: State, seconds: float, upper: float = math.inf) -> LowerCertificate:
    """The best such bound found in the time; looking ends when it is `upper`, the best that anybody can hope for."""
    deadline = time.perf_counter() + seconds
    if state.quarry == state.config.target or len(state.config.board.edges) > MOST_EDGES:
        return LowerCertificate(0.0, (), 0)
    prover = _prover(state, None)
    best = _certificate(state, prover, prover.floor)
    high = upper if math.isfinite(upper) else 2 * prover.floor
    low = _refute(prover, prover.floor, high, deadline)
    if low > best.value:
        best = _certificate(state, prover, low)
        for _ in range(ROUNDS):
            fewer = _fewer(state, best, deadline)
            if fewer is None or len(fewer.edges) == len(best.edges):
                break
            best = fewer
    return best


def _refute(prover: Prover, low: float, high: float, deadline: float) -> float:
    """The largest budget refuted, tried just below `high` first, then from below."""
    budget, tried = high - 2 * tolerance(high), high
    while low < high - 2 * tolerance(high) and tried - low > tolerance(high):
        answer = prover.ask(max(budget, low), deadline if tried < high else _half(deadline), MOST_STEPS)
        if answer == NO:
            low = max(low, prover.bound)
        elif time.perf_counter() >= deadline:
            break
        else:
            tried = max(budget, low)
        budget = between(low, tried)
    return min(low, high) if math.isfinite(low) else high


def _half(deadline: float) -> float:
    now = time.perf_counter()
    return now + (deadline - now) / 2


def _fewer(state: State, certificate: LowerCertificate, deadline: float) -> LowerCertificate | None:
    """The same bound by those of its edges that a new search needs."""
    prover = _prover(state, certificate.edges)
    if prover.ask(certificate.value - 2 * tolerance(certificate.value), deadline, MOST_STEPS) != NO:
        return None
    return _certificate(state, prover, certificate.value)


def _certificate(state: State, prover: Prover, value: float) -> LowerCertificate:
    return LowerCertificate(value, prover.refuting_edges(), state.config.board.n_nodes)


def _prover(state: State, edges: Collection[int] | None) -> Prover:
    useful = useful_arcs(all_arcs(state), state.quarry, state.config.target)
    return Prover(build_ground(state, useful, raisable=edges))


def _checked(state: State, edges: Sequence[int]) -> Sequence[int]:
    n = len(state.config.board.edges)
    for edge in edges:
        if not 0 <= edge < n:
            raise ManhuntError(f"{edge} is no edge of board {state.config.board.name}; they are numbered 0 to {n - 1}")
    return edges
