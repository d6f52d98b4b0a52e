"""What the traveller pays at least on an arena when only its watched edges are raised: a table to prune by.

Let x count the raises on each watched edge, c(e, x) be the cost of edge e after them, and F(x, v) what is still to be
paid from v with the traveller to move, if the adversary answers every step by raising some watched edge w:

    F(x, v) = min over arcs v -> u on edge e of  c(e, x) + max over w of F(x + w, u),      F(x, target) = 0

The adversary may do more than that in the whole game, so F is a lower bound there (a floor). Vectors x are listed by
their sums up to a horizon, and x + w always comes later in the list: one pass from the last vector to the first fills
the table. At the horizon nothing is raised any more, and F is the plain distance. The cost is one look at every arc
for each vector, and as many sweeps at the horizon as a cheapest way has arcs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int64s, Words
from manhunt.core.jit import kernel


class Arena(NamedTuple):
    """The arcs a traveller may use, and floors under what he still has to pay where he is to move.

    Arcs of node v: entries indptr[v] .. indptr[v + 1] of `to` and `edge`. `cost[e, k]` is what edge e costs after k
    more raises. `incident[v]` are the edges at v and `raisable` those the adversary may raise, both as bits.
    `floor[x, v]` counts with raises of the `watched` edges only; x says how often each was raised so far, and
    `after[x, slot[e]]` is x with e raised once more, or x itself where the table ends. `distance` counts with none.
    """

    indptr: Int64s
    to: Int64s
    edge: Int64s
    cost: Floats
    incident: Words
    raisable: Words
    n_nodes: int
    n_edges: int
    n_words: int
    target: int
    watched: Int64s
    watched_mask: Words
    slot: Int64s
    after: Int64s
    floor: Floats
    distance: Floats


@kernel
def fill_floor(arena: Arena, vectors: Int64s) -> None:
    """Fill `distance` and `floor`: row x for the raises vectors[x] of the watched edges."""
    n_watched = vectors.shape[1]
    slot, after, floor = arena.slot, arena.after, arena.floor
    costs = np.empty(len(arena.edge), dtype=np.float64)
    reply = np.empty(arena.n_nodes, dtype=np.float64)
    for arc in range(len(arena.edge)):
        costs[arc] = arena.cost[arena.edge[arc], 0]
    _settle(arena, costs, arena.distance)
    for x in range(len(vectors) - 1, -1, -1):
        for arc in range(len(arena.edge)):
            edge = arena.edge[arc]
            raised = vectors[x, slot[edge]] if slot[edge] >= 0 else 0
            costs[arc] = arena.cost[edge, min(raised, arena.cost.shape[1] - 1)]
        if n_watched == 0 or after[x, 0] == x:
            _settle(arena, costs, floor[x])
            continue
        reply[:] = 0.0
        for i in range(n_watched):
            for node in range(arena.n_nodes):
                reply[node] = max(reply[node], floor[after[x, i], node])
        reply[arena.target] = 0.0
        for node in range(arena.n_nodes):
            best = np.inf
            for arc in range(arena.indptr[node], arena.indptr[node + 1]):
                best = min(best, costs[arc] + reply[arena.to[arc]])
            floor[x, node] = best
        floor[x, arena.target] = 0.0


@kernel
def _settle(arena: Arena, costs: Floats, out: Floats) -> None:
    """Nothing is raised any more: the cheapest way to the target, by sweeps until nothing changes."""
    out[:] = np.inf
    out[arena.target] = 0.0
    changed = True
    while changed:
        changed = False
        for node in range(arena.n_nodes):
            for arc in range(arena.indptr[node], arena.indptr[node + 1]):
                new = costs[arc] + out[arena.to[arc]]
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
