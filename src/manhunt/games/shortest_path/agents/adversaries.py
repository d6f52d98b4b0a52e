"""Simple adversaries: one waits at the door, one stands in the way, one looks one raise ahead."""

from random import Random
from typing import Any, ClassVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.routes import Routes
from manhunt.search.bank import BankKeeper


class LastEdgeAgent(Agent):
    """Raises the last edge of the traveller's cheapest path."""

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)
        self._keeper = BankKeeper()

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        self._keeper.pace(limit, seen.config.move_limit - seen.state.ply // 2, share=0.0)
        self.routes.follow(seen.raises)
        way = self.routes.edges_of(self.routes.way(seen.quarry))
        edge, counters = (way[-1], {}) if self._keeper.in_haste else self.choose(way, seen)
        self._keeper.done()
        ends = seen.config.board.edges[edge]
        return Advice(OnEdge(ends.a, ends.b), counters=counters)

    def choose(self, way: tuple[int, ...], view: Any) -> tuple[int, dict[str, float]]:
        """Which edge of the traveller's cheapest path is raised, and counters for the advice."""
        return way[-1], {}


class NextEdgeAgent(LastEdgeAgent):
    """Raises the next edge of the traveller's cheapest path."""

    def choose(self, way: tuple[int, ...], view: Any) -> tuple[int, dict[str, float]]:
        return way[0], {}


class GreedyAdversary(LastEdgeAgent):
    """The raise that makes the traveller's cheapest path most expensive; on ties the most expensive edge, then the last
    one.

    Only edges of the present cheapest path matter: any other raise leaves that path as it is.
    """

    def choose(self, way: tuple[int, ...], view: Any) -> tuple[int, dict[str, float]]:
        routes = self.routes
        worth = [(routes.distance_after(edge, view.quarry), routes.raised_cost(edge), i) for i, edge in enumerate(way)]
        return way[max(worth)[2]], {"cost": max(worth)[0], "tried": float(len(way))}
