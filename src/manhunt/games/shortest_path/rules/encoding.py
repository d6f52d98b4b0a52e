"""Adversarial Shortest Path for programs that learn: its actions as numbers, its views as vectors."""

import numpy as np

from manhunt.core.arrays import Float32s
from manhunt.core.encoding import Encoder, Plane, common_planes, laid_out, write_common
from manhunt.core.game import View
from manhunt.games.shortest_path.rules.actions import EmptyMove, ShortestPathAction
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import factors
from manhunt.games.shortest_path.rules.views import ShortestPathView


class ShortestPathEncoder(Encoder):
    """Numbers: edges in the board's order, the same edges the other way round, the empty move."""

    def __init__(self, config: ShortestPathConfig) -> None:
        self.config = config
        n_nodes, edges = config.board.n_nodes, config.board.edges
        self._numbers = {(edge.a, edge.b): i for i, edge in enumerate(edges)}
        self._numbers |= {(edge.b, edge.a): len(edges) + i for i, edge in enumerate(edges)}
        self.n_actions = 2 * len(edges) + 1
        self._log_factors = np.log(factors(config))
        self.planes = laid_out(
            (
                *common_planes(),
                Plane("traveller", "By node: 1 where the traveller is.", n_nodes),
                Plane("target", "By node: 1 for the target.", n_nodes),
                Plane("raises", "By edge: n / (n + 1) for its n raises.", len(edges)),
                Plane("costs", "By edge: 1 - 1 / cost.", len(edges)),
                Plane("total", "total / (total + number of nodes) for the total paid so far.", 1),
                Plane("moves", "The share of all moves that have been made.", 1),
            )
        )
        self._at = {plane.name: plane.where for plane in self.planes}

    def number_of(self, action: ShortestPathAction) -> int:
        return self.n_actions - 1 if isinstance(action, EmptyMove) else self._numbers[action.start, action.to]

    def observe(self, view: View) -> Float32s:
        assert isinstance(view, ShortestPathView)
        out, at, config = np.zeros(self.observation_size, np.float32), self._at, self.config
        raises = np.array(view.raises, np.float64)
        write_common(out, view)
        out[at["traveller"].start + view.quarry] = 1
        out[at["target"].start + config.target] = 1
        out[at["raises"]] = raises / (raises + 1)
        out[at["costs"]] = 1 - np.exp(-raises * self._log_factors)
        out[at["total"]] = view.total / (view.total + config.board.n_nodes)
        out[at["moves"]] = view.ply / (2 * config.move_limit)
        return out
