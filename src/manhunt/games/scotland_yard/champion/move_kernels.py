"""Mr X's moves with their values: what everybody will believe after each sight of a move, and what a net says then.

A sight is what is seen of a move: a ticket, for a double move two, and the node in shown rounds. The belief after it,
and so the public features, do not depend on where Mr X stands. So they are made once for each sight (`look_ahead` for
what all sights share, `open_sight` for the rest at first use) and serve for all his moves, and for all nodes where he
might stand when the detectives ask what he would do from there. What the net says of a hidden sight and the node where
the move ends is kept, too.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Bytes, Float32s, Floats, Int32s, Int64s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.beliefs import weighted_kernels as filters
from manhunt.games.scotland_yard.beliefs.models import new_factors
from manhunt.games.scotland_yard.beliefs.weighted_kernels import Factors, FilterScratch, Seen
from manhunt.games.scotland_yard.champion.feature_kernels import (
    ALL_KINDS,
    ChampionGraph,
    Placement,
    Spread,
    chance_at,
    keep_ground,
    new_placement,
    new_spread,
    place_detectives,
    public_features,
    public_sums,
    spread_out,
)
from manhunt.games.scotland_yard.champion.features import N_FEATURES, N_PUBLIC
from manhunt.games.scotland_yard.champion.nets import N_HIDDEN
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.search.value_net import ValueNet

N_TICKETS = 4
N_HIDDEN_SIGHTS = N_TICKETS + N_TICKETS * N_TICKETS
SHOWN = N_HIDDEN_SIGHTS
"""The first row of sights with a node in them, by the ticket paid last; each holds one sight at a time."""
N_SIGHTS = SHOWN + N_TICKETS
N_KEPT = 1 << 14
"""Room for the values of moves with such sights; what does not fit is asked again."""
HASH = np.uint64(0x9E3779B97F4A7C15)
U50 = np.uint64(50)
NO_KEY = -1
LEAST_PROBABILITY = 0.002
"""Nodes that are less likely are not asked what Mr X would do there."""
LEAST_FOR_DOUBLES = 0.01
"""From nodes that are less likely he is supposed to make single moves only: double moves are many."""


class Sights(NamedTuple):
    """By ticket the belief after a single move (`one`, not normalised) and in the middle of a double move (`mid`).

    Rows 0 to 3 of `beliefs`, `public`, `sums` (what these make of the hidden layer), `held` (Mr X's kinds of ticket
    afterwards, as bits) and `values` (by node where the move ends; NaN: not asked yet) are single moves by ticket, 4 to
    19 double moves by both tickets, the last are SHOWN; `keys` says of which sight a row is. The arrays of `spread` say
    where each belief is not 0. `kept` is a hash table of the values of moves with a node in their sight.
    """

    one: Floats
    mid: Floats
    beliefs: Floats
    public: Float32s
    sums: Float32s
    held: Int32s
    values: Floats
    keys: Int64s
    n_spread: Int32s
    spread_nodes: Int32s
    spread_chances: Floats
    kept_keys: Int64s
    kept_values: Floats
    factors: Factors
    state: Int32s


class MoveList(NamedTuple):
    """Mr X's moves, without those that look like another and end on the same node: action, value, row of the sight.

    A hidden sight and a node are in the list of call number `call` if `seen` says so.
    """

    listed: Int64s
    actions: Int64s
    values: Floats
    sights: Int32s
    seen: Int32s
    call: Int32s


class ChampionScratch(NamedTuple):
    """Room for the kernels; one per agent."""

    placement: Placement
    sights: Sights
    moves: MoveList
    filter: FilterScratch
    state: Int32s
    belief: Floats
    spread: Spread
    public: Float32s
    sums: Float32s
    row: Float32s
    hidden: Float32s


def new_champion_scratch(config: ScotlandYardConfig) -> ChampionScratch:
    n, most, size = config.board.n_nodes, packed.most_actions(config), packed.state_size(config)
    sights = Sights(
        np.zeros((N_TICKETS, n)),
        np.zeros((N_TICKETS, n)),
        np.zeros((N_SIGHTS, n)),
        np.zeros((N_SIGHTS, N_PUBLIC), np.float32),
        np.zeros((N_SIGHTS, N_HIDDEN), np.float32),
        np.zeros(N_SIGHTS, np.int32),
        np.zeros((N_SIGHTS, n)),
        np.full(N_SIGHTS, NO_KEY, np.int64),
        np.zeros((N_SIGHTS, 1), np.int32),
        np.zeros((N_SIGHTS, n), np.int32),
        np.zeros((N_SIGHTS, n)),
        np.full(N_KEPT, NO_KEY, np.int64),
        np.zeros(N_KEPT),
        new_factors(config.board),
        np.zeros(size, np.int32),
    )
    moves = MoveList(
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros(most, np.int32),
        np.zeros((N_HIDDEN_SIGHTS, n), np.int32),
        np.zeros(1, np.int32),
    )
    return ChampionScratch(
        new_placement(n),
        sights,
        moves,
        FilterScratch(np.zeros(n, np.uint8), np.zeros((n, 4)), np.zeros(n), np.zeros(n), np.zeros((2, 5))),
        np.zeros(size, np.int32),
        np.zeros(n),
        new_spread(n),
        np.zeros(N_PUBLIC, np.float32),
        np.zeros(N_HIDDEN, np.float32),
        np.zeros(N_FEATURES, np.float32),
        np.zeros(N_HIDDEN, np.float32),
    )


@kernel
def look_ahead(graph: ChampionGraph, state: Int32s, belief: Floats, scratch: ChampionScratch) -> None:
    """Before Mr X's move: the detectives' hops, and the belief after every ticket he may pay.

    The filter of `weighted_kernels` for all tickets at once. From node v, move m has the chance w(m) / w(all from v).
    """
    table, sights, factors = graph.table, scratch.sights, scratch.sights.factors
    place_detectives(graph, state, scratch.placement)
    places = state[packed.PLACES : packed.PLACES + table.n_detectives]
    counts = state[packed.TICKETS : packed.TICKETS + 5]
    held = int(state[packed.HELD])
    filters.soft_factors(graph.model, table.shown, places, int(state[packed.N_LOGGED]), graph.theta, factors)
    for place in places:
        factors.end[:, place] = 0.0
    with_doubles = kernels.doubles_allowed(table, state)
    if with_doubles:
        filters.sum_ways(table, held, counts, factors, scratch.filter.ways)
        for place in places:
            scratch.filter.ways[place] = 0.0
    sights.one[:] = 0.0
    sights.mid[:] = 0.0
    sights.keys[:] = NO_KEY
    slot = state[packed.N_LOGGED]
    if table.shown[slot] or (with_doubles and table.shown[slot + 1]):
        sights.kept_keys[:] = NO_KEY
    for node in range(len(belief)):
        if belief[node] <= 0.0:
            continue
        weight = filters.weight_of_all(table, held, node, with_doubles, factors, scratch.filter.ways)
        if weight <= 0.0:
            continue
        share = belief[node] / weight
        for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
            to, ticket = table.fares[k] >> 8, table.fares[k] >> 3 & 3
            sights.one[ticket, to] += share * factors.single[ticket] * factors.end[0, to]
            sights.mid[ticket, to] += share * factors.double[node] * factors.first[ticket]
    for place in places:
        sights.mid[:, place] = 0.0


@kernel
def end_of(action: int) -> int:
    """The node on which a move of Mr X ends."""
    return action >> 24 if action & packed.DOUBLE_BIT else action >> 8


@kernel
def sight_of(graph: ChampionGraph, state: Int32s, action: int) -> int:
    """The row of a move's sight."""
    slot = state[packed.N_LOGGED]
    return sight_row(graph.table.shown[slot : slot + 2], action)


@kernel
def sight_row(shown: Bytes, action: int) -> int:
    """`shown` is of the rounds of the move and, if there is one, after it."""
    first, last = action >> 3 & 3, action >> 6 & 3
    if not action & packed.DOUBLE_BIT:
        return SHOWN if shown[0] else first
    return SHOWN + last if shown[0] or shown[1] else N_TICKETS + N_TICKETS * first + last


@kernel
def sight_key(shown: Bytes, action: int) -> int:
    """0 for hidden sights; else the move without what cannot be seen of it."""
    if not action & packed.DOUBLE_BIT:
        return action if shown[0] else 0
    if shown[0]:
        return action if shown[1] else action & ((1 << 24) - 1)
    return action & ~(0xFFFF << 8) if shown[1] else 0


@kernel
def kept_at(keys: Int64s, key: int) -> int:
    """Where a key of `kept` is or may be put; -1 if there is no room."""
    i = int(np.int64(np.uint64(key) * HASH >> U50))
    for _ in range(64):
        if keys[i] == key or keys[i] == NO_KEY:
            return i
        i = (i + 1) & (N_KEPT - 1)
    return -1


@kernel
def belief_after(graph: ChampionGraph, state: Int32s, action: int, sights: Sights, out: Floats) -> None:
    """What everybody believes after a move; `look_ahead` was called on this state."""
    table, slot = graph.table, state[packed.N_LOGGED]
    out[:] = 0.0
    is_double = (action & packed.DOUBLE_BIT) != 0
    if table.shown[slot + is_double]:
        out[end_of(action)] = 1.0
        return
    ticket, mid = action >> 3 & 3, action >> 8 & 0xFFFF
    if not is_double:
        out[:] = sights.one[ticket]
    else:
        paid = 1 << (action >> 6 & 3)
        for node in range(len(out)):
            weight = sights.mid[ticket, node]
            if table.shown[slot]:
                weight = 1.0 if node == mid else 0.0
            if weight > 0.0:
                for k in range(table.indptr[paid, node], table.indptr[paid, node + 1]):
                    to = table.fares[k] >> 8
                    out[to] += weight * sights.factors.end[1, to]
    if filters.normalise(out, out) <= 0.0:
        out[end_of(action)] = 1.0  # what cannot be by the belief has happened


@kernel
def spread_of(sights: Sights, row: int) -> Spread:
    return Spread(sights.n_spread[row], sights.spread_nodes[row], sights.spread_chances[row])


@kernel
def open_sight(graph: ChampionGraph, net: ValueNet, state: Int32s, action: int, scratch: ChampionScratch) -> int:
    """Fill the row of a move's sight, unless it is there; returns the row."""
    sights, slot = scratch.sights, state[packed.N_LOGGED]
    shown = graph.table.shown[slot : slot + 2]
    row, key = sight_row(shown, action), sight_key(shown, action)
    if sights.keys[row] != key:
        belief_after(graph, state, action, sights, sights.beliefs[row])
        sights.state[:] = state
        kernels.move_mrx(graph.table, sights.state, action)
        spread_out(sights.beliefs[row], spread_of(sights, row))
        public_features(graph, sights.state, spread_of(sights, row), scratch.placement, sights.public[row])
        public_sums(net, sights.public[row], sights.sums[row])
        sights.held[row] = sights.state[packed.HELD]
        sights.values[row] = np.nan
        sights.keys[row] = key
    return row


@kernel
def rate_moves(graph: ChampionGraph, net: ValueNet, state: Int32s, with_doubles: bool, scratch: ChampionScratch) -> int:
    """All moves of Mr X from his node in `state` with their values; `look_ahead` was called. Returns how many.

    A sight and an end that were asked before are looked up. Few calls take the whole scratch: that would cost more.
    """
    moves, sights, placement, hops = scratch.moves, scratch.sights, scratch.placement, graph.hops[ALL_KINDS]
    n_listed = kernels.singles(graph.table, state, 0, moves.listed, 0)
    if with_doubles and kernels.doubles_allowed(graph.table, state):
        n_listed = kernels.doubles(graph.table, state, moves.listed, n_listed)
    shown = graph.table.shown[state[packed.N_LOGGED] : state[packed.N_LOGGED] + 2]
    moves.call[0] += 1
    n, call = 0, moves.call[0]
    for i in range(n_listed):
        action = int(moves.listed[i])
        row, key, end, at, value = sight_row(shown, action), sight_key(shown, action), end_of(action), -1, np.nan
        if row < SHOWN:
            if moves.seen[row, end] == call:
                continue
            moves.seen[row, end] = call
            if sights.keys[row] == key:
                value = sights.values[row, end]
        else:
            at = kept_at(sights.kept_keys, key | end << 40)
            if at >= 0 and sights.kept_keys[at] != NO_KEY:
                value = sights.kept_values[at]
        if np.isnan(value):
            if sights.keys[row] != key:
                open_sight(graph, net, state, action, scratch)
            held = int(sights.held[row])
            if placement.held[end] != held:
                keep_ground(graph, net, placement, held, end, scratch.row)
            spread, sums = spread_of(sights, row), sights.sums[row]
            value = chance_at(hops, net, placement, spread, sums, end, scratch.row, scratch.hidden)
            if row < SHOWN:
                sights.values[row, end] = value
            elif at >= 0:
                sights.kept_keys[at] = key | end << 40
                sights.kept_values[at] = value
        moves.actions[n] = action
        moves.values[n] = value
        moves.sights[n] = row
        n += 1
    return n


@kernel
def best_of(values: Floats, n: int) -> int:
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best


@kernel
def rated(
    graph: ChampionGraph, net: ValueNet, state: Int32s, belief: Floats, with_doubles: bool, scratch: ChampionScratch
) -> int:
    """`look_ahead` and `rate_moves` in one call."""
    look_ahead(graph, state, belief, scratch)
    return rate_moves(graph, net, state, with_doubles, scratch)


@kernel
def fits(seen: Seen, action: int) -> bool:
    """Whether a move would have looked like this."""
    is_double = (action & packed.DOUBLE_BIT) != 0
    if is_double != (seen.ticket2 != filters.NOTHING) or action >> 3 & 3 != seen.ticket:
        return False
    if seen.node != filters.NOTHING and action >> 8 & 0xFFFF != seen.node:
        return False
    if not is_double:
        return True
    return action >> 6 & 3 == seen.ticket2 and (seen.node2 == filters.NOTHING or action >> 24 == seen.node2)


@kernel
def weigh_moves(
    graph: ChampionGraph,
    net: ValueNet,
    state: Int32s,
    probability: float,
    deeper: Floats,
    temperature: float,
    scratch: ChampionScratch,
) -> int:
    """Mr X's moves from his node in `state`; `moves.values` become their chances by softmax(value / temperature).

    `deeper` has better values than the net's for some sights and ends, else NaN; `probability` is how likely he is
    there.
    """
    n = rate_moves(graph, net, state, probability >= LEAST_FOR_DOUBLES, scratch)
    moves = scratch.moves
    for i in range(n):
        if moves.sights[i] < SHOWN:
            better = deeper[moves.sights[i], end_of(int(moves.actions[i]))]
            if not np.isnan(better):
                moves.values[i] = better
    if n:
        best, total = moves.values[best_of(moves.values, n)], 0.0
        for i in range(n):
            moves.values[i] = np.exp((moves.values[i] - best) / temperature)
            total += moves.values[i]
        for i in range(n):
            moves.values[i] /= total
    return n


@kernel
def informed_belief(
    graph: ChampionGraph,
    net: ValueNet,
    state: Int32s,
    belief: Floats,
    informed: Floats,
    seen: Seen,
    deeper: Floats,
    temperature: float,
    scratch: ChampionScratch,
    out: Floats,
) -> float:
    """Bayes for a sight if Mr X, wherever he is, chooses as `weigh_moves` says.

    `state` and `belief` (which his values are based on) are those before the move, `informed` is what the detectives
    thought. Returns the probability of the sight; `out` adds up to 1 unless that is 0.
    """
    out[:] = 0.0
    look_ahead(graph, state, belief, scratch)
    moves, quarry = scratch.moves, state[packed.QUARRY]
    for node in range(len(informed)):
        if informed[node] < LEAST_PROBABILITY:
            continue
        state[packed.QUARRY] = node
        for i in range(weigh_moves(graph, net, state, informed[node], deeper, temperature, scratch)):
            action = int(moves.actions[i])
            if fits(seen, action):
                out[end_of(action)] += informed[node] * moves.values[i]
    state[packed.QUARRY] = quarry
    return filters.normalise(out, out)


@kernel
def informed_sights(
    graph: ChampionGraph,
    net: ValueNet,
    state: Int32s,
    belief: Floats,
    informed: Floats,
    deeper: Floats,
    temperature: float,
    scratch: ChampionScratch,
    out: Floats,
    examples: Int64s,
) -> None:
    """`informed_belief` of all hidden sights at once, one row each (not normalised), with a move that looks like it."""
    out[:] = 0.0
    look_ahead(graph, state, belief, scratch)
    moves, quarry = scratch.moves, state[packed.QUARRY]
    for node in range(len(informed)):
        if informed[node] < LEAST_PROBABILITY:
            continue
        state[packed.QUARRY] = node
        for i in range(weigh_moves(graph, net, state, informed[node], deeper, temperature, scratch)):
            action, row = int(moves.actions[i]), moves.sights[i]
            out[row, end_of(action)] += informed[node] * moves.values[i]
            examples[row] = action
    state[packed.QUARRY] = quarry
