"""The traveller who knows what he will pay at most."""

import math
from random import Random
from typing import Any, ClassVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.costs import hops_to
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import UpperCertificate
from manhunt.games.shortest_path.solvers.upper import find_plan, warm_up
from manhunt.games.shortest_path.solvers.upper_plan import PlanStep, TravelPlan, path_plan
from manhunt.games.shortest_path.solvers.upper_proof import tolerance

FIRST_SHARE, LATER_SHARE = 0.75, 0.1
"""Parts of the time left that the first decision and each later one may take, where it must last for the game."""
SMALL_SHARE, KEPT_SECONDS = 0.2, 1.5
"""The first plan is worth most of the time, but so many seconds are kept, unless that leaves it less than this part."""
MOVE_SHARE = 0.5
"""The part of a move's time, where every move has its own."""
STEPS_AN_ITERATION = 100
UNLIMITED_STEPS = 100_000
LEAST_SECONDS = 0.02
"""With less the plan is followed without looking for a better one."""
RESERVE_SECONDS = 0.02
"""Kept for every step that is still to be taken."""


class NavigatorAgent(Agent):
    """Follows a plan with a certified bound on the total cost, and takes a better plan when it finds one.

    The bound holds against every adversary. A new plan is taken only if its bound plus what was paid is lower than
    before; no node is visited twice.
    """

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def __init__(self, seconds: float = 20.0, steps: int = 0) -> None:
        if not seconds > 0:
            raise BadAgent(f"navigator: {seconds} seconds leave no time for a plan; give more than 0")
        if steps < 0:
            raise BadAgent(f"navigator: steps must be 0 (as many as there is time for) or more, not {steps}")
        self.steps = steps
        """The most steps of search for one plan; 0 is no limit."""
        self.seconds = seconds
        """The most that the first decision may take; a later one may take half of it."""
        self._forget()

    def _forget(self) -> None:
        self.plan: TravelPlan | None = None
        self.certificate: UpperCertificate | None = None
        self.first_bound: float | None = None
        """The total that will not be exceeded, known since the first decision."""
        self.way: list[Node] = []
        self._n_before = 0
        """How many nodes of the way were walked before the plan's first."""

    def start(self, view: Any) -> None:
        """Also compiles the kernels, before a clock runs."""
        warm_up()
        self._forget()

    def stop(self) -> None:
        self.plan = None

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        state: ShortestPathState = seen.state
        if not self.way or self.way[-1] != state.quarry:
            self.way.append(state.quarry)
        step = self._planned(state)
        better = self._better_plan(state, step, limit)
        if better is not None:
            self.plan, self._n_before = better, len(self.way) - 1
            step = self._planned(state)
        assert step is not None, "a plan has a step from its root on"
        if step.path is not None:
            self.plan, self._n_before = path_plan(state, step.path, step.bound), len(self.way) - 1
        bound = state.total + step.bound
        if self.first_bound is None:
            assert better is not None
            self.first_bound, self.certificate = bound, UpperCertificate(better.value, better.arcs)
        move = OnEdge(state.quarry, step.to)
        return Advice(move, line=(move,), counters={"upper": bound})

    def _planned(self, state: ShortestPathState) -> PlanStep | None:
        return None if self.plan is None else self.plan.step(self.way[self._n_before :], state)

    def _better_plan(self, state: ShortestPathState, step: PlanStep | None, limit: Limit) -> TravelPlan | None:
        """A plan from here that costs less than the present one, if there is time to look for it."""
        seconds, most_steps = self._budget(state, limit, is_first=step is None)
        if self.steps:
            most_steps = self.steps if most_steps is None else min(self.steps, most_steps)
        if step is None:
            fresh = find_plan(state, seconds, most_steps=most_steps, banned=frozenset(self.way[:-1]))
            return fresh or find_plan(state, 0.0)
        if seconds < LEAST_SECONDS:
            return None
        below = step.bound - tolerance(step.bound)
        return find_plan(state, seconds, most_steps=most_steps, banned=frozenset(self.way[:-1]), below=below)

    def _budget(self, state: ShortestPathState, limit: Limit, is_first: bool) -> tuple[float, int | None]:
        """Seconds and steps: a share of what is left, a small one unless the clock is known to give more each move."""
        steps = None if limit.iterations is None else limit.iterations * STEPS_AN_ITERATION
        if limit.seconds is None:
            return math.inf, UNLIMITED_STEPS if steps is None else steps
        most = self.seconds if is_first else self.seconds / 2
        if limit.clock.bank_seconds is None and limit.clock.cap_seconds is not None:
            return min(MOVE_SHARE * limit.seconds, most), steps
        hops = hops_to(state.config.board, state.config.target)[state.quarry] or 0
        free = max(0.0, limit.seconds - RESERVE_SECONDS * hops)
        first = max(SMALL_SHARE * free, min(FIRST_SHARE * free, free - KEPT_SECONDS))
        return min(first if is_first else LATER_SHARE * free, most), steps
