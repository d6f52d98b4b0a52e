"""The compiled twin of `rules.py` and `costs.py`: same actions, order, states, ends and ways."""

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.jit import kernel
from manhunt.games.shortest_path.rules.packed import (
    HeapScratch,
    PackedShortestPath,
)


@kernel
def raised(game: PackedShortestPath, costs: Floats, edge: int) -> float:
    """What an edge will cost after one more raise."""
    return float(min(costs[edge] * game.factors[edge], game.most_cost))


@kernel
def distances(
    game: PackedShortestPath, costs: Floats, root: int, out: Floats, after: Int64s, scratch: HeapScratch
) -> None:
    """For every node the cost of the cheapest way to `root` and the next node on it; inf and -1 without a way.

    Dijkstra with a binary heap; on ties the next node is the nearer one, then the smaller one.
    """
    keys, nodes = scratch.keys, scratch.nodes
    out[:] = np.inf
    out[root] = 0.0
    after[:] = -1
    keys[0] = 0.0
    nodes[0] = root
    size = 1
    while size > 0:
        so_far, node = keys[0], nodes[0]
        size -= 1
        _sift_down(keys, nodes, size)
        if so_far > out[node]:
            continue
        for slot in range(game.indptr[node], game.indptr[node + 1]):
            to = game.to[slot]
            cost = so_far + costs[game.edge[slot]]
            if cost < out[to]:
                out[to] = cost
                after[to] = node
                _sift_up(keys, nodes, size, cost, to)
                size += 1


@kernel
def _comes_first(key: float, node: int, other_key: float, other: int) -> bool:
    return key < other_key or (key == other_key and node < other)


@kernel
def _sift_down(keys: Floats, nodes: Int64s, size: int) -> None:
    """Put the last entry into the hole at the top, and let it sink."""
    key, node = keys[size], nodes[size]
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= size:
            break
        if child + 1 < size and _comes_first(keys[child + 1], nodes[child + 1], keys[child], nodes[child]):
            child += 1
        if not _comes_first(keys[child], nodes[child], key, node):
            break
        keys[hole] = keys[child]
        nodes[hole] = nodes[child]
        hole = child
    keys[hole] = key
    nodes[hole] = node


@kernel
def _sift_up(keys: Floats, nodes: Int64s, hole: int, key: float, node: int) -> None:
    """Put a new entry behind the others, and let it rise."""
    while hole > 0:
        parent = (hole - 1) // 2
        if not _comes_first(key, node, keys[parent], nodes[parent]):
            break
        keys[hole] = keys[parent]
        nodes[hole] = nodes[parent]
        hole = parent
    keys[hole] = key
    nodes[hole] = node


@kernel
def way(after: Int64s, start: int, out: Int64s) -> int:
    """Write the nodes from `start` to the root of `after`; return how many."""
    here = start
    n = 0
    while here >= 0:
        out[n] = here
        n += 1
        here = after[here]
    return n
