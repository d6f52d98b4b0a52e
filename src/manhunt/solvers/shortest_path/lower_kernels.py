"""The game against an adversary of short memory, solved level by level; `lower.py` tells what it means.

A *tally* counts the raises on the watched edges; all tallies of r raises are level r, in the order of `rank`. For one
tally a *block* holds a value for every node, and after them one for every arc: there the traveller stands at the
arc's start and its edge has been raised once more, but only for his next step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.shortest_path.kernels import distances
from manhunt.games.shortest_path.packed import PackedGame, Scratch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Values = NDArray[np.float64]

NO_BLOCK = -1
MOST_SWEEPS = 40
WORTH_A_SWEEP = 1.0001
"""A smaller growth of the values is no reason for one more sweep."""
FIRST, SECOND, THIRD, COST, COST_TWO = 0, 1, 2, 3, 4
"""Fields of `Room.totals`: the traveller's three best totals at a node, the costs of the best two arcs."""


class Watch(NamedTuple):
    """The adversary's memory, and the window: states where the traveller ends at `beta` or above are not looked at."""

    edges: Numbers
    costs: Values
    """The present cost of every edge."""
    ladder: Values
    """ladder[i, j]: the cost of watched edge i after j more raises."""
    order: Numbers
    """The nodes with a way to the target, other than it, nearest first."""
    choose: Numbers
    """Binomial coefficients."""
    paid: Values
    """For every node what the traveller pays at least to get there."""
    beta: float
    late: int
    """1 if the adversary moves first, else 0: level r then takes one move of the traveller less."""


class Room(NamedTuple):
    """Scratch for one tally."""

    tally: Numbers
    costs: Values
    arcs: Values
    """The cost of every arc under the tally."""
    reply: Values
    """A block: values with the adversary to move."""
    best: Values
    """For every node the largest reply over its arcs: what an edge raised ahead is worth there."""
    distance: Values
    after: Numbers
    live: Numbers
    """The nodes inside the window."""
    stale: Numbers
    """1 for nodes that have to be looked at again, since something changed next to them."""
    totals: Values
    arc: Numbers
    """The traveller's best two arcs at a node, -1 if there is none."""


@kernel
def rank(choose: Numbers, tally: Numbers) -> int:
    """The place of a tally among those with as many raises."""
    found = 0
    total = 0
    for i in range(1, len(tally)):
        total += tally[i - 1]
        found += choose[total + i - 1, i]
    return int(found)


@kernel
def next_tally(tally: Numbers) -> bool:
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
def beyond(watch: Watch, level: int, node: int) -> float:
    """What a state outside the window is worth at least: with what was paid before it makes `beta`."""
    return float(max(watch.beta - max(watch.paid[node], level - watch.late), 0.0))


@kernel
def prepare(game: PackedGame, watch: Watch, level: int, room: Room, scratch: Scratch) -> int:
    """Costs, distances and the nodes inside the window under `room.tally`; return how many nodes."""
    room.costs[:] = watch.costs
    for i in range(len(watch.edges)):
        room.costs[watch.edges[i]] = watch.ladder[i, room.tally[i]]
    distances(game, room.costs, game.target, room.distance, room.after, scratch)
    n_live = 0
    for node in watch.order:
        if room.distance[node] < beyond(watch, level, node):
            room.live[n_live] = node
            n_live += 1
    if n_live > 0:
        for slot in range(len(game.to)):
            room.arcs[slot] = room.costs[game.edge[slot]]
    return n_live


@kernel
def start_reply(
    game: PackedGame, watch: Watch, level: int, n_live: int, place: Numbers, above: Values, room: Room
) -> None:
    """The replies by a watched edge alone; at the last level, where there is no place above, those of no raise."""
    n = game.n_nodes
    reply = room.reply
    for node in range(n):
        reply[node] = beyond(watch, level, node)
    reply[game.target] = 0.0
    last = len(place) == 0
    for node in room.live[:n_live]:
        least = room.distance[node] if last else 0.0
        reply[node] = least
        reply[n + game.indptr[node] : n + game.indptr[node + 1]] = least
    if last:
        return
    for i in range(len(watch.edges)):
        room.tally[i] += 1
        at = place[rank(watch.choose, room.tally)]
        room.tally[i] -= 1
        for node in room.live[:n_live]:
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
def weigh(game: PackedGame, room: Room, node: int) -> None:
    """The traveller's three best totals at a node, into `room.totals` and `room.arc`."""
    first = second = third = np.inf
    one = two = -1
    for slot in range(game.indptr[node], game.indptr[node + 1]):
        total = room.arcs[slot] + room.reply[game.to[slot]]
        if total < first:
            first, second, third = total, first, second
            one, two = slot, one
        elif total < second:
            second, third = total, second
            two = slot
        elif total < third:
            third = total
    totals = room.totals
    totals[FIRST], totals[SECOND], totals[THIRD] = first, second, third
    totals[COST] = room.arcs[one] if one >= 0 else np.inf
    totals[COST_TWO] = room.arcs[two] if two >= 0 else np.inf
    room.arc[0], room.arc[1] = one, two


@kernel
def dearer(game: PackedGame, cost: float, arc: int) -> float:
    return float(min(cost * game.factors[game.edge[arc]], game.most_cost))


@kernel
def nearby(game: PackedGame, room: Room, arc: int, cost: float, other: float) -> float:
    """What a raise of the traveller's best arc, or of one behind it, brings; `other` is the best total without it."""
    if arc < 0:
        return np.inf
    to = game.to[arc]
    found = dearer(game, cost, arc) + room.reply[to]
    if to != game.target:
        found = max(found, cost + room.best[to])
    return float(min(found, other))


@kernel
def with_raised(game: PackedGame, room: Room, which: int) -> tuple[float, float, int, float]:
    """First and second total, best arc and its cost, with the best (0) or the second arc (1) of a node raised."""
    totals, arc = room.totals, room.arc
    if which == 1:
        cost = dearer(game, totals[COST_TWO], arc[1])
        return totals[FIRST], min(cost + room.reply[game.to[arc[1]]], totals[THIRD]), arc[0], totals[COST]
    cost = dearer(game, totals[COST], arc[0])
    total = cost + room.reply[game.to[arc[0]]]
    if total <= totals[SECOND]:
        return total, totals[SECOND], arc[0], cost
    return totals[SECOND], min(total, totals[THIRD]), arc[1], totals[COST_TWO]


@kernel
def settle(game: PackedGame, n_live: int, room: Room) -> None:
    """Lift the replies, from below, by raises nearby until nothing changes, or often enough.

    Every sweep leaves valid lower bounds. Between very dear edges and a detour of cost 1 it could take for ever.
    """
    n = game.n_nodes
    reply, best = room.reply, room.best
    best[:] = reply[:n]
    for node in room.live[:n_live]:
        room.stale[node] = 1
        for slot in range(game.indptr[node], game.indptr[node + 1]):
            best[node] = max(best[node], reply[n + slot])
    for _ in range(MOST_SWEEPS):
        changed = False
        for node in room.live[:n_live]:
            if room.stale[node]:
                room.stale[node] = 0
                changed = look_again(game, room, node) or changed
        if not changed:
            break


@kernel
def look_again(game: PackedGame, room: Room, node: int) -> bool:
    """Lift the replies of one node; True if that is worth another sweep."""
    n = game.n_nodes
    reply, best = room.reply, room.best
    weigh(game, room, node)
    one, two = room.arc[0], room.arc[1]
    before, before_best, worth = reply[node], best[node], False
    found = nearby(game, room, one, room.totals[COST], room.totals[SECOND])
    if found > before:
        worth = found > before * WORTH_A_SWEEP
        reply[node] = found
    for slot in range(game.indptr[node], game.indptr[node + 1]):
        here = found
        if slot in (one, two):
            _, other, arc, cost = with_raised(game, room, 0 if slot == one else 1)
            here = nearby(game, room, arc, cost, other)
        if here > reply[n + slot]:
            worth = worth or here > reply[n + slot] * WORTH_A_SWEEP
            reply[n + slot] = here
            best[node] = max(best[node], here)
    if reply[node] > before or best[node] > before_best:
        room.stale[node] = 1
        for slot in range(game.indptr[node], game.indptr[node + 1]):
            room.stale[game.to[slot]] = 1
    return worth


@kernel
def fill(game: PackedGame, watch: Watch, level: int, n_live: int, room: Room, out: Values) -> None:
    """The block with the traveller to move, from the replies."""
    n = game.n_nodes
    for node in range(n):
        out[node] = beyond(watch, level, node)
        out[n + game.indptr[node] : n + game.indptr[node + 1]] = out[node]
    out[game.target] = 0.0
    for node in room.live[:n_live]:
        weigh(game, room, node)
        out[node] = room.totals[FIRST]
        out[n + game.indptr[node] : n + game.indptr[node + 1]] = room.totals[FIRST]
        if room.arc[0] >= 0:
            out[n + room.arc[0]] = with_raised(game, room, 0)[0]


@kernel
def solve_some(
    game: PackedGame,
    watch: Watch,
    level: int,
    most: int,
    above: tuple[Numbers, Values],
    place: Numbers,
    blocks: Values,
    used: int,
    room: Room,
    scratch: Scratch,
) -> tuple[int, bool]:
    """The next tallies of a level, `most` at most, beginning with `room.tally`, each into a row of `blocks`.

    `place` gets the row of each tally, NO_BLOCK if it lies outside the window. Returns the rows used so far and
    whether the level is done; it ends early when the rows are used up.
    """
    for _ in range(most):
        n_live = prepare(game, watch, level, room, scratch)
        at = rank(watch.choose, room.tally)
        place[at] = NO_BLOCK
        if n_live > 0:
            if used == len(blocks):
                return used, False
            start_reply(game, watch, level, n_live, above[0], above[1], room)
            settle(game, n_live, room)
            fill(game, watch, level, n_live, room, blocks[used])
            place[at] = used
            used += 1
        if not next_tally(room.tally):
            return used, True
    return used, False
