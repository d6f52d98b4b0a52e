"""Kernels: what Mr X may do after a plan, merged by what the detectives would see of it."""

import numpy as np

from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.agents.minimax_search.arrays import DetectivesTurn, MinimaxScratch, TicketGraph
from manhunt.games.scotland_yard.agents.minimax_search.config import Weights
from manhunt.games.scotland_yard.agents.minimax_search.plans import likeliest, nearest_two

SECRET, DOUBLE = 3, 4
N_KINDS = 5
UNKNOWN = -1


@kernel
def appeal(graph: TicketGraph, scratch: MinimaxScratch, weights: Weights, turn: DetectivesTurn, to: int) -> float:
    """How much a careful Mr X likes a node; 0 where a detective stands."""
    near, second = nearest_two(graph, turn, to)
    if near == 0:
        return 0.0
    return float(scratch.safety[near, second] ** weights.caution + 1e-6)


@kernel
def replies(
    graph: TicketGraph, weights: Weights, turn: DetectivesTurn, n_hypotheses: int, scratch: MinimaxScratch
) -> tuple[int, float]:
    """Fill room.replies (beliefs), chances and kinds; returns their number and how much of the belief they come from.

    turn.places and turn.counts are those after the plan. Only the likeliest nodes stand for the belief. A hidden
    reply is known by its ticket (a double move as such), one in a shown round by its node; `turn.shown_soon` tells
    which. No reply means that Mr X cannot move.
    """
    n_kinds = N_KINDS
    for kind in range(n_kinds):
        scratch.replies[kind, :] = 0.0
        scratch.chances[kind] = 0.0
        scratch.kinds[kind] = kind
    support, weight = scratch.outlook.support, scratch.outlook.weight
    n = likeliest(turn.belief, n_hypotheses, support, weight)
    covered = 0.0
    for i in range(n):
        covered += weight[i]
    held = 0
    for kind in range(4):
        held |= (turn.mrx_counts[kind] > 0) << kind
    doubling = weights.doubling if turn.mrx_counts[DOUBLE] > 0 and not turn.shown_soon else 0.0
    for i in range(n):
        reply_from(graph, scratch, weights, turn, support[i], weight[i] / covered, held, doubling)
    if turn.shown_soon:
        n_kinds = split_by_node(scratch)
    return close_ranks(scratch, n_kinds), covered


@kernel
def reply_from(
    graph: TicketGraph,
    scratch: MinimaxScratch,
    weights: Weights,
    turn: DetectivesTurn,
    node: int,
    weight: float,
    held: int,
    doubling: float,
) -> None:
    """Add Mr X's replies from one node, by ticket."""
    first, end = graph.indptr[held, node], graph.indptr[held, node + 1]
    total, last, liking = 0.0, -1, 0.0
    for k in range(first, end):
        fare = graph.fares[k]
        if fare >> 8 != last:
            last = fare >> 8
            liking = appeal(graph, scratch, weights, turn, last)
            scratch.steps[0, last] = liking
        total += liking * (weights.secrecy if fare >> 3 & 3 == SECRET else 1.0)
    if total <= 0.0:
        return
    for k in range(first, end):
        fare = graph.fares[k]
        to, kind = fare >> 8, fare >> 3 & 3
        share = weight * scratch.steps[0, to] * (weights.secrecy if kind == SECRET else 1.0) / total
        if share > 0.0:
            scratch.replies[kind, to] += share * (1.0 - doubling)
            scratch.chances[kind] += share * (1.0 - doubling)
            if doubling > 0.0:
                second_step(graph, scratch, weights, turn, to, share * doubling, held)


@kernel
def second_step(
    graph: TicketGraph,
    scratch: MinimaxScratch,
    weights: Weights,
    turn: DetectivesTurn,
    node: int,
    weight: float,
    held: int,
) -> None:
    total, last = 0.0, -1
    for k in range(graph.indptr[held, node], graph.indptr[held, node + 1]):
        to = graph.fares[k] >> 8
        if to != last:
            last = to
            scratch.steps[1, to] = appeal(graph, scratch, weights, turn, to)
            total += scratch.steps[1, to]
    if total <= 0.0:
        return
    last = -1
    for k in range(graph.indptr[held, node], graph.indptr[held, node + 1]):
        to = graph.fares[k] >> 8
        if to != last:
            last = to
            scratch.replies[DOUBLE, to] += weight * scratch.steps[1, to] / total
    scratch.chances[DOUBLE] += weight


@kernel
def split_by_node(scratch: MinimaxScratch) -> int:
    """In a shown round: one reply for each of the likeliest nodes."""
    merged, most = scratch.steps[1], scratch.replies.shape[0]
    merged[:] = 0.0
    for kind in range(4):
        merged += scratch.replies[kind]
    nodes, weights = np.zeros(most, np.int32), np.zeros(most)
    n = likeliest(merged, most, nodes, weights)
    total = 0.0
    for i in range(n):
        total += weights[i]
    for i in range(n):
        scratch.replies[i, :] = 0.0
        scratch.replies[i, nodes[i]] = 1.0
        scratch.chances[i] = weights[i] / total
        scratch.kinds[i] = UNKNOWN
    return n


@kernel
def close_ranks(scratch: MinimaxScratch, n_kinds: int) -> int:
    """Drop empty replies, make chances and beliefs add up to 1; returns how many are left."""
    total = 0.0
    for kind in range(n_kinds):
        total += scratch.chances[kind]
    n = 0
    for kind in range(n_kinds):
        chance = scratch.chances[kind]
        if chance > 1e-9:
            scratch.replies[n] = scratch.replies[kind] / scratch.replies[kind].sum()
            scratch.chances[n] = chance / total
            scratch.kinds[n] = scratch.kinds[kind]
            n += 1
    return n
