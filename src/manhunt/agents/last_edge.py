"""The adversary who waits at the door."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.games.base import View
from manhunt.games.shortest_path.actions import OnEdge
from manhunt.games.shortest_path.routes import Routes
from manhunt.ids import Seat


class LastEdgeAgent(Agent):
    """Raises the last edge of the traveller's cheapest way."""

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        self.routes.follow(seen.raises)
        edge = seen.config.board.edges[self.routes.edges_of(self.routes.way(seen.quarry))[-1]]
        return Advice(OnEdge(edge.a, edge.b))
