"""Joint plans of the detectives, compiled: how good one is by the net, better ones nearby, and cheap ones for training.

A plan is where each detective ends (`places`) and the ticket he pays (`tickets`, -1: he stays). Only detectives who
wait may move. No plan made here goes where a colleague stands now, so that its moves can be made in any order.
"""

import numpy as np

from manhunt.core.arrays import Floats, Int32s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below, next_bits
from manhunt.games.scotland_yard.beliefs import weighted_kernels as filters
from manhunt.games.scotland_yard.champion.feature_kernels import (
    ALL_KINDS,
    ChampionGraph,
    chance_at,
    keep_ground,
    place_detectives,
    public_features,
    public_sums,
    spread_out,
)
from manhunt.games.scotland_yard.champion.features import FAR_HOPS
from manhunt.games.scotland_yard.champion.move_kernels import (
    ChampionScratch,
    best_of,
    look_ahead,
    rate_moves,
)
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.kernels import CAPTURED, EXHAUSTED, GOES_ON, SURVIVED
from manhunt.search.value_net import ValueNet

STAYS = -1
U11 = np.uint64(11)
FADES = np.array((0.55, 0.8, 0.9))
"""For `gather`: how fast the danger of the nearest, second and third detective fades with each hop."""


@kernel
def uniform(rng: Words) -> float:
    """From 0 to less than 1."""
    return float(next_bits(rng) >> U11) / 9007199254740992.0


@kernel
def move_team(state: Int32s, places: Int32s, tickets: Int32s) -> None:
    """Carry out a plan; then it is Mr X's turn."""
    for d in range(len(places)):
        if tickets[d] != STAYS:
            kernels.move_detective(state, (d + 1) | tickets[d] << 3 | places[d] << 8)
    state[packed.WAITING] = 0


@kernel
def carry_out(
    graph: ChampionGraph, state: Int32s, belief: Floats, places: Int32s, tickets: Int32s, scratch: ChampionScratch
) -> int:
    """The plan is made and the belief told that the game goes on, if it does; returns the code of the end."""
    move_team(state, places, tickets)
    code = kernels.outcome(graph.table, state)
    if code == GOES_ON:
        end, counts = packed.PLACES + graph.table.n_detectives, state[packed.TICKETS : packed.TICKETS + 5]
        filters.strike(graph.table, belief, state[packed.PLACES : end], counts, True, scratch.filter)
    return code


@kernel
def plan_value(
    graph: ChampionGraph,
    net: ValueNet,
    state: Int32s,
    belief: Floats,
    informed: Floats,
    least: float,
    places: Int32s,
    tickets: Int32s,
    scratch: ChampionScratch,
) -> float:
    """Mr X's chance after a plan: sum over nodes of informed(node) * net(node), where caught and stuck count 0.

    The net sees the public belief without the nodes that the plan clears. Nodes less likely than `least` are left out.
    """
    after, struck = scratch.state, scratch.belief
    after[:] = state
    move_team(after, places, tickets)
    place_detectives(graph, after, scratch.placement)
    struck[:] = belief
    for place in places:
        struck[place] = 0.0
    if filters.normalise(struck, struck) <= 0.0:
        return 0.0
    can_hunt = False
    for seat in range(1, graph.table.n_detectives + 1):
        can_hunt = can_hunt or kernels.can_move(graph.table, after, seat)
    is_over = after[packed.N_LOGGED] == len(graph.table.shown) or not can_hunt
    spread_out(struck, scratch.spread)
    public_features(graph, after, scratch.spread, scratch.placement, scratch.public)
    public_sums(net, scratch.public, scratch.sums)
    held, value, hops = int(after[packed.HELD]), 0.0, graph.hops[ALL_KINDS]
    for node in range(len(informed)):
        if informed[node] <= least or scratch.placement.near[node] == 0:
            continue
        after[packed.QUARRY] = node
        if is_over:
            value += informed[node]
        elif kernels.can_move(graph.table, after, 0):
            keep_ground(graph, net, scratch.placement, held, node, scratch.row)
            value += informed[node] * chance_at(
                hops, net, scratch.placement, scratch.spread, scratch.sums, node, scratch.row, scratch.hidden
            )
    return value


@kernel
def is_taken(state: Int32s, places: Int32s, d: int, node: int) -> bool:
    """Whether another detective stands there or will."""
    for other in range(len(places)):
        if state[packed.PLACES + other] == node or (other != d and places[other] == node):
            return True
    return False


@kernel
def improve_one(
    graph: ChampionGraph,
    net: ValueNet,
    state: Int32s,
    belief: Floats,
    informed: Floats,
    least: float,
    places: Int32s,
    tickets: Int32s,
    d: int,
    value: float,
    scratch: ChampionScratch,
) -> float:
    """Give detective d the best move among those of his colleagues; returns the new value, lower if it is better."""
    if tickets[d] == STAYS:
        return value
    table, node = graph.table, state[packed.PLACES + d]
    held = state[packed.HELD + 1 + d]
    best_place, best_ticket = places[d], tickets[d]
    for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
        to, ticket = table.fares[k] >> 8, table.fares[k] >> 3 & 3
        if (to == best_place and ticket == best_ticket) or is_taken(state, places, d, to):
            continue
        places[d], tickets[d] = to, ticket
        tried = plan_value(graph, net, state, belief, informed, least, places, tickets, scratch)
        if tried < value - 1e-7:
            value, best_place, best_ticket = tried, to, ticket
    places[d], tickets[d] = best_place, best_ticket
    return value


@kernel
def danger(graph: ChampionGraph, belief: Floats, held: Int32s, places: Int32s, fades: Floats) -> float:
    """How close the team is to the belief: sum of p * (1 - product of fade_i ** hops_i) over its three nearest."""
    total = 0.0
    for node in range(len(belief)):
        if belief[node] <= 1e-4:
            continue
        first, second, third = FAR_HOPS, FAR_HOPS, FAR_HOPS
        for d in range(len(places)):
            hops = int(graph.hops[held[d], places[d], node])
            if hops < first:
                first, second, third = hops, first, second
            elif hops < second:
                second, third = hops, second
            elif hops < third:
                third = hops
        if first > 0:
            total += belief[node] * (
                1.0 - fades[0] ** first * (1.0 + fades[1] ** second * (1.0 + fades[2] ** third)) / 3.0
            )
    return total


@kernel
def gather(
    graph: ChampionGraph, state: Int32s, belief: Floats, rng: Words, places: Int32s, tickets: Int32s, fades: Floats
) -> None:
    """A plan by coordinate descent from a random one: detective by detective the move that brings the team closest."""
    table, n = graph.table, len(places)
    held = np.zeros(n, np.int32)
    for d in range(n):
        held[d] = state[packed.HELD + 1 + d] & ALL_KINDS
    scatter(graph, state, rng, places, tickets)
    value, idle, d = danger(graph, belief, held, places, fades), 0, below(rng, n)
    while idle < n:
        d = (d + 1) % n
        idle += 1
        if tickets[d] == STAYS:
            continue
        node, best_place, best_ticket = state[packed.PLACES + d], places[d], tickets[d]
        for k in range(table.indptr[held[d], node], table.indptr[held[d], node + 1]):
            to, ticket = table.fares[k] >> 8, table.fares[k] >> 3 & 3
            if to == best_place or is_taken(state, places, d, to):
                continue
            places[d] = to
            tried = danger(graph, belief, held, places, fades)
            if tried < value - 1e-9:
                value, best_place, best_ticket, idle = tried, to, ticket, 0
        places[d], tickets[d] = best_place, best_ticket


@kernel
def scatter(graph: ChampionGraph, state: Int32s, rng: Words, places: Int32s, tickets: Int32s) -> None:
    """Every detective who waits makes a random move, if he has one."""
    table = graph.table
    for d in range(len(places)):
        places[d], tickets[d] = state[packed.PLACES + d], STAYS
    for d in range(len(places)):
        node, held, n = state[packed.PLACES + d], state[packed.HELD + 1 + d], 0
        if not state[packed.WAITING] >> d & 1:
            continue
        for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
            to = table.fares[k] >> 8
            if not is_taken(state, places, d, to):
                n += 1
                if below(rng, n) == 0:
                    places[d], tickets[d] = to, table.fares[k] >> 3 & 3


@kernel
def chase(graph: ChampionGraph, state: Int32s, belief: Floats, rng: Words, places: Int32s, tickets: Int32s) -> None:
    """Every detective runs towards a node drawn from the belief, mostly the same for all."""
    table = graph.table
    for d in range(len(places)):
        places[d], tickets[d] = state[packed.PLACES + d], STAYS
    goal = draw_node(belief, rng)
    for d in range(len(places)):
        if not state[packed.WAITING] >> d & 1:
            continue
        if uniform(rng) < 0.3:
            goal = draw_node(belief, rng)
        node, held, best = state[packed.PLACES + d], state[packed.HELD + 1 + d], 127
        for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
            to = table.fares[k] >> 8
            hops = graph.hops[ALL_KINDS, to, goal]
            if hops < best and not is_taken(state, places, d, to):
                best, places[d], tickets[d] = hops, to, table.fares[k] >> 3 & 3


@kernel
def draw_node(belief: Floats, rng: Words) -> int:
    left, last = uniform(rng), 0
    for node in range(len(belief)):
        if belief[node] > 0.0:
            last = node
            left -= belief[node]
            if left < 0.0:
                break
    return last


@kernel
def value_of_end(code: int) -> float:
    return 1.0 if code in (SURVIVED, EXHAUSTED) else 0.0


@kernel
def answered(
    graph: ChampionGraph,
    net: ValueNet,
    state: Int32s,
    belief: Floats,
    places: Int32s,
    tickets: Int32s,
    chances: Floats,
    nodes: Int32s,
    post: Int32s,
    struck: Floats,
    scratch: ChampionScratch,
    out: Floats,
) -> None:
    """For each node where Mr X may have ended: what his best single move is worth after the detectives' answer.

    The answer is one of the plans, with these chances; `state` and `belief` are what is public after his move. `post`
    and `struck` are room of the caller.
    """
    out[:] = 0.0
    for q in range(len(chances)):
        post[:] = state
        move_team(post, places[q], tickets[q])
        struck[:] = belief
        end, counts = packed.PLACES + graph.table.n_detectives, post[packed.TICKETS : packed.TICKETS + 5]
        filters.strike(graph.table, struck, post[packed.PLACES : end], counts, True, scratch.filter)
        is_ready = False
        for i in range(len(nodes)):
            post[packed.QUARRY] = nodes[i]
            code = kernels.outcome(graph.table, post)
            if code == CAPTURED:
                continue
            if code != GOES_ON:
                out[i] += chances[q] * value_of_end(code)
                continue
            if not is_ready:
                look_ahead(graph, post, struck, scratch)
                is_ready = True
            n = rate_moves(graph, net, post, False, scratch)
            out[i] += chances[q] * scratch.moves.values[best_of(scratch.moves.values, n)]
