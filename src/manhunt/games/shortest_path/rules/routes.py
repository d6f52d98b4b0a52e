"""Cheapest ways at current costs, quickly: what the agents of this game stand on."""

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import kernels
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import edge_index, raised_cost
from manhunt.games.shortest_path.rules.packed import new_scratch, pack_game


class Routes:
    """Present costs and the distances to the target; `follow` takes over what was raised since."""

    def __init__(self, config: ShortestPathConfig) -> None:
        self.config = config
        self.game = pack_game(config)
        self.raises = np.zeros(self.game.n_edges, dtype=np.int64)
        self.costs = np.ones(self.game.n_edges, dtype=np.float64)
        self.distance = np.empty(self.game.n_nodes, dtype=np.float64)
        self.after = np.empty(self.game.n_nodes, dtype=np.int64)
        self._scratch = new_scratch(self.game)
        self._nodes = np.empty(self.game.n_nodes + 1, dtype=np.int64)
        self._measure(self.costs, self.distance, self.after)

    def follow(self, raises: tuple[int, ...]) -> None:
        """The costs are now those after these raises."""
        now = np.array(raises, dtype=np.int64)
        changed = np.flatnonzero(now != self.raises)
        for edge in changed:
            self.costs[edge] = raised_cost(float(self.game.factors[edge]), int(now[edge]))
        if len(changed):
            self.raises = now
            self._measure(self.costs, self.distance, self.after)

    def way(self, start: Node) -> tuple[Node, ...]:
        """The nodes of the cheapest way to the target, both ends included."""
        n = kernels.way(self.after, start, self._nodes)
        return tuple(Node(int(node)) for node in self._nodes[:n])

    def edges_of(self, way: tuple[Node, ...]) -> tuple[int, ...]:
        index = edge_index(self.config.board)
        return tuple(index[a, b] for a, b in zip(way, way[1:], strict=False))

    def raised_cost(self, edge: int) -> float:
        """What the edge would cost after one more raise."""
        return float(kernels.raised(self.game, self.costs, edge))

    def distance_after(self, edge: int, start: Node) -> float:
        """The cheapest way from `start` if this edge were raised now."""
        costs, found = self.costs.copy(), np.empty_like(self.distance)
        costs[edge] = self.raised_cost(edge)
        self._measure(costs, found, np.empty_like(self.after))
        return float(found[start])

    def _measure(self, costs: Floats, out: Floats, after: Int64s) -> None:
        kernels.distances(self.game, costs, self.game.target, out, after, self._scratch)
