"""The forward filter of `weighted.py` and the models of `models.py` again, compiled. Nothing here checks its input.

With p(v) the belief before a move of Mr X and w(m) the model's weight of a move, what was seen (tickets, shown nodes)
leaves, before it is made to add up to 1,

    p'(u) = sum over v of p(v) * (sum of w over moves v -> u that look like it) / (sum of w over all moves from v)

A model is a product of factors: a single move weighs single[ticket] * end[0, to], a double move double[from] *
first[ticket1] * second[ticket2] * end[1, to]. So the weights of all double moves from a node can be summed without
listing them: `ways[mid, t]` is the sum over second steps from `mid` after a first step paid with ticket t (less those
paid with t again where only one is left), and the sum over first steps to `mid` follows. A move costs one look at every
fare of the board where double moves are allowed, and some at the fares from the nodes of the belief. Nodes with a
detective have their `end` factor set to 0 meanwhile, and are given it back.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Bytes, Floats, Int16s, Int32s, Int64s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.rules.packed import FareTable

N_TICKETS = 4
SECRET = 3
DOUBLE = 4
NOTHING = -1  # no second step, or a node that was not shown
FAR_HOPS = 6
# The order of features.FEATURES.
SECOND, EXITS, BUS, SECRET_AFTER_SHOWN, SECRET_ON_SHOWN = 4, 5, 6, 9, 10
IS_DOUBLE, IN_DANGER, OVER_SHOWN, NEAR_BY_SHOWN, EXITS_BY_SHOWN = 11, 12, 13, 14, 15


class ModelGraph(NamedTuple):
    """What models look at and what does not change during a game."""

    hops: Int16s
    indptr: Int64s
    target: Int64s
    logs: Floats  # log(1 + n) for n up to the largest number of neighbours


class Factors(NamedTuple):
    """The weights of Mr X's moves in one position."""

    single: Floats
    first: Floats
    second: Floats
    end: Floats
    double: Floats


class Seen(NamedTuple):
    """A move of Mr X as everybody sees it; NOTHING where there is no second step or no shown node."""

    ticket: int
    node: int
    ticket2: int
    node2: int


class FilterScratch(NamedTuple):
    """Room that the caller owns."""

    blocked: Bytes
    ways: Floats
    mids: Floats
    after: Floats
    kept: Floats


@kernel
def category_factors(graph: ModelGraph, places: Int32s, weights: Floats, end: Floats) -> None:
    """By hops to the nearest detective: weights[0] for 1, ..., the last for as many or more."""
    for node in range(end.shape[1]):
        nearest = graph.hops[places[0], node]
        for i in range(1, len(places)):
            nearest = min(nearest, graph.hops[places[i], node])
        end[0, node] = weights[min(max(nearest, 1), len(weights)) - 1]
        end[1, node] = end[0, node]


@kernel
def soon_shown(shown: Bytes, slot: int) -> float:
    for later in range(slot, len(shown)):
        if shown[later]:
            return 1.0 / (1 + later - slot)
    return 0.0


@kernel
def soft_factors(
    graph: ModelGraph, shown: Bytes, places: Int32s, n_logged: int, theta: Floats, factors: Factors
) -> None:
    """exp(theta * features) in its factors; must equal `SoftModel.weights`."""
    ticket_factors(shown, n_logged, theta, factors.single)
    factors.first[:] = factors.single
    ticket_factors(shown, n_logged + 1, theta, factors.second)
    over = n_logged + 1 < len(shown) and (shown[n_logged] or shown[n_logged + 1])
    calm = np.exp(theta[IS_DOUBLE] + (theta[OVER_SHOWN] if over else 0.0))
    danger = calm * np.exp(theta[IN_DANGER])
    # The exponential of a sum of few small whole numbers' functions: a product of table entries.
    by_near, by_second, by_exits = end_tables(
        graph, theta, soon_shown(shown, n_logged), soon_shown(shown, n_logged + 1)
    )
    n_exits = np.diff(graph.indptr)
    for place in places:
        for k in range(graph.indptr[place], graph.indptr[place + 1]):
            n_exits[graph.target[k]] -= 1
    for node in range(len(factors.double)):
        nearest, second = FAR_HOPS, FAR_HOPS
        for i in range(len(places)):
            hops = graph.hops[places[i], node]
            if hops < nearest:
                nearest, second = hops, nearest
            elif hops < second:
                second = hops
        factors.double[node] = danger if nearest <= 1 else calm
        for i in range(2):
            factors.end[i, node] = by_near[i, nearest] * by_second[second] * by_exits[i, n_exits[node]]


@kernel
def end_tables(graph: ModelGraph, theta: Floats, soon1: float, soon2: float) -> tuple[Floats, Floats, Floats]:
    """Factors of a move's last node: by hops of the nearest and second nearest detective (FAR_HOPS is as many or
    more) and by exits; the first index is 0 for single and 1 for double moves."""
    by_near, by_second = np.empty((2, FAR_HOPS + 1)), np.empty(FAR_HOPS + 1)
    by_exits = np.empty((2, len(graph.logs)))
    for hops in range(FAR_HOPS + 1):
        by_second[hops] = np.exp(theta[SECOND] * hops / FAR_HOPS)
        sum_ = theta[max(hops, 1) - 1] if hops <= 4 else 0.0
        by_near[0, hops] = np.exp(sum_ + soon1 * theta[NEAR_BY_SHOWN] * hops / FAR_HOPS)
        by_near[1, hops] = np.exp(sum_ + soon2 * theta[NEAR_BY_SHOWN] * hops / FAR_HOPS)
    for n in range(len(graph.logs)):
        by_exits[0, n] = np.exp((theta[EXITS] + soon1 * theta[EXITS_BY_SHOWN]) * graph.logs[n])
        by_exits[1, n] = np.exp((theta[EXITS] + soon2 * theta[EXITS_BY_SHOWN]) * graph.logs[n])
    return by_near, by_second, by_exits


@kernel
def ticket_factors(shown: Bytes, slot: int, theta: Floats, out: Floats) -> None:
    """For a step whose log entry goes to this slot."""
    out[0] = 1.0
    out[1] = np.exp(theta[BUS])
    out[2] = np.exp(theta[BUS + 1])
    secret = theta[BUS + 2]
    if slot > 0 and slot <= len(shown) and shown[slot - 1]:
        secret += theta[SECRET_AFTER_SHOWN]
    if slot < len(shown) and shown[slot]:
        secret += theta[SECRET_ON_SHOWN]
    out[SECRET] = np.exp(secret)


@kernel
def sum_ways(table: FareTable, held: int, counts: Int32s, factors: Factors, ways: Floats) -> None:
    """ways[node, t]: the weights of all second steps from the node, after a first step paid with ticket t."""
    for node in range(ways.shape[0]):
        total = 0.0
        for ticket in range(N_TICKETS):
            ways[node, ticket] = 0.0
            if held >> ticket & 1:
                sum_ = 0.0
                for k in range(table.indptr[1 << ticket, node], table.indptr[1 << ticket, node + 1]):
                    sum_ += factors.end[1, table.fares[k] >> 8]
                sum_ *= factors.second[ticket]
                total += sum_
                if counts[ticket] < 2:
                    ways[node, ticket] = sum_
        for ticket in range(N_TICKETS):
            ways[node, ticket] = total - ways[node, ticket]


@kernel
def weight_of_all(table: FareTable, held: int, node: int, with_doubles: bool, factors: Factors, ways: Floats) -> float:
    """The sum over all legal moves of Mr X from a node."""
    singles, doubles = 0.0, 0.0
    for ticket in range(N_TICKETS):
        if held >> ticket & 1:
            ends, seconds = 0.0, 0.0
            for k in range(table.indptr[1 << ticket, node], table.indptr[1 << ticket, node + 1]):
                to = table.fares[k] >> 8
                ends += factors.end[0, to]
                seconds += ways[to, ticket]
            singles += factors.single[ticket] * ends
            doubles += factors.first[ticket] * seconds
    return float(singles + factors.double[node] * doubles) if with_doubles else float(singles)


@kernel
def move_mrx(
    table: FareTable,
    belief: Floats,
    places: Int32s,
    counts: Int32s,
    n_logged: int,
    seen: Seen,
    factors: Factors,
    scratch: FilterScratch,
) -> float:
    """Bayes for one move of Mr X, in place; returns the probability of what was seen.

    `places` and `counts` are the detectives' nodes and Mr X's tickets before the move. Moves to a detective's node
    weigh nothing.
    """
    held = holding(counts)
    for i in range(len(places)):
        scratch.kept[0, i], scratch.kept[1, i] = factors.end[0, places[i]], factors.end[1, places[i]]
        factors.end[:, places[i]] = 0.0
    with_doubles = counts[DOUBLE] > 0 and len(table.shown) - n_logged >= 2
    if with_doubles:
        sum_ways(table, held, counts, factors, scratch.ways)
        for place in places:
            scratch.ways[place] = 0.0
    is_double = seen.ticket2 != NOTHING
    out = scratch.mids if is_double else scratch.after
    out[:] = 0.0
    for node in range(len(belief)):
        if belief[node] > 0.0:
            share = belief[node] / weight_of_all(table, held, node, with_doubles, factors, scratch.ways)
            if is_double:
                share *= factors.double[node] * factors.first[seen.ticket]
            else:
                share *= factors.single[seen.ticket]
            for k in range(table.indptr[1 << seen.ticket, node], table.indptr[1 << seen.ticket, node + 1]):
                to = table.fares[k] >> 8
                out[to] += share if is_double else share * factors.end[0, to]
    if seen.node != NOTHING:
        keep_only(out, seen.node)
    if is_double:
        for place in places:
            out[place] = 0.0
        second_step(table, seen, factors, scratch)
    for i in range(len(places)):
        factors.end[0, places[i]], factors.end[1, places[i]] = scratch.kept[0, i], scratch.kept[1, i]
    return normalise(scratch.after, belief)


@kernel
def second_step(table: FareTable, seen: Seen, factors: Factors, scratch: FilterScratch) -> None:
    scratch.after[:] = 0.0
    paid = 1 << seen.ticket2
    for node in range(len(scratch.mids)):
        if scratch.mids[node] > 0.0:
            share = scratch.mids[node] * factors.second[seen.ticket2]
            for k in range(table.indptr[paid, node], table.indptr[paid, node + 1]):
                to = table.fares[k] >> 8
                scratch.after[to] += share * factors.end[1, to]
    if seen.node2 != NOTHING:
        keep_only(scratch.after, seen.node2)


@kernel
def keep_only(belief: Floats, node: int) -> None:
    kept = belief[node]
    belief[:] = 0.0
    belief[node] = kept


@kernel
def normalise(weights: Floats, out: Floats) -> float:
    """Write the weights with sum 1 to `out`; return their sum before. All zeros stay so."""
    total = 0.0
    for weight in weights:
        total += weight
    for node in range(len(weights)):
        out[node] = weights[node] / total if total > 0.0 else 0.0
    return total


@kernel
def strike(
    table: FareTable, belief: Floats, places: Int32s, counts: Int32s, is_mrx_turn: bool, scratch: FilterScratch
) -> float:
    """The game goes on: Mr X is on no detective's node and, on his turn, not where he could not move.

    In place; returns the probability of that.
    """
    held = holding(counts)
    for place in places:
        belief[place] = 0.0
        scratch.blocked[place] = 1
    if is_mrx_turn:
        for node in range(len(belief)):
            if belief[node] > 0.0 and not can_move(table, held, node, scratch.blocked):
                belief[node] = 0.0
    for place in places:
        scratch.blocked[place] = 0
    return normalise(belief, belief)


@kernel
def can_move(table: FareTable, held: int, node: int, blocked: Bytes) -> bool:
    for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
        if not blocked[table.fares[k] >> 8]:
            return True
    return False


@kernel
def holding(counts: Int32s) -> int:
    """The tickets of which there is at least one, as bits."""
    held = 0
    for ticket in range(N_TICKETS):
        held |= (counts[ticket] > 0) << ticket
    return held
