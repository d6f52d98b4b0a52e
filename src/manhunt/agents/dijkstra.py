"""The traveller who plans anew before every step."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.games.base import View
from manhunt.games.shortest_path.actions import OnEdge
from manhunt.games.shortest_path.routes import Routes
from manhunt.ids import Seat


class DijkstraAgent(Agent):
    """One step along the cheapest way by present costs, planned anew every time; it may circle for ever."""

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        self.routes.follow(seen.raises)
        way = self.routes.way(seen.quarry)
        line = tuple(OnEdge(a, b) for a, b in zip(way, way[1:], strict=False))
        return Advice(line[0], line=line, counters={"cost": float(self.routes.distance[seen.quarry])})
