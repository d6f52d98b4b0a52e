"""The part of a graph on which a traveller's plan is looked for, as arrays: the arcs he may use and their costs."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.arrays import Floats, Int64s, Words
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules.costs import MOST_COST, edge_index, factors, hops_to, raised_cost
from manhunt.games.shortest_path.rules.rules import whose_turn
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.upper_floor_kernels import Arena, fill_floor

Arcs = Sequence[tuple[Node, Node]]
MOST_VECTORS = 20_000
MOST_FLOOR, FLOORS_A_SECOND = 5_000_000, 4e6
"""Entries of a floor table."""
MOST_WATCHED = 8
SPARE_RAISES = 2
MOST_DEPTH = 250
"""Longer ways are not looked for, loops included."""


class NamedArena(NamedTuple):
    """An arena, the traveller's node in it, and the names of its nodes and edges on the board."""

    arena: Arena
    start: int
    node_of: tuple[Node, ...]
    edge_of: tuple[int, ...]


def depth_of(n_nodes: int) -> int:
    """Room for the ways on an arena of so many nodes."""
    return min(n_nodes + 64, MOST_DEPTH)


def all_arcs(state: ShortestPathState) -> tuple[tuple[Node, Node], ...]:
    board = state.config.board
    return tuple((edge.a, edge.b) for edge in board.edges) + tuple((edge.b, edge.a) for edge in board.edges)


def useful_arcs(
    arcs: Arcs, start: Node, target: Node, banned: frozenset[Node] = frozenset()
) -> list[tuple[Node, Node]]:
    """The arcs on some way from start to target, without those into the start, out of the target or past the banned."""
    plain = sorted({(a, b) for a, b in arcs if b != start and a != target and a not in banned and b not in banned})
    down: dict[Node, list[Node]] = {}
    up: dict[Node, list[Node]] = {}
    for a, b in plain:
        down.setdefault(a, []).append(b)
        up.setdefault(b, []).append(a)
    ahead, behind = _reached(down, start), _reached(up, target)
    return [(a, b) for a, b in plain if a in ahead and b in behind]


def trim_arcs(
    arcs: list[tuple[Node, Node]], start: Node, target: Node, hops: Sequence[float], most_edges: int
) -> list[tuple[Node, Node]]:
    """So many of the arcs that their edges are few enough: those between nodes that many short ways lead through."""
    if len({(min(arc), max(arc)) for arc in arcs}) <= most_edges:
        return arcs
    down = [(a, b) for a, b in arcs if hops[b] < hops[a]]
    there, on = _n_ways(down, start, hops, -1), _n_ways([(b, a) for a, b in down], target, hops, 1)
    nodes = {node for arc in arcs for node in arc}
    ranked = sorted(nodes, key=lambda node: (-there.get(node, 0.0) * on.get(node, 0.0), hops[node], node))
    few, many = 2, len(ranked)
    kept: list[tuple[Node, Node]] = []
    while few < many:  # the largest number of nodes that leaves few enough edges
        middle = (few + many + 1) // 2
        inside = {start, target, *ranked[:middle]}
        some = useful_arcs([(a, b) for a, b in arcs if a in inside and b in inside], start, target)
        if len({(min(arc), max(arc)) for arc in some}) <= most_edges:
            few, kept = middle, some
        else:
            many = middle - 1
    return kept


def _n_ways(arcs: list[tuple[Node, Node]], root: Node, hops: Sequence[float], sign: int) -> dict[Node, float]:
    """How many ways lead from the root to each node along arcs on which the hops rise (sign 1) or fall (-1)."""
    found = {root: 1.0}
    for a, b in sorted(arcs, key=lambda arc: (sign * hops[arc[0]], arc)):
        found[b] = found.get(b, 0.0) + found.get(a, 0.0)
    return found


def _reached(near: dict[Node, list[Node]], root: Node) -> set[Node]:
    found, waiting = {root}, [root]
    while waiting:
        for to in near.get(waiting.pop(), ()):
            if to not in found:
                found.add(to)
                waiting.append(to)
    return found


def build_named_arena(
    state: ShortestPathState,
    arcs: Sequence[tuple[Node, Node]],
    most_floor: int = MOST_FLOOR,
    raisable: Collection[int] | None = None,
) -> NamedArena:
    """The arena of some useful arcs from the traveller's node.

    Its last edge is not on the board and costs nothing: raising it is a pass, and where the adversary is to move the
    traveller walks on it from a node of its own (the last) to where he is. `raisable` confines the adversary to some
    edges of the board.
    """
    index, target = edge_index(state.config.board), state.config.target
    nodes = sorted({state.quarry, target} | {node for arc in arcs for node in arc})
    edges = sorted({index[arc] for arc in arcs})
    local, local_edge = {node: i for i, node in enumerate(nodes)}, {edge: i for i, edge in enumerate(edges)}
    rows = sorted((local[a], local[b], local_edge[index[a, b]]) for a, b in arcs)
    if whose_turn(state) is Seat.PURSUERS:
        rows.append((len(nodes), local[state.quarry], len(edges)))
    n_nodes, n_edges = len(nodes) + 1, len(edges) + 1
    indptr = np.zeros(n_nodes + 1, dtype=np.int64)
    for a, _, _ in rows:
        indptr[a + 1] += 1
    allowed = range(len(edges)) if raisable is None else [local_edge[e] for e in raisable if e in local_edge]
    hops = [hops_to(state.config.board, target)[node] or 0 for node in nodes]
    watched = [e for e in _watched_edges(rows, local[target], [*hops, len(nodes)]) if e in set(allowed)]
    horizon = _horizon(len(watched), hops[local[state.quarry]] + SPARE_RAISES, n_nodes, most_floor)
    vectors, after = _vectors(len(watched), horizon)
    slot = np.full(n_edges, -1, dtype=np.int64)
    slot[watched] = np.arange(len(watched))
    arena = Arena(
        indptr=np.cumsum(indptr),
        to=np.array([b for _, b, _ in rows], dtype=np.int64),
        edge=np.array([e for _, _, e in rows], dtype=np.int64),
        cost=_cost_table(state, edges, depth_of(n_nodes)),
        incident=_incident(rows, n_nodes, n_edges),
        raisable=_masks([[*allowed, len(edges)]], n_edges)[0],
        n_nodes=n_nodes,
        n_edges=n_edges,
        n_words=(n_edges + 63) // 64,
        target=local[target],
        watched=np.array(watched, dtype=np.int64),
        watched_mask=_masks([watched], n_edges)[0],
        slot=slot,
        after=after,
        floor=np.empty((len(vectors), n_nodes), dtype=np.float64),
        distance=np.empty(n_nodes, dtype=np.float64),
    )
    fill_floor(arena, vectors)
    thinking_time.add_work(arena.floor.size / FLOORS_A_SECOND)
    start = len(nodes) if whose_turn(state) is Seat.PURSUERS else local[state.quarry]
    return NamedArena(arena, start, tuple(nodes), tuple(edges))


def _incident(rows: list[tuple[int, int, int]], n_nodes: int, n_edges: int) -> Words:
    at: list[list[int]] = [[] for _ in range(n_nodes)]
    for a, b, e in rows:
        at[a].append(e)
        at[b].append(e)
    return _masks(at, n_edges)


def _masks(sets: list[list[int]], n_bits: int) -> Words:
    masks = np.zeros((len(sets), (n_bits + 63) // 64), dtype=np.uint64)
    for i, members in enumerate(sets):
        for bit in members:
            masks[i, bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
    return masks


def _cost_table(state: ShortestPathState, edges: list[int], n_counts: int) -> Floats:
    every = factors(state.config)
    table = np.zeros((len(edges) + 1, n_counts), dtype=np.float64)
    for i, e in enumerate(edges):
        table[i, 0] = raised_cost(every[e], state.raises[e])
    factor = np.array([every[e] for e in edges] + [1.0])
    for k in range(1, n_counts):
        table[:, k] = np.minimum(table[:, k - 1] * factor, MOST_COST)
    return table


def _watched_edges(rows: list[tuple[int, int, int]], target: int, hops: list[int]) -> list[int]:
    """The arena's edges at the target, or else its smallest cut between two layers; none where all are too large."""
    cuts: dict[int, set[int]] = {}
    for a, b, e in rows:
        if b == target:
            cuts.setdefault(0, set()).add(e)
        elif hops[a] != hops[b]:
            cuts.setdefault(min(hops[a], hops[b]), set()).add(e)
    if len(cuts.get(0, ())) <= MOST_WATCHED:
        return sorted(cuts.get(0, ()))
    smallest = min(map(len, cuts.values()))
    return next(sorted(cut) for cut in cuts.values() if len(cut) == smallest) if smallest <= MOST_WATCHED else []


def _horizon(n_watched: int, wanted: int, n_nodes: int, most_floor: int) -> int:
    """The most raises on watched edges the floor can count with, up to those wanted."""
    horizon, n = 0, 1
    while horizon < wanted and n_watched:
        n = n * (n_watched + horizon + 1) // (horizon + 1)
        if n > MOST_VECTORS or n * n_nodes > most_floor:
            break
        horizon += 1
    return horizon


@lru_cache(maxsize=8)
def _vectors(n: int, horizon: int) -> tuple[Int64s, Int64s]:
    """All counts of up to `horizon` raises on n edges, by their sums, and for each the ones with one more."""
    layer: list[tuple[int, ...]] = [(0,) * n]
    found = list(layer)
    for _ in range(horizon):
        layer = list(dict.fromkeys((*v[:i], v[i] + 1, *v[i + 1 :]) for v in layer for i in range(n)))
        found.extend(layer)
    number = {v: i for i, v in enumerate(found)}
    after = [[number.get((*v[:i], v[i] + 1, *v[i + 1 :]), number[v]) for i in range(n)] for v in found]
    return np.array(found, dtype=np.int64).reshape(len(found), n), np.array(after, dtype=np.int64).reshape(
        len(found), n
    )
