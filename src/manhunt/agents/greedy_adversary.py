"""The adversary who looks one raise ahead."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.games.base import View
from manhunt.games.shortest_path.actions import OnEdge
from manhunt.games.shortest_path.routes import Routes
from manhunt.ids import Seat


class GreedyAdversary(Agent):
    """The raise after which the traveller's cheapest way costs most; the dearest edge on ties, then the last one.

    Only edges of the present cheapest way can matter: any other raise leaves that way as it is.
    """

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        routes = self.routes
        routes.follow(seen.raises)
        way = routes.edges_of(routes.way(seen.quarry))
        worth = [(routes.distance_after(edge, seen.quarry), routes.raised_cost(edge), i) for i, edge in enumerate(way)]
        edge = seen.config.board.edges[way[max(worth)[2]]]
        return Advice(OnEdge(edge.a, edge.b), counters={"cost": max(worth)[0], "tried": float(len(way))})
