"""What a traveller pays at most who walks one path, whatever happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from manhunt.games.shortest_path import kernels
from manhunt.games.shortest_path.costs import MOST_COST, edge_index, factors, raised_cost
from manhunt.games.shortest_path.packed import new_scratch, pack_costs, pack_game
from manhunt.games.shortest_path.rules import whose_turn
from manhunt.games.shortest_path.state import State
from manhunt.ids import Node, Seat

SPREAD = 1.5
"""Random paths are shortest by costs that are up to so much dearer."""


def committed_value(state: State, path: Sequence[Node]) -> float:
    """The most that the rest of the game can cost along the path.

    Raises can wait: what counts is how many of those made so far are on the edge that is walked now. The sum of
    c * f^x is convex in the numbers of raises, so the dearest way to spread them puts all that are left on one edge
    or none.
    """
    index, every = edge_index(state.config.board), factors(state.config)
    edges = [index[a, b] for a, b in zip(path, path[1:], strict=False)]
    first = 1 if whose_turn(state) is Seat.PURSUERS else 0
    rest = np.zeros(len(edges) + 2)  # by the raises that are left, for the edges behind
    with np.errstate(over="ignore"):
        for i in range(len(edges) - 1, -1, -1):
            cost, factor = raised_cost(every[edges[i]], state.raises[edges[i]]), every[edges[i]]
            all_here = np.minimum(cost * factor ** np.arange(i + first + 1), MOST_COST) + rest[1]
            none_here = cost + rest[1 : i + first + 2]
            rest = np.append(np.maximum(all_here, none_here), 0.0)
    return float(min(rest[first], MOST_COST))


def candidate_paths(state: State, n_random: int) -> Iterator[tuple[Node, ...]]:
    """The shortest path by present costs, then some by costs that chance has made dearer; always the same ones."""
    game = pack_game(state.config)
    costs = pack_costs(state.config, state.raises)
    distance, after = np.empty(game.n_nodes), np.empty(game.n_nodes, dtype=np.int64)
    nodes, scratch, rng = np.empty(game.n_nodes + 1, dtype=np.int64), new_scratch(game), np.random.default_rng(1)
    for i in range(n_random + 1):
        stretch = 1.0 + (SPREAD * rng.random(game.n_edges) if i else np.zeros(game.n_edges))
        kernels.distances(game, costs * stretch, game.target, distance, after, scratch)
        n = kernels.way(after, state.quarry, nodes)
        yield tuple(Node(int(node)) for node in nodes[:n])


def best_path(state: State, n_random: int) -> tuple[float, tuple[Node, ...]]:
    """The path with the smallest certain cost among some, and that cost."""
    paths = dict.fromkeys(candidate_paths(state, n_random))
    return min(((committed_value(state, path), path) for path in paths), key=lambda valued: valued[0])
