"""The traveller who never changes his plan."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.games.base import View
from manhunt.games.shortest_path.actions import OnEdge
from manhunt.games.shortest_path.routes import Routes
from manhunt.ids import Node, Seat


class CommittedAgent(Agent):
    """The path that was shortest at the start, whatever is raised on it."""

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)
        self._plan(view.quarry)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        if seen.quarry not in self.plan:
            self._plan(seen.quarry)
        rest = self.plan[self.plan.index(seen.quarry) :]
        line = tuple(OnEdge(a, b) for a, b in zip(rest, rest[1:], strict=False))
        return Advice(line[0], line=line)

    def _plan(self, start: Node) -> None:
        self.plan = self.routes.way(start)
