"""States and actions of the game as numbers, for the kernels."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import MOST_COST, edge_index, factors, hops_to, raised_cost

UNREACHABLE = -1


class PackedShortestPath(NamedTuple):
    """A config as arrays. Edges of node v: entries indptr[v] .. indptr[v + 1] of `to` and `edge`."""

    indptr: Int64s
    to: Int64s
    edge: Int64s
    hops: Int64s
    factors: Floats
    n_nodes: int
    n_edges: int
    target: int
    move_limit: int
    most_cost: float


class HeapScratch(NamedTuple):
    """Room for one search of cheapest ways: a heap of keys and nodes."""

    keys: Floats
    nodes: Int64s


@lru_cache(maxsize=32)
def pack_game(config: ShortestPathConfig) -> PackedShortestPath:
    board, index = config.board, edge_index(config.board)
    indptr, to = board.simple_csr
    edges = [index[node, other] for node in board.nodes() for other in board.neighbours(node)]
    hops = [UNREACHABLE if h is None else h for h in hops_to(board, config.target)]
    return PackedShortestPath(
        indptr=indptr,
        to=to,
        edge=np.array(edges, dtype=np.int64),
        hops=np.array(hops, dtype=np.int64),
        factors=np.array(factors(config), dtype=np.float64),
        n_nodes=board.n_nodes,
        n_edges=len(board.edges),
        target=int(config.target),
        move_limit=config.move_limit,
        most_cost=MOST_COST,
    )


def new_scratch(game: PackedShortestPath) -> HeapScratch:
    size = len(game.to) + 2
    return HeapScratch(np.empty(size, dtype=np.float64), np.empty(size, dtype=np.int64))


def pack_costs(config: ShortestPathConfig, raises: tuple[int, ...]) -> Floats:
    """The present cost of every edge."""
    costs = np.ones(len(raises), dtype=np.float64)
    every = factors(config)
    for edge, n in enumerate(raises):
        if n:
            costs[edge] = raised_cost(every[edge], n)
    return costs
