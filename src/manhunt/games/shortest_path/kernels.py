"""The compiled twin of `rules.py` and `costs.py`: same actions, order, states, ends and ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.shortest_path.packed import (
    ARRIVED,
    OUT_OF_MOVES,
    PLY,
    QUARRY,
    RUNNING,
    PackedGame,
    PackedState,
    Scratch,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Costs = NDArray[np.float64]


@kernel
def outcome(game: PackedGame, state: PackedState) -> int:
    """RUNNING, ARRIVED, or OUT_OF_MOVES for the side that is to move."""
    if state.place[QUARRY] == game.target:
        return ARRIVED
    # Of the moves made so far, both sides' turns count the same way: ply // 2 of whoever is to move.
    return OUT_OF_MOVES if state.place[PLY] // 2 >= game.move_limit else RUNNING


@kernel
def legal(game: PackedGame, state: PackedState, out: Numbers) -> int:
    """Write the codes of all legal actions to `out`; return how many. None when the game is over."""
    if outcome(game, state) != RUNNING:
        return 0
    n = 0
    if state.place[PLY] % 2 == 0:
        here = state.place[QUARRY]
        for slot in range(game.indptr[here], game.indptr[here + 1]):
            out[n] = game.to[slot]
            n += 1
    else:
        for edge in range(game.n_edges):
            out[n] = game.n_nodes + edge
            n += 1
    out[n] = game.n_nodes + game.n_edges
    return n + 1


@kernel
def edge_between(game: PackedGame, a: int, b: int) -> int:
    """The edge that joins two nodes, -1 if none does."""
    for slot in range(game.indptr[a], game.indptr[a + 1]):
        if game.to[slot] == b:
            return int(game.edge[slot])
    return -1


@kernel
def raised(game: PackedGame, costs: Costs, edge: int) -> float:
    """What an edge will cost after one more raise."""
    return float(min(costs[edge] * game.factors[edge], game.most_cost))


@kernel
def apply(game: PackedGame, state: PackedState, code: int, out: PackedState) -> None:
    """The state after a legal action, into `out`; never checks."""
    out.place[:] = state.place
    out.raises[:] = state.raises
    out.costs[:] = state.costs
    out.paid[:] = state.paid
    out.place[PLY] += 1
    if code < game.n_nodes:
        edge = edge_between(game, state.place[QUARRY], code)
        out.paid[0] = min(state.paid[0] + state.costs[edge], game.most_cost)
        out.place[QUARRY] = code
    elif code < game.n_nodes + game.n_edges:
        edge = code - game.n_nodes
        out.raises[edge] += 1
        out.costs[edge] = raised(game, state.costs, edge)


@kernel
def distances(game: PackedGame, costs: Costs, root: int, out: Costs, after: Numbers, scratch: Scratch) -> None:
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
def _sift_down(keys: Costs, nodes: Numbers, size: int) -> None:
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
def _sift_up(keys: Costs, nodes: Numbers, hole: int, key: float, node: int) -> None:
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
def way(after: Numbers, start: int, out: Numbers) -> int:
    """Write the nodes from `start` to the root of `after`; return how many."""
    here = start
    n = 0
    while here >= 0:
        out[n] = here
        n += 1
        here = after[here]
    return n
