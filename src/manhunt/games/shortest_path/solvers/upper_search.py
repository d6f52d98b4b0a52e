"""The search for a traveller's plan: arenas from narrow to wide, and questions nearer and nearer to the truth."""

import math
from collections.abc import Sequence

from manhunt.core import thinking_time
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules.costs import hops_to
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.upper_arena import (
    FLOORS_A_SECOND,
    MOST_FLOOR,
    all_arcs,
    build_named_arena,
    trim_arcs,
    useful_arcs,
)
from manhunt.games.shortest_path.solvers.upper_plan import TravelPlan, committed_value, path_plan, proved_plan
from manhunt.games.shortest_path.solvers.upper_proof import NO, OPEN, YES, Prover, tolerance

MOST_EDGES, MOST_OF_ALL = 1_000, 4_000
"""Of an arena in which a plan is looked for, and of the one with every arc."""
FIRST_STEPS, MORE = 3_000, 4
"""Steps for one question in the first round over all arenas, and how many times more in each next one."""
FINE = 0.004
"""Where a question stays open, the next is asked nearer to the bound, until so small a part is between them."""
LEAN = 0.35
"""How far above the floor the next question is, as a share of the way to the bound."""
CLIMB = 1.15
"""Where the traveller could stray, no question is further above the floor, unless the nearer ones stay open."""
MANY = 10**12
SECONDS_AN_ARC = 3e-5
DOWN, ORIENTED, LEVEL, ALL = "down", "oriented", "level", "all"
"""Arenas: arcs that lead nearer to the target; also those of a layer, one way; both ways; every arc."""
SHARE = {DOWN: 2, ORIENTED: 4, LEVEL: 3, ALL: 1}
"""Of the steps, where all arenas are still open."""


class Search:
    """The best plan so far, and what each arena has been asked."""

    def __init__(
        self,
        state: ShortestPathState,
        deadline: float,
        lower: float = 0.0,
        most_steps: int | None = None,
        banned: frozenset[Node] = frozenset(),
        below: float = math.inf,
    ) -> None:
        self.state, self.deadline, self.lower, self.banned = state, deadline, lower, banned
        self.plan: TravelPlan | None = None
        self.value = below
        self.steps_left = MANY if most_steps is None else most_steps
        self.provers: dict[str, Prover] = {}
        self.low: dict[str, float] = {}
        self.whole = False
        """Whether the arena of all arcs has all that are not banned."""

    @property
    def refuted(self) -> float:
        """What was shown to be unavoidable."""
        return self.low.get(ALL, 0.0) if self.whole else 0.0

    def is_over(self) -> bool:
        if self.value <= max(self.lower, self.refuted) + tolerance(self.value):
            return True
        return self.steps_left <= 0 or thinking_time.now() >= self.deadline

    def take_path(self, value: float, path: Sequence[Node]) -> None:
        if value < self.value and self.banned.isdisjoint(path):
            self._take(path_plan(self.state, path, value))

    def _take(self, plan: TravelPlan) -> None:
        self.plan, self.value = plan, plan.value

    def run(self) -> None:
        """Ask the arena that had least of its share, with more steps each time, until all is known or time is over."""
        spent = dict.fromkeys(SHARE, 0.0)
        n_steps = dict.fromkeys(SHARE, FIRST_STEPS)
        while spent and not self.is_over():
            name = min(spent, key=lambda name: spent[name])
            left = self.steps_left
            if not self._is_ready(name) or self._improve(name, n_steps[name]):
                del spent[name]
                continue
            spent[name] += (1 + left - self.steps_left) / SHARE[name]
            n_steps[name] *= MORE

    def _is_ready(self, name: str) -> bool:
        """Build the arena if need be and time allows."""
        if name in self.provers:
            return not self.provers[name].is_full
        left = self.deadline - thinking_time.now()
        n_arcs = 2 * len(self.state.config.board.edges)
        if left < SECONDS_AN_ARC * n_arcs:
            return False
        arcs = self._arcs(name)
        if not arcs or any(len(arcs) == len(prover.arena.to) for prover in self.provers.values()):
            return False
        path = only_path(self.state, arcs)
        if path is not None:
            self.low[name] = committed_value(self.state, path)
            self.take_path(self.low[name], path)
            return False
        most_floor = int(min(MOST_FLOOR, FLOORS_A_SECOND * left))
        prover = self.provers[name] = Prover(build_named_arena(self.state, arcs, most_floor))
        self.low[name] = prover.floor
        return True

    def _arcs(self, name: str) -> list[tuple[Node, Node]]:
        config = self.state.config
        hops = [math.inf if h is None else h for h in hops_to(config.board, config.target)]
        near = config.board.neighbours
        downward = [sum(hops[to] < hops[node] for to in near(node)) for node in config.board.nodes()]

        def rank(node: Node) -> tuple[float, int, int]:
            return (hops[node], -downward[node], node)

        arcs = all_arcs(self.state)
        if name == DOWN:
            arcs = tuple((a, b) for a, b in arcs if hops[b] < hops[a])
        elif name == ORIENTED:
            arcs = tuple((a, b) for a, b in arcs if rank(b) < rank(a))
        elif name == LEVEL:
            arcs = tuple((a, b) for a, b in arcs if hops[b] <= hops[a])
        useful = useful_arcs(arcs, self.state.quarry, config.target, self.banned)
        most = MOST_OF_ALL if name == ALL else MOST_EDGES
        trimmed = trim_arcs(useful, self.state.quarry, config.target, hops, most)
        if name == ALL:
            self.whole = len(trimmed) == len(useful)
        return trimmed

    def _improve(self, name: str, n_steps: int) -> bool:
        """Ask one arena for better plans; True when there are none."""
        prover, stuck, first = self.provers[name], 0.0, n_steps == FIRST_STEPS
        while not self.is_over():
            low, high = max(self.low[name], self.lower), self.value
            if high - low <= tolerance(high):
                return self.low[name] >= high - tolerance(high)
            if high - max(low, stuck) <= FINE * high and stuck > 0.0:
                return False
            budget = low if first else between(max(low, stuck), high)
            if name in (LEVEL, ALL) and stuck <= low:
                budget = min(budget, CLIMB * low)
            first = False
            answer = self._ask(prover, budget, n_steps)
            if answer == YES:
                self._take(proved_plan(self.state, prover))
            elif answer == NO:
                self.low[name] = max(self.low[name], prover.bound)
            else:
                stuck = max(stuck, budget)
        return False

    def _ask(self, prover: Prover, budget: float, n_steps: int) -> int:
        before = prover.n_steps
        answer = prover.ask(budget, self.deadline, int(min(n_steps, self.steps_left)))
        self.steps_left -= max(1, prover.n_steps - before)
        return answer


def settle(
    prover: Prover,
    state: ShortestPathState,
    plan: TravelPlan,
    deadline: float,
    most_steps: int,
    at_most: float = -math.inf,
) -> TravelPlan | None:
    """The plan of least cost on the prover's arena, from any plan there; None when time or steps run out."""
    low = prover.floor
    until = prover.n_steps + most_steps
    budget = max(low, at_most)
    while plan.value - low > tolerance(plan.value) and plan.value > at_most:
        answer = prover.ask(min(budget, plan.value), deadline, until - prover.n_steps)
        if answer == OPEN:
            return None
        if answer == YES:
            plan = proved_plan(state, prover)
        else:
            low = max(low, prover.bound)
        budget = max(min(between(low, plan.value), CLIMB * low), at_most)
    return plan


def between(low: float, high: float) -> float:
    """The next question: above `low`, below `high` by more than rounding where there is room."""
    if low <= 0.0 or high > 4 * low:
        return low + LEAN * (high - low) if low <= 0.0 else low * (high / low) ** LEAN
    step = LEAN * (high - low)
    return low + step if step > 4 * tolerance(high) else low


def path_in(state: ShortestPathState, useful: Sequence[tuple[Node, Node]]) -> TravelPlan:
    """The path with fewest arcs."""
    near: dict[Node, list[Node]] = {}
    for a, b in useful:
        near.setdefault(a, []).append(b)
    came: dict[Node, Node] = {state.quarry: state.quarry}
    layer = [state.quarry]
    while state.config.target not in came:
        layer = [b for a in layer for b in near.get(a, ()) if b not in came and came.setdefault(b, a) == a]
    path = [state.config.target]
    while path[-1] != state.quarry:
        path.append(came[path[-1]])
    path.reverse()
    return path_plan(state, path, committed_value(state, path))


def only_path(state: ShortestPathState, useful: Sequence[tuple[Node, Node]]) -> list[Node] | None:
    """The nodes from the traveller to the target where the arcs leave no choice."""
    after = dict(useful)
    if len(after) < len(useful):
        return None
    path = [state.quarry]
    while path[-1] != state.config.target:
        path.append(after[path[-1]])
    return path
