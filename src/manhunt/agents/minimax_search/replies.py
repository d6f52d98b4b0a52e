"""Kernels: what Mr X may do after a plan, merged by what the detectives would see of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.agents.minimax_search.config import Weights
from manhunt.agents.minimax_search.ground import MOST_HOPS, Ground, Room, Turn
from manhunt.agents.minimax_search.plans import STAYS, held_after, likeliest
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]

SECRET, DOUBLE = 3, 4
N_KINDS = 5
UNKNOWN = -1


@kernel
def appeal(ground: Ground, room: Room, weights: Weights, turn: Turn, to: int) -> float:
    """How much a careful Mr X likes a node; 0 where a detective stands."""
    near, second = MOST_HOPS, MOST_HOPS
    for d in range(len(turn.places)):
        hops = ground.hops[held_after(turn.counts[d], STAYS), turn.places[d], to]
        if hops < near:
            near, second = hops, near
        elif hops < second:
            second = hops
    if near == 0:
        return 0.0
    return float(room.safety[near, second] ** weights.caution + 1e-6)


@kernel
def replies(ground: Ground, weights: Weights, turn: Turn, n_hypotheses: int, room: Room) -> tuple[int, float]:
    """Fill room.replies (beliefs), chances and kinds; returns their number and how much of the belief they come from.

    turn.places and turn.counts are those after the plan. Only the likeliest nodes stand for the belief. A hidden
    reply is known by its ticket (a double move as such), one in a shown round by its node; `turn.shown_soon` tells
    which. No reply means that Mr X cannot move.
    """
    n_kinds = N_KINDS
    for kind in range(n_kinds):
        room.replies[kind, :] = 0.0
        room.chances[kind] = 0.0
        room.kinds[kind] = kind
    support, weight = room.outlook.support, room.outlook.weight
    n = likeliest(turn.belief, n_hypotheses, support, weight)
    covered = 0.0
    for i in range(n):
        covered += weight[i]
    held = 0
    for kind in range(4):
        held |= (turn.mrx_counts[kind] > 0) << kind
    doubling = weights.doubling if turn.mrx_counts[DOUBLE] > 0 and not turn.shown_soon else 0.0
    for i in range(n):
        reply_from(ground, room, weights, turn, support[i], weight[i] / covered, held, doubling)
    if turn.shown_soon:
        n_kinds = split_by_node(room)
    return close_ranks(room, n_kinds), covered


@kernel
def reply_from(
    ground: Ground, room: Room, weights: Weights, turn: Turn, node: int, weight: float, held: int, doubling: float
) -> None:
    """Add Mr X's replies from one node, by ticket."""
    first, end = ground.indptr[held, node], ground.indptr[held, node + 1]
    total, last, liking = 0.0, -1, 0.0
    for k in range(first, end):
        fare = ground.fares[k]
        if fare >> 8 != last:
            last = fare >> 8
            liking = appeal(ground, room, weights, turn, last)
            room.steps[0, last] = liking
        total += liking * (weights.secrecy if fare >> 3 & 3 == SECRET else 1.0)
    if total <= 0.0:
        return
    for k in range(first, end):
        fare = ground.fares[k]
        to, kind = fare >> 8, fare >> 3 & 3
        share = weight * room.steps[0, to] * (weights.secrecy if kind == SECRET else 1.0) / total
        if share > 0.0:
            room.replies[kind, to] += share * (1.0 - doubling)
            room.chances[kind] += share * (1.0 - doubling)
            if doubling > 0.0:
                second_step(ground, room, weights, turn, to, share * doubling, held)


@kernel
def second_step(ground: Ground, room: Room, weights: Weights, turn: Turn, node: int, weight: float, held: int) -> None:
    total, last = 0.0, -1
    for k in range(ground.indptr[held, node], ground.indptr[held, node + 1]):
        to = ground.fares[k] >> 8
        if to != last:
            last = to
            room.steps[1, to] = appeal(ground, room, weights, turn, to)
            total += room.steps[1, to]
    if total <= 0.0:
        return
    last = -1
    for k in range(ground.indptr[held, node], ground.indptr[held, node + 1]):
        to = ground.fares[k] >> 8
        if to != last:
            last = to
            room.replies[DOUBLE, to] += weight * room.steps[1, to] / total
    room.chances[DOUBLE] += weight


@kernel
def split_by_node(room: Room) -> int:
    """In a shown round: one reply for each of the likeliest nodes."""
    merged, most = room.steps[1], room.replies.shape[0]
    merged[:] = 0.0
    for kind in range(4):
        merged += room.replies[kind]
    nodes, weights = np.zeros(most, np.int32), np.zeros(most)
    n = likeliest(merged, most, nodes, weights)
    total = 0.0
    for i in range(n):
        total += weights[i]
    for i in range(n):
        room.replies[i, :] = 0.0
        room.replies[i, nodes[i]] = 1.0
        room.chances[i] = weights[i] / total
        room.kinds[i] = UNKNOWN
    return n


@kernel
def close_ranks(room: Room, n_kinds: int) -> int:
    """Drop empty replies, make chances and beliefs add up to 1; returns how many are left."""
    total = 0.0
    for kind in range(n_kinds):
        total += room.chances[kind]
    n = 0
    for kind in range(n_kinds):
        chance = room.chances[kind]
        if chance > 1e-9:
            room.replies[n] = room.replies[kind] / room.replies[kind].sum()
            room.chances[n] = chance / total
            room.kinds[n] = room.kinds[kind]
            n += 1
    return n
