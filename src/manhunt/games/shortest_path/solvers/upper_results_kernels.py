"""What was proved or refuted, kept for other positions.

Let V(v, r) be what is still to be paid from node v, the traveller to move, after the raises r. A proof says V <= bound
and is kept with its *zone* Z, the edges walked on anywhere in it: V(v, r') <= bound wherever r' <= r on Z, since raises
outside the zone do not touch it and fewer raises inside do not harm. It is used only where its zone does not touch the
way walked so far. A refutation says V >= bound and is kept with the edges Z whose raises it needs: it holds wherever
r' >= r on Z.

The entries of a node are a linked list (`first`, then `following`), the last used first; `used` counts all of them.
Only edges of Z that were raised are written down, as edge * 2^16 + count. A lookup walks the list, at most
`LONGEST_SCAN` entries, and costs the words of a zone plus (edges raised) x (pairs written down) for each of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Bools, Floats, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.games.shortest_path.solvers.upper_floor_kernels import Arena, floor_of_reply
from manhunt.games.shortest_path.solvers.upper_frames_kernels import N_RAISED, VECTOR, Frames, has_bit


class KnownResults(NamedTuple):
    """What was proved (or refuted), in lists by node, the last used first.

    Entry i: `zone[i]`, `bound[i]`, the first arc `move[i]`, and the raises in its zone as edge * 2^16 + count. Where
    `is_path[i]` the zone is a path that is walked whatever happens.
    """

    zone: Words
    bound: Floats
    move: Int64s
    is_path: Bools
    raised: Int64s
    n_raised: Int64s
    following: Int64s
    first: Int64s
    used: Int64s


@kernel
def _to_front(results: KnownResults, node: int, before: int, entry: int) -> None:
    """What was of use is looked at first the next time; `before` stands before it in the node's list, or is -1."""
    if before >= 0:
        results.following[before] = results.following[entry]
        results.following[entry] = results.first[node]
        results.first[node] = entry


@kernel
def find_proof(frames: Frames, proofs: KnownResults, depth: int, limit: float, most: int) -> int:
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
def _proof_fits(frames: Frames, proofs: KnownResults, entry: int, depth: int, n_raised: int) -> bool:
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
def find_refutation(frames: Frames, refutations: KnownResults, node: int, limit: float, most: int) -> int:
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
def keep(frames: Frames, results: KnownResults, node: int, zone: Words, bound: float, move: int, is_path: bool) -> bool:
    """Put a result on the shelf; False when it is full or too many edges were raised to write down."""
    entry = results.used[0]
    if entry >= len(results.bound):
        return False
    n = 0
    for i in range(frames.control[N_RAISED]):
        edge = frames.order[i]
        if has_bit(zone, edge):
            if n == results.raised.shape[1]:
                return False
            results.raised[entry, n] = (edge << 16) | frames.n_raises[edge]
            n += 1
    results.n_raised[entry] = n
    results.zone[entry, :] = zone
    results.bound[entry] = bound
    results.move[entry] = move
    results.is_path[entry] = is_path
    results.following[entry] = results.first[node]
    results.first[node] = entry
    results.used[0] = entry + 1
    return True


@kernel
def clear_results(results: KnownResults) -> None:
    results.first[:] = -1
    results.used[0] = 0


@kernel
def best_proof(arena: Arena, frames: Frames, proofs: KnownResults, depth: int) -> int:
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
