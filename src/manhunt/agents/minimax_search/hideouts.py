"""Kernels: how the detectives' belief follows a move of Mr X, and how good a place is for him."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.agents.minimax_search.config import Weights
from manhunt.agents.minimax_search.ground import MOST_HOPS, Ground, Room, Turn
from manhunt.agents.minimax_search.plans import STAYS, held_after
from manhunt.agents.minimax_search.replies import appeal
from manhunt.games.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]

NO_BELIEF = -1


class Tastes(NamedTuple):
    """Mr X's weights; see `Config`."""

    escape: float
    distance: float
    hiding: float
    blame: float
    saving: float


class Options(NamedTuple):
    """Moves of Mr X: where each ends, which belief it leaves (NO_BELIEF: he is seen there), what its tickets cost."""

    to: Ints
    belief: Ints
    cost: Floats
    value: Floats


@kernel
def follow(
    ground: Ground, room: Room, weights: Weights, turn: Turn, belief: Floats, held: int, out: NDArray[np.float64]
) -> None:
    """out[ticket]: the belief after Mr X is seen to pay this ticket; all zeros if he could not have."""
    out[:] = 0.0
    room.steps[0, :] = -1.0
    for node in range(len(belief)):
        if belief[node] <= 0.0:
            continue
        all_ways = 0.0
        for k in range(ground.indptr[held, node], ground.indptr[held, node + 1]):
            to = ground.fares[k] >> 8
            if room.steps[0, to] < 0.0:
                room.steps[0, to] = appeal(ground, room, weights, turn, to)
            all_ways += room.steps[0, to]
        if all_ways <= 0.0:
            continue
        for k in range(ground.indptr[held, node], ground.indptr[held, node + 1]):
            to = ground.fares[k] >> 8
            out[ground.fares[k] >> 3 & 3, to] += belief[node] * room.steps[0, to] / all_ways
    for ticket in range(out.shape[0]):
        total = out[ticket].sum()
        if total > 0.0:
            out[ticket] /= total


@kernel
def danger(ground: Ground, turn: Turn, node: int) -> tuple[int, int, int]:
    """Hops of the two nearest detectives, and how many could step onto the node now."""
    near, second, n_next = MOST_HOPS, MOST_HOPS, 0
    for d in range(len(turn.places)):
        hops = int(ground.hops[held_after(turn.counts[d], STAYS), turn.places[d], node])
        n_next += hops == 1
        if hops < near:
            near, second = hops, near
        elif hops < second:
            second = hops
    return near, second, n_next


@kernel
def rate_options(
    ground: Ground,
    room: Room,
    tastes: Tastes,
    turn: Turn,
    beliefs: NDArray[np.float64],
    options: Options,
    held: int,
) -> None:
    """Fill options.value: how likely Mr X gets away with each move, from 0 to 1."""
    n_beliefs, n = beliefs.shape
    hidden, within = np.zeros(n_beliefs), np.zeros(n_beliefs)
    n_hunters = np.zeros(n_beliefs)
    for i in range(n_beliefs):
        hidden[i] = entropy_of(beliefs[i]) / np.log(n + 1.0)
        within[i], n_hunters[i] = covered_by(ground, turn, beliefs[i])
    room.steps[1, :] = -1.0
    for m in range(len(options.to)):
        to, which = options.to[m], options.belief[m]
        near, second, _ = danger(ground, turn, to)
        if room.steps[1, to] < 0.0:
            room.steps[1, to] = way_on(ground, room, turn, to, held)
        score = tastes.escape * (room.steps[1, to] - 0.5) - tastes.saving * options.cost[m]
        score += tastes.distance * (0.75 * min(near, 4) + 0.25 * min(second, 4) - 2.5) / 3.0
        found = 1.0 if near <= 1 else 0.0
        if which != NO_BELIEF:
            score += tastes.hiding * (hidden[which] - 0.5) * 2.0
            if near == 1:
                share = beliefs[which, to] / max(within[which], 1e-9)
                found = min(1.0, tastes.blame * share * n_hunters[which] / len(turn.places))
        else:
            score -= tastes.hiding
        options.value[m] = (1.0 - found) / (1.0 + np.exp(-score))


@kernel
def entropy_of(belief: Floats) -> float:
    entropy = 0.0
    for chance in belief:
        if chance > 0.0:
            entropy -= chance * np.log(chance)
    return entropy


@kernel
def covered_by(ground: Ground, turn: Turn, belief: Floats) -> tuple[float, float]:
    """How much of a belief lies within one step of some detective, and how many detectives have some of it."""
    within, n_hunters = 0.0, 0
    for node in range(len(belief)):
        if belief[node] > 0.0 and danger(ground, turn, node)[0] <= 1:
            within += belief[node]
    for d in range(len(turn.places)):
        row = ground.hops[held_after(turn.counts[d], STAYS), turn.places[d]]
        for node in range(len(belief)):
            if belief[node] > 0.0 and row[node] <= 1:
                n_hunters += 1
                break
    return within, float(n_hunters)


@kernel
def way_on(ground: Ground, room: Room, turn: Turn, node: int, held: int) -> float:
    """The safety of the two best ways on from a node, when every detective has come one step nearer."""
    best, other, last = 0.0, 0.0, -1
    for k in range(ground.indptr[held, node], ground.indptr[held, node + 1]):
        to = ground.fares[k] >> 8
        if to == last:
            continue
        last = to
        near, second, _ = danger(ground, turn, to)
        safe = room.safety[max(near - 1, 0), max(second - 1, 0)]
        if safe > best:
            best, other = safe, best
        elif safe > other:
            other = safe
    return 0.75 * best + 0.25 * other
