"""The game against an adversary of short memory, solved level by level; `lower.py` tells what it means.

A *tally* t counts the raises on the watched edges; all tallies of r raises are level r, in the order of `rank`. With
the traveller to move, S(t, v) is the value at node v, and S(t, a) the one where the edge of arc a, which starts at v,
has been raised once more for this step only. R is the same with the adversary to move. c(a) are costs under t:

    S(t, v) = min over arcs a: v -> u of c(a) + R(t, u)
    R(t, v) = max of  S(t + i, v)                         for every watched edge i; at the horizon the plain distance
                      min(raised c(a) + R(t, u), rest)    for the best arc a: v -> u, raised for this step
                      min(c(a) + max over arcs b at u of R(t, b), rest)    b raised one step ahead

where `rest` is the best total over the other arcs. For one tally a *block* holds a value for every node, and after
them one for every arc. Level r needs level r + 1 only, so levels are solved from the horizon down. Within a tally R
stands on both sides: `settle` lifts it from below in sweeps over the nodes next to which something changed, and every
stage is a valid lower bound. Nodes whose way to the target reaches the window's end `beta` are left out. A tally costs
one Dijkstra and some sweeps over the arcs inside the window; level r of k edges has C(r + k - 1, k - 1) tallies.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.jit import kernel
from manhunt.games.shortest_path.rules.kernels import distances
from manhunt.games.shortest_path.rules.packed import HeapScratch, PackedShortestPath

NO_BLOCK = -1
MOST_SWEEPS = 40
WORTH_A_SWEEP = 1.0001
"""A smaller growth of the values is no reason for one more sweep."""
FIRST, SECOND, THIRD, COST, COST_TWO = 0, 1, 2, 3, 4
"""Fields of `TallyWork.totals`: the traveller's three best totals at a node, the costs of the best two arcs."""


class WatchedEdges(NamedTuple):
    """The adversary's memory, and the window: states where the traveller ends at `beta` or above are not looked at."""

    edges: Int64s
    costs: Floats
    """The present cost of every edge."""
    ladder: Floats
    """ladder[i, j]: the cost of watched edge i after j more raises."""
    order: Int64s
    """The nodes with a way to the target, other than it, nearest first."""
    choose: Int64s
    """Binomial coefficients."""
    paid: Floats
    """For every node what the traveller pays at least to get there."""
    beta: float
    late: int
    """1 if the adversary moves first, else 0: level r then takes one move of the traveller less."""


class TallyWork(NamedTuple):
    """Scratch for one tally."""

    tally: Int64s
    costs: Floats
    arcs: Floats
    """The cost of every arc under the tally."""
    reply: Floats
    """A block: values with the adversary to move."""
    best: Floats
    """For every node the largest reply over its arcs: what an edge raised ahead is worth there."""
    distance: Floats
    after: Int64s
    live: Int64s
    """The nodes inside the window."""
    stale: Int64s
    """1 for nodes that have to be looked at again, since something changed next to them."""
    totals: Floats
    arc: Int64s
    """The traveller's best two arcs at a node, -1 if there is none."""


@kernel
def rank(choose: Int64s, tally: Int64s) -> int:
    """The place of a tally among those with as many raises."""
    found = 0
    total = 0
    for i in range(1, len(tally)):
        total += tally[i - 1]
        found += choose[total + i - 1, i]
    return int(found)


@kernel
def next_tally(tally: Int64s) -> bool:
    """The next tally with as many raises, in place; False after the last. The first has all on edge 0."""
    k = len(tally)
    if k == 0:
        return False
    last = tally[k - 1]
    tally[k - 1] = 0
    i = k - 2
    while i >= 0 and tally[i] == 0:
        i -= 1
    if i < 0:
        return False
    tally[i] -= 1
    tally[i + 1] = last + 1
    return True


@kernel
def beyond(watch: WatchedEdges, level: int, node: int) -> float:
    """What a state outside the window is worth at least: with what was paid before it makes `beta`."""
    return float(max(watch.beta - max(watch.paid[node], level - watch.late), 0.0))


@kernel
def prepare(game: PackedShortestPath, watch: WatchedEdges, level: int, work: TallyWork, scratch: HeapScratch) -> int:
    """Costs, distances and the nodes inside the window under `work.tally`; return how many nodes."""
    work.costs[:] = watch.costs
    for i in range(len(watch.edges)):
        work.costs[watch.edges[i]] = watch.ladder[i, work.tally[i]]
    distances(game, work.costs, game.target, work.distance, work.after, scratch)
    n_live = 0
    for node in watch.order:
        if work.distance[node] < beyond(watch, level, node):
            work.live[n_live] = node
            n_live += 1
    if n_live > 0:
        for slot in range(len(game.to)):
            work.arcs[slot] = work.costs[game.edge[slot]]
    return n_live


@kernel
def start_reply(
    game: PackedShortestPath,
    watch: WatchedEdges,
    level: int,
    n_live: int,
    place: Int64s,
    above: Floats,
    work: TallyWork,
) -> None:
    """The replies by a watched edge alone; at the last level, where there is no place above, those of no raise."""
    n = game.n_nodes
    reply = work.reply
    for node in range(n):
        reply[node] = beyond(watch, level, node)
    reply[game.target] = 0.0
    last = len(place) == 0
    for node in work.live[:n_live]:
        least = work.distance[node] if last else 0.0
        reply[node] = least
        reply[n + game.indptr[node] : n + game.indptr[node + 1]] = least
    if last:
        return
    for i in range(len(watch.edges)):
        work.tally[i] += 1
        at = place[rank(watch.choose, work.tally)]
        work.tally[i] -= 1
        for node in work.live[:n_live]:
            low, high = n + game.indptr[node], n + game.indptr[node + 1]
            if at == NO_BLOCK:
                least = beyond(watch, level + 1, node)
                reply[node] = max(reply[node], least)
                for j in range(low, high):
                    reply[j] = max(reply[j], least)
            else:
                reply[node] = max(reply[node], above[at, node])
                for j in range(low, high):
                    reply[j] = max(reply[j], above[at, j])


@kernel
def weigh(game: PackedShortestPath, work: TallyWork, node: int) -> None:
    """The traveller's three best totals at a node, into `work.totals` and `work.arc`."""
    first = second = third = np.inf
    one = two = -1
    for slot in range(game.indptr[node], game.indptr[node + 1]):
        total = work.arcs[slot] + work.reply[game.to[slot]]
        if total < first:
            first, second, third = total, first, second
            one, two = slot, one
        elif total < second:
            second, third = total, second
            two = slot
        elif total < third:
            third = total
    totals = work.totals
    totals[FIRST], totals[SECOND], totals[THIRD] = first, second, third
    totals[COST] = work.arcs[one] if one >= 0 else np.inf
    totals[COST_TWO] = work.arcs[two] if two >= 0 else np.inf
    work.arc[0], work.arc[1] = one, two


@kernel
def cost_if_raised(game: PackedShortestPath, cost: float, arc: int) -> float:
    return float(min(cost * game.factors[game.edge[arc]], game.most_cost))


@kernel
def nearby(game: PackedShortestPath, work: TallyWork, arc: int, cost: float, other: float) -> float:
    """What a raise of the traveller's best arc, or of one behind it, brings; `other` is the best total without it."""
    if arc < 0:
        return np.inf
    to = game.to[arc]
    found = cost_if_raised(game, cost, arc) + work.reply[to]
    if to != game.target:
        found = max(found, cost + work.best[to])
    return float(min(found, other))


@kernel
def with_raised(game: PackedShortestPath, work: TallyWork, which: int) -> tuple[float, float, int, float]:
    """First and second total, best arc and its cost, with the best (0) or the second arc (1) of a node raised."""
    totals, arc = work.totals, work.arc
    if which == 1:
        cost = cost_if_raised(game, totals[COST_TWO], arc[1])
        return totals[FIRST], min(cost + work.reply[game.to[arc[1]]], totals[THIRD]), arc[0], totals[COST]
    cost = cost_if_raised(game, totals[COST], arc[0])
    total = cost + work.reply[game.to[arc[0]]]
    if total <= totals[SECOND]:
        return total, totals[SECOND], arc[0], cost
    return totals[SECOND], min(total, totals[THIRD]), arc[1], totals[COST_TWO]


@kernel
def settle(game: PackedShortestPath, n_live: int, work: TallyWork) -> None:
    """Lift the replies, from below, by raises nearby until nothing changes, or often enough.

    Every sweep leaves valid lower bounds. Between very dear edges and a detour of cost 1 it could take for ever.
    """
    n = game.n_nodes
    reply, best = work.reply, work.best
    best[:] = reply[:n]
    for node in work.live[:n_live]:
        work.stale[node] = 1
        for slot in range(game.indptr[node], game.indptr[node + 1]):
            best[node] = max(best[node], reply[n + slot])
    for _ in range(MOST_SWEEPS):
        changed = False
        for node in work.live[:n_live]:
            if work.stale[node]:
                work.stale[node] = 0
                changed = look_again(game, work, node) or changed
        if not changed:
            break


@kernel
def look_again(game: PackedShortestPath, work: TallyWork, node: int) -> bool:
    """Lift the replies of one node; True if that is worth another sweep."""
    n = game.n_nodes
    reply, best = work.reply, work.best
    weigh(game, work, node)
    one, two = work.arc[0], work.arc[1]
    before, before_best, worth = reply[node], best[node], False
    found = nearby(game, work, one, work.totals[COST], work.totals[SECOND])
    if found > before:
        worth = found > before * WORTH_A_SWEEP
        reply[node] = found
    for slot in range(game.indptr[node], game.indptr[node + 1]):
        here = found
        if slot in (one, two):
            _, other, arc, cost = with_raised(game, work, 0 if slot == one else 1)
            here = nearby(game, work, arc, cost, other)
        if here > reply[n + slot]:
            worth = worth or here > reply[n + slot] * WORTH_A_SWEEP
            reply[n + slot] = here
            best[node] = max(best[node], here)
    if reply[node] > before or best[node] > before_best:
        work.stale[node] = 1
        for slot in range(game.indptr[node], game.indptr[node + 1]):
            work.stale[game.to[slot]] = 1
    return worth


@kernel
def fill(game: PackedShortestPath, watch: WatchedEdges, level: int, n_live: int, work: TallyWork, out: Floats) -> None:
    """The block with the traveller to move, from the replies."""
    n = game.n_nodes
    for node in range(n):
        out[node] = beyond(watch, level, node)
        out[n + game.indptr[node] : n + game.indptr[node + 1]] = out[node]
    out[game.target] = 0.0
    for node in work.live[:n_live]:
        weigh(game, work, node)
        out[node] = work.totals[FIRST]
        out[n + game.indptr[node] : n + game.indptr[node + 1]] = work.totals[FIRST]
        if work.arc[0] >= 0:
            out[n + work.arc[0]] = with_raised(game, work, 0)[0]


@kernel
def solve_some(
    game: PackedShortestPath,
    watch: WatchedEdges,
    level: int,
    most: int,
    above: tuple[Int64s, Floats],
    place: Int64s,
    blocks: Floats,
    used: int,
    work: TallyWork,
    scratch: HeapScratch,
) -> tuple[int, bool]:
    """The next tallies of a level, `most` at most, beginning with `room.tally`, each into a row of `blocks`.

    `place` gets the row of each tally, NO_BLOCK if it lies outside the window. Returns the rows used so far and
    whether the level is done; it ends early when the rows are used up.
    """
    for _ in range(most):
        n_live = prepare(game, watch, level, work, scratch)
        at = rank(watch.choose, work.tally)
        place[at] = NO_BLOCK
        if n_live > 0:
            if used == len(blocks):
                return used, False
            start_reply(game, watch, level, n_live, above[0], above[1], work)
            settle(game, n_live, work)
            fill(game, watch, level, n_live, work, blocks[used])
            place[at] = used
            used += 1
        if not next_tally(work.tally):
            return used, True
    return used, False
