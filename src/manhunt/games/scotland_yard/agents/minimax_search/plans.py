"""Kernels: what a belief looks like to detectives, and the best joint plans against it.

A plan says where each waiting detective goes. Its utility is

    caught + (1 - caught) * future / (1 + exp(-score))

`caught` is the belief's weight on the plan's nodes, `future` what the turns that are left are worth at most, and
`score` a sum of weighted features of the position after it (`rate`): how well Mr X's exits are covered, hops to where
he is and will be, uncertainty left, tickets, places. An `Outlook` holds what they need of the belief: its likeliest
nodes (`support`), Mr X's exits from each, and the `zone` of all nodes met, with how likely he goes there (`spread`) and
the hops of the two nearest detectives (`near`, `second`), measured anew for every plan.

All plans together are a product of the detectives' moves, far too many, so that a beam puts them together: one
detective after the other, the most threatening first, each partial plan with each of his moves, of which the best
`size` stay; who has not moved yet counts as one hop nearer than he stands. Plans that end on the same nodes are one,
and a move to where Mr X cannot be is skipped if a settled colleague is as near to all that matters. A stage costs
(plans) x (moves) ratings, each a pass over one detective's hops to the zone and over the exits of the support; the
hops of his colleagues are measured once a plan.
"""

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.agents.minimax_search import arrays
from manhunt.games.scotland_yard.agents.minimax_search.arrays import (
    Beam,
    DetectivesTurn,
    MinimaxScratch,
    Outlook,
    TicketGraph,
)
from manhunt.games.scotland_yard.agents.minimax_search.config import Weights

STAYS = -1
ALL_HELD = 7


@kernel
def look_out(graph: TicketGraph, turn: DetectivesTurn, outlook: Outlook) -> None:
    """Make a belief ready: its likeliest nodes, their exits, the zone they span, the centroid."""
    mrx_held = 0
    for kind in range(4):
        mrx_held |= (turn.mrx_counts[kind] > 0) << kind
    for z in range(outlook.facts[arrays.N_ZONE]):
        outlook.slot[outlook.zone[z]] = -1
    n_support = likeliest(turn.belief, len(outlook.support), outlook.support, outlook.weight)
    outlook.weight[:n_support] /= outlook.weight[:n_support].sum()
    n_zone, n_exits = 0, 0
    for i in range(n_support):
        node = outlook.support[i]
        outlook.exit_ptr[i] = n_exits
        n_zone = into_zone(outlook, n_zone, node)
        last = -1
        for k in range(graph.indptr[mrx_held, node], graph.indptr[mrx_held, node + 1]):
            to, price = graph.fares[k] >> 8, 1.0 / (1.0 + turn.mrx_counts[graph.fares[k] >> 3 & 3])
            if to == last:  # fares are sorted by destination
                outlook.price[n_exits - 1] = min(outlook.price[n_exits - 1], price)
            else:
                outlook.exits[n_exits] = to
                outlook.price[n_exits] = price
                n_exits += 1
                n_zone = into_zone(outlook, n_zone, to)
                last = to
    outlook.exit_ptr[n_support] = n_exits
    for i in range(n_support):
        first, end = outlook.exit_ptr[i], outlook.exit_ptr[i + 1]
        for k in range(first, end):
            outlook.exit_slot[k] = outlook.slot[outlook.exits[k]]
            outlook.spread[outlook.exit_slot[k]] += outlook.weight[i] / (end - first)
    for z in range(n_zone):
        chance = outlook.spread[z]
        outlook.doubt[z] = chance * np.log(chance) if chance > 0.0 else 0.0
    outlook.facts[arrays.N_SUPPORT] = n_support
    outlook.facts[arrays.N_ZONE] = n_zone
    outlook.facts[arrays.CENTROID] = centroid(graph, outlook, n_support)
    outlook.facts[arrays.IS_SHOWN_SOON] = turn.shown_soon


@kernel
def likeliest(belief: Floats, most: int, nodes: Int32s, weights: Floats) -> int:
    """The `most` heaviest nodes, heaviest first; returns how many there are."""
    n = 0
    for node in range(len(belief)):
        weight = belief[node]
        if weight <= 0.0 or (n == most and weight <= weights[n - 1]):
            continue
        at = n if n < most else most - 1
        while at > 0 and weights[at - 1] < weight:
            weights[at] = weights[at - 1]
            nodes[at] = nodes[at - 1]
            at -= 1
        weights[at] = weight
        nodes[at] = node
        n = min(n + 1, most)
    return n


@kernel
def into_zone(outlook: Outlook, n_zone: int, node: int) -> int:
    if outlook.slot[node] < 0:
        outlook.slot[node] = n_zone
        outlook.zone[n_zone] = node
        outlook.spread[n_zone] = 0.0
        return n_zone + 1
    return n_zone


@kernel
def centroid(graph: TicketGraph, outlook: Outlook, n_support: int) -> int:
    """The node of the support with the least expected distance to the belief."""
    best, best_hops = -1, np.inf
    for i in range(n_support):
        node, hops = outlook.support[i], 0.0
        for j in range(n_support):
            hops += outlook.weight[j] * graph.hops[ALL_HELD, node, outlook.support[j]]
            if hops >= best_hops:
                break
        if hops < best_hops:
            best, best_hops = node, hops
    return best


@kernel
def held_after(counts: Int32s, ticket: int) -> int:
    """The kinds of ticket (bits) a detective has when he has paid this one."""
    held = 0
    for kind in range(3):
        held |= (counts[kind] - (kind == ticket) > 0) << kind
    return held


@kernel
def nearest_two(graph: TicketGraph, turn: DetectivesTurn, node: int) -> tuple[int, int]:
    """Hops of the two nearest detectives to a node, with the tickets they have."""
    near, second = arrays.MOST_HOPS, arrays.MOST_HOPS
    for d in range(len(turn.places)):
        hops = int(graph.hops[held_after(turn.counts[d], STAYS), turn.places[d], node])
        if hops < near:
            near, second = hops, near
        elif hops < second:
            second = hops
    return near, second


@kernel
def measure_others(
    graph: TicketGraph,
    outlook: Outlook,
    turn: DetectivesTurn,
    places: Int32s,
    tickets: Int32s,
    pending: int,
    mover: int,
) -> float:
    """Hops of the two nearest of a mover's colleagues to every node of the zone; returns their hops to the centroid.

    A detective whose move is not settled yet (a bit of `pending`) counts as one hop nearer than he stands.
    """
    n_zone, n_detectives = outlook.facts[arrays.N_ZONE], len(places)
    for z in range(n_zone):
        outlook.near_other[z] = arrays.MOST_HOPS
        outlook.second_other[z] = arrays.MOST_HOPS
    to_centroid = 0.0
    for d in range(n_detectives):
        if d == mover:
            continue
        slack = pending >> d & 1
        row = graph.hops[held_after(turn.counts[d], STAYS if slack else tickets[d]), places[d]]
        to_centroid += max(row[outlook.facts[arrays.CENTROID]] - slack, 0)
        for z in range(n_zone):
            hops = max(row[outlook.zone[z]] - slack, slack)
            if hops < outlook.near_other[z]:
                outlook.second_other[z] = outlook.near_other[z]
                outlook.near_other[z] = hops
            elif hops < outlook.second_other[z]:
                outlook.second_other[z] = hops
    return to_centroid


@kernel
def measure(
    graph: TicketGraph, outlook: Outlook, safety: Floats, turn: DetectivesTurn, place: int, ticket: int, mover: int
) -> int:
    """The same with the mover there, and how safe each node is; returns his hops to the centroid."""
    row = graph.hops[held_after(turn.counts[mover], ticket), place]
    for z in range(outlook.facts[arrays.N_ZONE]):
        hops, near = int(row[outlook.zone[z]]), outlook.near_other[z]
        second = min(max(hops, near), outlook.second_other[z])
        near = min(hops, near)
        outlook.near[z] = near
        outlook.second[z] = second
        outlook.safe[z] = safety[near, second]
    return int(row[outlook.facts[arrays.CENTROID]])


@kernel
def rate(
    graph: TicketGraph,
    scratch: MinimaxScratch,
    weights: Weights,
    turn: DetectivesTurn,
    places: Int32s,
    tickets: Int32s,
    pending: int,
    mover: int,
    others_to_centroid: float,
) -> tuple[float, float]:
    """The prospects of a joint plan as a sum of weighted features, and its chance of a catch this turn.

    `measure_others` was called for the mover, who alone differs from plan to plan.
    """
    outlook, to_centroid = scratch.outlook, others_to_centroid
    to_centroid += measure(graph, outlook, scratch.safety, turn, places[mover], tickets[mover], mover)
    to_centroid /= len(places)
    caught, cornered, squeezed, near = 0.0, 0.0, 0.0, 0.0
    for i in range(outlook.facts[arrays.N_SUPPORT]):
        z, weight = outlook.slot[outlook.support[i]], outlook.weight[i]
        if outlook.near[z] == 0:
            caught += weight
            continue
        best, total, n_exits = 0.0, 0.0, 0
        for k in range(outlook.exit_ptr[i], outlook.exit_ptr[i + 1]):
            safe = outlook.safe[outlook.exit_slot[k]]
            best = max(best, safe)
            total += safe
            n_exits += 1
        cornered += weight * (1.0 - best)
        squeezed += weight * (1.0 - total / max(n_exits, 1))
        near += weight * (0.75 * outlook.near[z] + 0.25 * outlook.second[z])
    free = max(1.0 - caught, 1e-9)
    score = weights.cornered * cornered / free + weights.squeezed * squeezed / free
    score -= weights.near * near / free / arrays.MOST_HOPS + weights.centroid * to_centroid / arrays.MOST_HOPS
    score += rate_zone(outlook, weights)
    score -= weights.tickets * ticket_cost(turn, tickets, pending)
    if weights.pressure > 0.0:
        score += weights.pressure * ticket_pressure(outlook) / free
    if weights.entropy_drop > 0.0:
        score += weights.entropy_drop * entropy_drop(outlook, turn, free)
    return score + rate_places(graph, weights, places), caught


@kernel
def rate_zone(outlook: Outlook, weights: Weights) -> float:
    """Where Mr X goes next: exits covered, uncertainty left, and the perimeter if he must show himself soon."""
    covered, entropy, perimeter, left = 0.0, 0.0, 0.0, 0.0
    n_zone = outlook.facts[arrays.N_ZONE]
    for z in range(n_zone):
        chance = outlook.spread[z]
        if chance <= 0.0 or outlook.near[z] == 0:
            continue
        if outlook.near[z] <= 1:
            covered += chance
        else:
            entropy -= outlook.doubt[z]
        left += chance
        perimeter += chance * (outlook.second[z] <= 2)
    if left <= 0.0:
        return weights.covered
    score = weights.covered * covered / left - weights.entropy * entropy / np.log(n_zone + 1.0)
    if outlook.facts[arrays.IS_SHOWN_SOON]:
        score += weights.forecast * perimeter / left
    return float(score)


@kernel
def rate_places(graph: TicketGraph, weights: Weights, places: Int32s) -> float:
    """Choke points held, less the penalty for standing together."""
    n, choke, clump = len(places), 0.0, 0.0
    for d in range(n):
        choke += graph.branching[places[d]]
        for other in range(d):
            hops = graph.hops[ALL_HELD, places[d], places[other]]
            clump += 1.0 if hops <= 1 else (0.5 if hops == 2 else 0.0)
    pairs = max(n * (n - 1) / 2, 1.0)
    return weights.choke * choke / n - weights.clump * clump / pairs


@kernel
def ticket_cost(turn: DetectivesTurn, tickets: Int32s, pending: int) -> float:
    """Scarce kinds are dear: for the detective who pays one, and because Mr X gets it."""
    cost = 0.0
    for d in range(len(tickets)):
        kind = tickets[d]
        if kind != STAYS and not pending >> d & 1:
            cost += 1.0 / (1.0 + turn.counts[d, kind]) + 0.5 / (1.0 + turn.mrx_counts[kind])
    return cost / len(tickets)


@kernel
def ticket_pressure(outlook: Outlook) -> float:
    """How scarce a ticket Mr X must pay to get away, over the belief.

    For each of his nodes the least price among exits that no detective can reach at once, 1 if there is none.
    """
    pressure = 0.0
    for i in range(outlook.facts[arrays.N_SUPPORT]):
        if outlook.near[outlook.slot[outlook.support[i]]] == 0:
            continue
        price = 1.0
        for k in range(outlook.exit_ptr[i], outlook.exit_ptr[i + 1]):
            if outlook.near[outlook.exit_slot[k]] > 1:
                price = min(price, outlook.price[k])
        pressure += outlook.weight[i] * price
    return pressure


@kernel
def entropy_drop(outlook: Outlook, turn: DetectivesTurn, free: float) -> float:
    """From the belief a turn before to the one that the plan leaves, as a share of the most there can be.

    The plan leaves the belief without its own nodes, or with chance 1 - free no doubt at all, so that with w the
    weights of the other nodes the expected entropy is free * log(free) - sum of w * log(w).
    """
    left = free * np.log(free)
    for i in range(outlook.facts[arrays.N_SUPPORT]):
        if outlook.near[outlook.slot[outlook.support[i]]] > 0:
            left -= outlook.weight[i] * np.log(outlook.weight[i])
    return float((turn.entropy - left) / np.log(len(outlook.slot) + 1.0))


@kernel
def threat_order(graph: TicketGraph, outlook: Outlook, turn: DetectivesTurn, order: Int32s) -> None:
    """The most threatening detective first: by expected hops to the belief."""
    n = len(turn.places)
    hops = np.zeros(n)
    for d in range(n):
        row = graph.hops[held_after(turn.counts[d], STAYS), turn.places[d]]
        for i in range(outlook.facts[arrays.N_SUPPORT]):
            hops[d] += outlook.weight[i] * row[outlook.support[i]]
    for i in range(n):
        at = i
        while at > 0 and hops[order[at - 1]] > hops[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i


@kernel
def list_moves(graph: TicketGraph, turn: DetectivesTurn, places: Int32s, d: int, moves: Int32s) -> int:
    """The fares of detective d among these places; of two tickets to one node only the more plentiful stays."""
    n, counts = 0, turn.counts[d]
    held = held_after(counts, STAYS)
    for k in range(graph.indptr[held, places[d]], graph.indptr[held, places[d] + 1]):
        fare = graph.fares[k]
        taken = False
        for other in range(len(turn.places)):
            taken = taken or places[other] == fare >> 8
        if taken:
            continue
        if n > 0 and moves[n - 1] >> 8 == fare >> 8:
            if counts[fare >> 3 & 3] > counts[moves[n - 1] >> 3 & 3]:
                moves[n - 1] = fare
            continue
        moves[n] = fare
        n += 1
    return n


@kernel
def is_dominated(
    graph: TicketGraph,
    outlook: Outlook,
    turn: DetectivesTurn,
    plan: Int32s,
    paid: Int32s,
    d: int,
    to: int,
    settled: int,
) -> bool:
    """Whether a settled colleague with at least d's kinds of ticket is as near to all likely nodes as d at `to`."""
    held = held_after(turn.counts[d], STAYS)
    mine = graph.hops[held, to]
    for other in range(len(turn.places)):
        has = held_after(turn.counts[other], paid[other])
        if not settled >> other & 1 or held & ~has:
            continue
        his = graph.hops[has, plan[other]]
        is_faster = True
        for z in range(outlook.facts[arrays.N_ZONE]):
            node = outlook.zone[z]
            if outlook.spread[z] > 0.0 and his[node] > mine[node]:
                is_faster = False
                break
        if is_faster:
            return True
    return False


@kernel
def is_outrun(graph: TicketGraph, turn: DetectivesTurn, d: int, to: int, settled: int) -> bool:
    """Whether a settled colleague with at least d's tickets of every kind could go to `to` in this turn as well."""
    for other in range(len(turn.places)):
        if settled >> other & 1 and graph.hops[held_after(turn.counts[other], STAYS), turn.places[other], to] <= 1:
            has_all = True
            for kind in range(3):
                has_all = has_all and turn.counts[other, kind] >= turn.counts[d, kind]
            if has_all:
                return True
    return False


@kernel
def is_left_out(
    graph: TicketGraph,
    outlook: Outlook,
    turn: DetectivesTurn,
    plan: Int32s,
    paid: Int32s,
    d: int,
    to: int,
    settled: int,
) -> bool:
    """Whether a colleague makes the move of d to `to` pointless, as the setting `dominance` sees it."""
    if turn.dominance == arrays.NO_DOMINANCE:
        return False
    if turn.dominance == arrays.SPEED:
        return is_outrun(graph, turn, d, to, settled)
    return turn.belief[to] <= 0.0 and is_dominated(graph, outlook, turn, plan, paid, d, to, settled)


@kernel
def insert(beam: Beam, n: int, size: int, value: float, key: int) -> tuple[int, int]:
    """Make room among the best `size` plans; returns the place (-1: not wanted) and how many plans there are then.

    Of plans that end on the same nodes only the best stays. The caller fills the place.
    """
    last = n
    for i in range(n):
        if beam.key[i] == key:
            if beam.value[i] >= value:
                return -1, n
            last = i
            break
    if last == size:
        if value <= beam.value[size - 1]:
            return -1, n
        last = size - 1
    at = last
    while at > 0 and beam.value[at - 1] < value:
        beam.places[at] = beam.places[at - 1]
        beam.tickets[at] = beam.tickets[at - 1]
        beam.value[at] = beam.value[at - 1]
        beam.caught[at] = beam.caught[at - 1]
        beam.key[at] = beam.key[at - 1]
        at -= 1
    return at, n + (last == n)


@kernel
def settle(score: float, caught: float, future: float) -> float:
    """Features and the chance of a catch as one utility in [0, 1]."""
    return float(caught + (1.0 - caught) * future / (1.0 + np.exp(-score)))


@kernel
def extend(
    graph: TicketGraph,
    scratch: MinimaxScratch,
    weights: Weights,
    turn: DetectivesTurn,
    beam: Beam,
    b: int,
    d: int,
    fare: int,
    pending: int,
    others_to_centroid: float,
    out: Beam,
    n: int,
) -> int:
    """Rate partial plan b with one more move (fare -1: he cannot) and keep it in `out` if it is among the best."""
    here = beam.places[b, d]
    to, ticket = (here, STAYS) if fare < 0 else (fare >> 8, fare >> 3 & 3)
    beam.places[b, d], beam.tickets[b, d] = to, ticket
    n_detectives = len(turn.places)
    plan, paid = beam.places[b, :n_detectives], beam.tickets[b, :n_detectives]
    score, caught = rate(graph, scratch, weights, turn, plan, paid, pending, d, others_to_centroid)
    value = settle(score, caught, turn.future)
    key = beam.key[b] - graph.keys[here] + graph.keys[to]
    at, n = insert(out, n, turn.size, value, key)
    if at >= 0:
        out.places[at], out.tickets[at] = beam.places[b], beam.tickets[b]
        out.value[at], out.caught[at], out.key[at] = value, caught, key
    beam.places[b, d], beam.tickets[b, d] = here, STAYS
    return n


@kernel
def joint_plans(graph: TicketGraph, weights: Weights, turn: DetectivesTurn, scratch: MinimaxScratch) -> int:
    """Fill scratch.beam with the best joint plans of the waiting detectives, best first; returns how many."""
    outlook, n_detectives = scratch.outlook, len(turn.places)
    look_out(graph, turn, outlook)
    if turn.seated:
        scratch.order[:] = np.arange(len(scratch.order))
    else:
        threat_order(graph, outlook, turn, scratch.order)
    beam, other = scratch.beam, scratch.other
    beam.places[0, :n_detectives] = turn.places
    beam.tickets[0] = STAYS
    beam.key[0] = 0
    for place in turn.places:
        beam.key[0] += graph.keys[place]
    n, pending = 1, turn.waiting
    settled, n_stages = 0, 0
    for stage in range(n_detectives):
        d = scratch.order[stage]
        if turn.waiting >> d & 1:
            pending &= ~(1 << d)
            n = next_beam(graph, scratch, weights, turn, beam, n, d, pending, settled, other)
            beam, other = other, beam
            settled |= 1 << d
            n_stages += 1
    if n_stages % 2 == 1:
        copy_beam(beam, scratch.beam, n)
    return n


@kernel
def next_beam(
    graph: TicketGraph,
    scratch: MinimaxScratch,
    weights: Weights,
    turn: DetectivesTurn,
    beam: Beam,
    n_plans: int,
    d: int,
    pending: int,
    settled: int,
    out: Beam,
) -> int:
    """All partial plans with every move of detective d that is worth a look; returns how many are kept."""
    n, n_detectives = 0, len(turn.places)
    for b in range(n_plans):
        plan, paid = beam.places[b, :n_detectives], beam.tickets[b, :n_detectives]
        others = measure_others(graph, scratch.outlook, turn, plan, paid, pending, d)
        n_moves = list_moves(graph, turn, plan, d, scratch.moves)
        n_tried = 0
        for m in range(n_moves):
            to = scratch.moves[m] >> 8
            if not is_left_out(graph, scratch.outlook, turn, plan, paid, d, to, settled):
                n = extend(graph, scratch, weights, turn, beam, b, d, scratch.moves[m], pending, others, out, n)
                n_tried += 1
        if n_moves == 0:
            n = extend(graph, scratch, weights, turn, beam, b, d, -1, pending, others, out, n)
        elif n_tried == 0:
            for m in range(n_moves):
                n = extend(graph, scratch, weights, turn, beam, b, d, scratch.moves[m], pending, others, out, n)
    return n


@kernel
def copy_beam(source: Beam, out: Beam, n: int) -> None:
    out.places[:n] = source.places[:n]
    out.tickets[:n] = source.tickets[:n]
    out.value[:n] = source.value[:n]
    out.caught[:n] = source.caught[:n]
