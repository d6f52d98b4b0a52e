"""The adversary who never gets less than what he has certified."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.arrays import Int64s
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.routes import Routes
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import LowerCertificate
from manhunt.games.shortest_path.solvers.lower import LowerBudget, Memory, RaiseOption, find_memory, options, starts_at
from manhunt.search.bank import BankKeeper

FIRST_SHARE, NEXT_SHARE, MOVE_SHARE = 0.25, 0.12, 0.5
"""Of the time left: for the first move, for each later one; and of a time that is given anew for every move."""
HASTY_SECONDS = 0.001
"""Kept for every move that may still come: more than a hasty one takes."""
STALE_SECONDS = 0.0005
"""With less for each of them even the cheapest ways are not worked out anew."""
NOWHERE = -1
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
    """Raises the edges that keep its certified lower bound, and looks for a better bound before every raise.

    A bank of time may have to last for hundreds of moves. The agent measures how long a raise takes; if the bank is too
    low for more of these, it immediately raises an edge of the cheapest path, and keeps its certificate as long as the
    traveller does not exploit it.
    """

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)
        self.pledge: Pledge | None = None
        self.certificate: LowerCertificate | None = None
        self.first_bound = 0.0
        self.sure = 0.0
        self._quarry, self._limit = int(view.quarry), 0.0
        # Compiled code is loaded here, before anybody's clock runs; the second time shows what such work takes.
        for _ in range(2):
            began = thinking_time.now()
            warm = Memory(ShortestPathState(view.config, view.quarry, view.raises, ply=1), (), 0, np.inf)
            warm.solve(LowerBudget())
            options(warm, np.zeros(0, dtype=np.int64), int(view.quarry))
            usual = thinking_time.now() - began
        self._keeper = BankKeeper(usual, HASTY_SECONDS)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        state: ShortestPathState = view.state  # type: ignore[attr-defined]
        budget = self._budget(state, limit)
        if self._keeper.in_haste:
            return self._hasty(state, limit)
        self.routes.follow(state.raises)
        advice = self._raise(state, budget)
        self._keeper.done()
        return advice

    def _raise(self, state: ShortestPathState, budget: LowerBudget) -> Advice:
        found = self._best_pledge(state, budget)
        kept, self._quarry = self.pledge, int(state.quarry)
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
        seconds, tallies = limit.seconds, np.inf if limit.iterations is None else limit.iterations
        clock = limit.clock
        is_unknown = clock.bank_seconds is None and clock.cap_seconds is None
        if seconds is not None and is_unknown and (self.pledge is None or seconds < before):
            limit = replace(limit, clock=replace(clock, bank_seconds=seconds))
        share = FIRST_SHARE if self.pledge is None else NEXT_SHARE
        paced = self._keeper.pace(limit, _moves_left(state), share)
        if paced.seconds is None:
            return LowerBudget(UNLIMITED_SECONDS) if limit.iterations is None else LowerBudget(tallies=tallies)
        given = paced.seconds if limit.clock.bank_seconds is not None else MOVE_SHARE * paced.seconds
        return LowerBudget(min(given, ENOUGH_SECONDS), tallies)

    def _hasty(self, state: ShortestPathState, limit: Limit) -> Advice:
        """Make the last edge of his cheapest way dearer, or the next one of an older such way.

        Raises that the pledge does not know of do not break it: they only make ways dearer.
        """
        if self.pledge is not None:
            self.pledge, self._quarry = replace(self.pledge, arc=-1, ahead=-1), NOWHERE
        if (limit.seconds or 0.0) < STALE_SECONDS * _moves_left(state):
            after = Node(int(self.routes.after[state.quarry]))
            return Advice(OnEdge(state.quarry, after), counters={"lower": self.sure})
        self.routes.follow(state.raises)
        way = self.routes.way(state.quarry)
        return Advice(OnEdge(way[-2], way[-1]), counters={"lower": self.sure})

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


def _moves_left(state: ShortestPathState) -> int:
    return int(state.config.move_limit - state.ply // 2)


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
