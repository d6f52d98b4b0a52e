"""What was proved or refuted, kept for other positions.

A proof is kept with its *zone*, the edges walked on anywhere in it: raises outside the zone do not touch it, and fewer
raises inside do not harm. It is used only where its zone does not touch the way walked so far. A refutation is kept
with the edges whose raises it needs; it holds wherever at least those are raised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel
from manhunt.solvers.shortest_path.upper_floor_kernels import Arena, floor_of_reply
from manhunt.solvers.shortest_path.upper_frames_kernels import N_RAISED, VECTOR, Frames, has_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Costs = NDArray[np.float64]
    Words = NDArray[np.uint64]


class Shelf(NamedTuple):
    """What was proved (or refuted), in lists by node, the last used first.

    Entry i: `zone[i]`, `bound[i]`, the first arc `move[i]`, and the raises in its zone as edge * 2^16 + count. Where
    `is_path[i]` the zone is a path that is walked whatever happens.
    """

    zone: Words
    bound: Costs
    move: Numbers
    is_path: NDArray[np.bool_]
    raised: Numbers
    n_raised: Numbers
    following: Numbers
    first: Numbers
    used: Numbers


@kernel
def _to_front(shelf: Shelf, node: int, before: int, entry: int) -> None:
    """What was of use is looked at first the next time; `before` stands before it in the node's list, or is -1."""
    if before >= 0:
        shelf.following[before] = shelf.following[entry]
        shelf.following[entry] = shelf.first[node]
        shelf.first[node] = entry


@kernel
def find_proof(frames: Frames, proofs: Shelf, depth: int, limit: float, most: int) -> int:
    """A kept proof that holds here for the budget, or -1; it is moved to the front of its list."""
    node, n_raised = frames.node[depth], frames.control[N_RAISED]
    before, entry, scanned = -1, proofs.first[node], 0
    while entry >= 0 and scanned < most:
        scanned += 1
        if proofs.bound[entry] <= limit and _proof_fits(frames, proofs, entry, depth, n_raised):
            _to_front(proofs, node, before, entry)
            return int(entry)
        before, entry = entry, proofs.following[entry]
    return -1


@kernel
def _proof_fits(frames: Frames, proofs: Shelf, entry: int, depth: int, n_raised: int) -> bool:
    """No edge of the zone was raised more often than in the proof or touches the way walked so far."""
    zone = proofs.zone[entry]
    for word in range(len(zone)):
        if zone[word] & frames.behind[depth, word]:
            return False
    for i in range(n_raised):
        edge = frames.order[i]
        if has_bit(zone, edge):
            allowed = 0
            for k in range(proofs.n_raised[entry]):
                if proofs.raised[entry, k] >> 16 == edge:
                    allowed = proofs.raised[entry, k] & 0xFFFF
                    break
            if frames.n_raises[edge] > allowed:
                return False
    return True


@kernel
def find_refutation(frames: Frames, refutations: Shelf, node: int, limit: float, most: int) -> int:
    """A kept refutation that holds here for the budget, or -1; it is moved to the front of its list."""
    before, entry, scanned = -1, refutations.first[node], 0
    while entry >= 0 and scanned < most:
        scanned += 1
        if refutations.bound[entry] > limit:
            fits = True
            for k in range(refutations.n_raised[entry]):
                needed = refutations.raised[entry, k]
                if frames.n_raises[needed >> 16] < needed & 0xFFFF:
                    fits = False
                    break
            if fits:
                _to_front(refutations, node, before, entry)
                return int(entry)
        before, entry = entry, refutations.following[entry]
    return -1


@kernel
def keep(frames: Frames, shelf: Shelf, node: int, zone: Words, bound: float, move: int, is_path: bool) -> bool:
    """Put a result on the shelf; False when it is full or too many edges were raised to write down."""
    entry = shelf.used[0]
    if entry >= len(shelf.bound):
        return False
    n = 0
    for i in range(frames.control[N_RAISED]):
        edge = frames.order[i]
        if has_bit(zone, edge):
            if n == shelf.raised.shape[1]:
                return False
            shelf.raised[entry, n] = (edge << 16) | frames.n_raises[edge]
            n += 1
    shelf.n_raised[entry] = n
    shelf.zone[entry, :] = zone
    shelf.bound[entry] = bound
    shelf.move[entry] = move
    shelf.is_path[entry] = is_path
    shelf.following[entry] = shelf.first[node]
    shelf.first[node] = entry
    shelf.used[0] = entry + 1
    return True


@kernel
def clear_shelf(shelf: Shelf) -> None:
    shelf.first[:] = -1
    shelf.used[0] = 0


@kernel
def best_proof(arena: Arena, frames: Frames, proofs: Shelf, depth: int) -> int:
    """Of all kept proofs that hold here the one with the smallest bound, on ties with the smallest floor; or -1."""
    best, best_bound, best_floor = -1, np.inf, np.inf
    entry = proofs.first[frames.node[depth]]
    while entry >= 0:
        bound = proofs.bound[entry]
        if bound <= best_bound and _proof_fits(frames, proofs, entry, depth, frames.control[N_RAISED]):
            arc = proofs.move[entry]
            edge, to = arena.edge[arc], arena.to[arc]
            low = arena.cost[edge, frames.n_raises[edge]]
            if to != arena.target:
                low += floor_of_reply(arena, frames.control[VECTOR], to)
            if bound < best_bound or low < best_floor:
                best, best_bound, best_floor = entry, bound, low
        entry = proofs.following[entry]
    return best
