"""Lower bounds from refutations: an adversary who raises only some edges, as often as he likes.

Where the search of `upper_proof_kernels` on the whole board refutes a budget, the edges raised anywhere in it are
enough to refute it: an adversary confined to them forces as much. There may be many of them, too many for the tables
of `lower.py`; the search itself checks such a certificate.
"""

import math
from collections.abc import Collection, Sequence

from manhunt.core import thinking_time
from manhunt.core.errors import ManhuntError
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import LowerCertificate
from manhunt.games.shortest_path.solvers.upper_arena import all_arcs, build_named_arena, useful_arcs
from manhunt.games.shortest_path.solvers.upper_plan import TravelPlan
from manhunt.games.shortest_path.solvers.upper_proof import CHECK_SECONDS, MOST_STEPS, NO, OPEN, Prover, tolerance
from manhunt.games.shortest_path.solvers.upper_search import between, path_in, settle
from manhunt.solvers.memory import TooLarge

MOST_EDGES = 4_000
"""Larger boards are left to other searches."""
ROUNDS = 3
"""How often a certificate is searched again with its own edges alone, to need fewer of them."""


def confined_value(
    state: ShortestPathState, edges: Sequence[int], seconds: float = CHECK_SECONDS, most_steps: int = MOST_STEPS
) -> float:
    """What is still to be paid when both play best and the adversary raises only these edges or passes."""
    if state.quarry == state.config.target:
        return 0.0
    plan = _settled(_prover(state, _checked(state, edges)), state, seconds, most_steps)
    if plan is None:
        raise TooLarge(f"the value against {len(edges)} edges is not found in {seconds:g} s; give more time")
    return plan.value


def confined_bound(state: ShortestPathState, edges: Sequence[int], seconds: float) -> float:
    """The same value where the time suffices, else a lower bound on it that needs no search."""
    if state.quarry == state.config.target:
        return 0.0
    prover = _prover(state, _checked(state, edges))
    plan = _settled(prover, state, seconds, MOST_STEPS)
    return prover.floor if plan is None else plan.value


def confined_holds(state: ShortestPathState, certificate: LowerCertificate, seconds: float = CHECK_SECONDS) -> bool:
    """Whether an adversary on the certificate's edges forces its value; quicker than the exact value."""
    value = certificate.value - 2 * tolerance(certificate.value)
    if state.quarry == state.config.target or value <= 0.0:
        return value <= 0.0
    prover = _prover(state, _checked(state, certificate.edges))
    answer = NO if prover.floor > value else prover.ask(value, thinking_time.now() + seconds, MOST_STEPS)
    if answer == OPEN:
        raise TooLarge(f"{len(certificate.edges)} edges cannot be checked in {seconds:g} s; give more time")
    return answer == NO


def find_confined(state: ShortestPathState, seconds: float, upper: float = math.inf) -> LowerCertificate:
    """The best such bound found in the time; looking ends when it is `upper`, the best that anybody can hope for."""
    deadline = thinking_time.now() + seconds
    if state.quarry == state.config.target or len(state.config.board.edges) > MOST_EDGES:
        return LowerCertificate(0.0, (), None)
    prover = _prover(state, None)
    best = _certificate(prover, prover.floor)
    high = upper if math.isfinite(upper) else 2 * prover.floor
    low = _refute(prover, prover.floor, high, deadline)
    if low > best.value:
        best = _certificate(prover, low)
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
        elif thinking_time.now() >= deadline:
            break
        else:
            tried = max(budget, low)
        budget = between(low, tried)
    return min(low, high) if math.isfinite(low) else high


def _half(deadline: float) -> float:
    now = thinking_time.now()
    return now + (deadline - now) / 2


def _fewer(state: ShortestPathState, certificate: LowerCertificate, deadline: float) -> LowerCertificate | None:
    """The same bound by those of its edges that a new search needs."""
    prover = _prover(state, certificate.edges)
    if prover.ask(certificate.value - 2 * tolerance(certificate.value), deadline, MOST_STEPS) != NO:
        return None
    return _certificate(prover, certificate.value)


def _certificate(prover: Prover, value: float) -> LowerCertificate:
    return LowerCertificate(value, prover.refuting_edges(), None)


def _settled(prover: Prover, state: ShortestPathState, seconds: float, most_steps: int) -> TravelPlan | None:
    useful = useful_arcs(all_arcs(state), state.quarry, state.config.target)
    return settle(prover, state, path_in(state, useful), thinking_time.now() + seconds, most_steps)


def _prover(state: ShortestPathState, edges: Collection[int] | None) -> Prover:
    useful = useful_arcs(all_arcs(state), state.quarry, state.config.target)
    return Prover(build_named_arena(state, useful, raisable=edges))


def _checked(state: ShortestPathState, edges: Sequence[int]) -> Sequence[int]:
    n = len(state.config.board.edges)
    for edge in edges:
        if not 0 <= edge < n:
            raise ManhuntError(f"{edge} is not an edge of board {state.config.board.name}; edges are 0 to {n - 1}")
    return edges
