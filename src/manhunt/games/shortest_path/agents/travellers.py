"""Simple travellers: one plans anew before every step, one never turns back, one never changes his plan."""

from random import Random
from typing import Any, ClassVar

from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.costs import edge_index, hops_to
from manhunt.games.shortest_path.rules.routes import Routes


class DijkstraAgent(Agent):
    """One step along the cheapest path at current costs, planned again every time; it may circle for ever."""

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def start(self, view: Any) -> None:
        self.routes = Routes(view.config)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        self.routes.follow(seen.raises)
        line = _steps(self.routes.way(seen.quarry))
        return Advice(line[0], line=line, counters={"cost": float(self.routes.distance[seen.quarry])})


class ForwardAgent(DijkstraAgent):
    """Always one hop nearer to the target; among those steps, the one with the cheapest path ahead at current costs."""

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        self.routes.follow(seen.raises)
        board, hops = seen.config.board, hops_to(seen.config.board, seen.config.target)
        index, nearer = edge_index(board), hops[seen.quarry] - 1
        steps = [node for node in board.neighbours(seen.quarry) if hops[node] == nearer]
        costs = {node: self.routes.costs[index[seen.quarry, node]] + self.routes.distance[node] for node in steps}
        step = OnEdge(seen.quarry, min(steps, key=costs.__getitem__))
        return Advice(step, line=(step,), counters={"cost": float(min(costs.values()))})


class CommittedAgent(DijkstraAgent):
    """Keeps to the path that was shortest at the start, whatever is raised on it."""

    def start(self, view: Any) -> None:
        super().start(view)
        self.plan = self.routes.way(view.quarry)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        if seen.quarry not in self.plan:
            self.plan = self.routes.way(seen.quarry)
        line = _steps(self.plan[self.plan.index(seen.quarry) :])
        return Advice(line[0], line=line)


def _steps(way: tuple[Node, ...]) -> tuple[OnEdge, ...]:
    return tuple(OnEdge(a, b) for a, b in zip(way, way[1:], strict=False))
