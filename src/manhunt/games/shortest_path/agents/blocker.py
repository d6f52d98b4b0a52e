"""The adversary who never gets less than what he has certified."""

from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import numpy as np

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.arrays import Int64s
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.routes import Routes
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import LowerCertificate
from manhunt.games.shortest_path.solvers.lower import LowerBudget, Memory, RaiseOption, find_memory, options, starts_at

FIRST_SHARE, NEXT_SHARE, MOVE_SHARE = 0.25, 0.12, 0.5
"""Of the time left: for the first move, for each later one; and of a time that is given anew for every move."""
RESERVE_SECONDS = 0.005
"""Kept for every move that may still come."""
UNLIMITED_SECONDS = 1.0
ENOUGH_SECONDS = 30.0
SLACK = 1e-9


@dataclass(slots=True)
class Pledge:
    """What is remembered: the tally of the watched edges, the arcs dearer for a step, and what that is worth."""

    memory: Memory
    tally: Int64s
    arc: int = -1
    """At the traveller's node, when he came there."""
    ahead: int = -1
    value: float = 0.0
    """What the traveller still pays, he being to move."""


class BlockerAgent(Agent):
    """Raises what keeps its certified lower bound, and looks for a better one before every raise."""

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)
        self.pledge: Pledge | None = None
        self.certificate: LowerCertificate | None = None
        self.first_bound = 0.0
        self.sure = 0.0
        self._quarry, self._limit = view.quarry, 0.0
        # Compiled code is loaded here, before anybody's clock runs.
        warm = Memory(ShortestPathState(view.config, view.quarry, view.raises, ply=1), (), 0, np.inf)
        warm.solve(LowerBudget())
        options(warm, np.zeros(0, dtype=np.int64), int(view.quarry))

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        state: ShortestPathState = view.state  # type: ignore[attr-defined]
        self.routes.follow(state.raises)
        found = self._best_pledge(state, self._budget(state, limit))
        kept, self._quarry = self.pledge, state.quarry
        if kept is None or found is not kept:
            raises = options(found.memory, found.tally, int(state.quarry), found.arc)
            value = max(option.value for option in raises)
            choice = self._choose([option for option in raises if option.value >= value - SLACK], state)
            self.pledge = _after(found, choice, value)
            edge = choice.edge
        else:
            value = kept.value
            edge = self._free_raise(state)
        value = max(value, float(self.routes.distance[state.quarry]))
        self.sure = max(self.sure, state.total + value)
        if self.certificate is None:
            self.certificate, self.first_bound = found.memory.certificate, state.total + value
        ends = state.config.board.edges[edge]
        watched = float(len(found.memory.edges))
        counters = {"lower": self.sure, "watched": watched, "horizon": float(found.memory.horizon)}
        return Advice(OnEdge(ends.a, ends.b), counters=counters)

    def stop(self) -> None:
        self.pledge = None

    def _budget(self, state: ShortestPathState, limit: Limit) -> LowerBudget:
        """A share of the clock; a clock that has not gone down since the last move is one for each move."""
        before, self._limit = self._limit, limit.seconds or 0.0
        if limit.seconds is None:
            return LowerBudget(UNLIMITED_SECONDS) if limit.iterations is None else LowerBudget(tallies=limit.iterations)
        if self.pledge is None:
            share = FIRST_SHARE * limit.seconds
        elif limit.seconds >= before:
            share = MOVE_SHARE * limit.seconds
        else:
            moves = state.config.move_limit - state.ply // 2
            share = NEXT_SHARE * (limit.seconds - RESERVE_SECONDS * moves)
        return LowerBudget(min(share, ENOUGH_SECONDS), np.inf if limit.iterations is None else limit.iterations)

    def _best_pledge(self, state: ShortestPathState, budget: LowerBudget) -> Pledge:
        """Where the adversary is to move: the best of what is kept and what is found anew.

        The pledge itself comes back if the traveller has passed and nothing is better than leaving it as it is.
        """
        old = self.pledge
        if old is not None and state.quarry == self._quarry:
            best, value = old, old.value
        elif old is not None:
            best = _arrived(old, int(state.quarry))
            value = _worth(best, int(state.quarry))
        else:
            best, value = None, -1.0
        if best is None or not budget.spent:
            memory = find_memory(state, budget)
            if best is None or memory.value > value + SLACK:
                best = Pledge(memory, np.zeros(len(memory.edges), dtype=np.int64))
        return best

    def _choose(self, equal: list[RaiseOption], state: ShortestPathState) -> RaiseOption:
        """Of equally good raises the one after which the cheapest way costs most, then the dearest edge."""
        if len(equal) == 1:
            return equal[0]
        routes = self.routes

        def gain(option: RaiseOption) -> tuple[float, float, int]:
            return routes.distance_after(option.edge, state.quarry), routes.raised_cost(option.edge), -option.edge

        return max(equal, key=gain)

    def _free_raise(self, state: ShortestPathState) -> int:
        """The traveller has passed and the pledge stands: whatever makes his cheapest way dearer."""
        way = self.routes.edges_of(self.routes.way(state.quarry))
        return max(way, key=lambda edge: self.routes.distance_after(edge, state.quarry))


def _arrived(pledge: Pledge, node: int) -> Pledge:
    """The traveller has moved to `node`: of the raises nearby only one ahead, if it is there, is remembered."""
    there = starts_at(pledge.memory.game, pledge.ahead, node)
    return Pledge(pledge.memory, pledge.tally, arc=pledge.ahead if there else -1)


def _worth(pledge: Pledge, node: int) -> float:
    reply = pledge.memory.replies(pledge.tally)
    return float(reply[node if pledge.arc < 0 else pledge.memory.game.n_nodes + pledge.arc])


def _after(pledge: Pledge, choice: RaiseOption, value: float) -> Pledge:
    tally = pledge.tally.copy()
    if choice.watched >= 0:
        tally[choice.watched] += 1
    return Pledge(pledge.memory, tally, ahead=choice.ahead, value=value)
