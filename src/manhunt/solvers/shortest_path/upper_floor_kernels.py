"""What the traveller pays at least on an arena when only its watched edges are raised: a table to prune by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Costs = NDArray[np.float64]
    Words = NDArray[np.uint64]


class Graph(NamedTuple):
    """The arcs a traveller may use. Arcs of node v: entries indptr[v] .. indptr[v + 1] of `to` and `edge`.

    `cost[e, k]` is what edge e costs after k more raises. `incident[v]` are the edges at v and `raisable` those the
    adversary may raise, both as bits.
    """

    indptr: Numbers
    to: Numbers
    edge: Numbers
    cost: Costs
    incident: Words
    raisable: Words
    n_nodes: int
    n_edges: int
    n_words: int
    target: int


class Watch(NamedTuple):
    """Floors under what is still to be paid where the traveller is to move.

    `floor[x, v]` counts with raises of the `watched` edges only; x says how often each was raised so far, and
    `after[x, slot[e]]` is x with e raised once more, or x itself where the table ends. `distance` counts with none.
    """

    watched: Numbers
    watched_mask: Words
    slot: Numbers
    after: Numbers
    floor: Costs
    distance: Costs


class Arena(NamedTuple):
    """A graph and its floors, flat: the fields of `Graph`, then those of `Watch`."""

    indptr: Numbers
    to: Numbers
    edge: Numbers
    cost: Costs
    incident: Words
    raisable: Words
    n_nodes: int
    n_edges: int
    n_words: int
    target: int
    watched: Numbers
    watched_mask: Words
    slot: Numbers
    after: Numbers
    floor: Costs
    distance: Costs


@kernel
def distances(graph: Graph, out: Costs) -> None:
    """The cheapest way to the target by present costs, by sweeps until nothing changes."""
    out[:] = np.inf
    out[graph.target] = 0.0
    changed = True
    while changed:
        changed = False
        for node in range(graph.n_nodes):
            for arc in range(graph.indptr[node], graph.indptr[node + 1]):
                new = graph.cost[graph.edge[arc], 0] + out[graph.to[arc]]
                if new < out[node]:
                    out[node] = new
                    changed = True


@kernel
def fill_floor(graph: Graph, slot: Numbers, vectors: Numbers, after: Numbers, floor: Costs) -> None:
    """The value of every vector and node when the adversary raises watched edges only, until the vectors end."""
    n_watched = vectors.shape[1]
    costs = np.empty(len(graph.edge), dtype=np.float64)
    reply = np.empty(graph.n_nodes, dtype=np.float64)
    for x in range(len(vectors) - 1, -1, -1):
        for arc in range(len(graph.edge)):
            edge = graph.edge[arc]
            raised = vectors[x, slot[edge]] if slot[edge] >= 0 else 0
            costs[arc] = graph.cost[edge, min(raised, graph.cost.shape[1] - 1)]
        if n_watched == 0 or after[x, 0] == x:
            _settle(graph, costs, floor[x])
            continue
        reply[:] = 0.0
        for i in range(n_watched):
            for node in range(graph.n_nodes):
                reply[node] = max(reply[node], floor[after[x, i], node])
        reply[graph.target] = 0.0
        for node in range(graph.n_nodes):
            best = np.inf
            for arc in range(graph.indptr[node], graph.indptr[node + 1]):
                best = min(best, costs[arc] + reply[graph.to[arc]])
            floor[x, node] = best
        floor[x, graph.target] = 0.0


@kernel
def _settle(graph: Graph, costs: Costs, out: Costs) -> None:
    """Nothing is raised any more: plain distances."""
    out[:] = np.inf
    out[graph.target] = 0.0
    changed = True
    while changed:
        changed = False
        for node in range(graph.n_nodes):
            for arc in range(graph.indptr[node], graph.indptr[node + 1]):
                new = costs[arc] + out[graph.to[arc]]
                if new < out[node]:
                    out[node] = new
                    changed = True


@kernel
def floor_of_reply(arena: Arena, vector: int, node: int) -> float:
    """At least this is still to be paid at a node where the adversary is to move."""
    best = max(arena.floor[vector, node], arena.distance[node])
    for i in range(len(arena.watched)):
        best = max(best, arena.floor[arena.after[vector, i], node])
    return float(best)
