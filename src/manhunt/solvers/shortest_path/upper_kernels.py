"""Proof that a traveller who keeps to an arena pays at most so much, whatever is raised.

A position is the traveller's node (he is to move) and how often each edge was raised since the arena was built. To
prove "at most b" he needs one arc after which every raise leaves a position that is proved; to refute it the adversary
needs one raise after every arc. What was proved is kept with its *zone*, the edges walked on anywhere in the proof:
raises outside the zone do not touch it, and fewer raises inside do not harm, so that one proof answers many raises at
once: only edges in the zones of all replies found so far need to be tried. A refutation is kept with the edges whose
raises it needs; it holds wherever at least those are raised.

No proof visits a node twice. Where the way comes back to a node, the question is asked there as if the loop had not
been walked: a refutation counts as any other, and a proof answers the earlier visit at once, since that one had fewer
raises and a larger budget. A kept proof is used only where its zone does not touch the way walked so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel
from manhunt.solvers.shortest_path.upper_floor_kernels import Arena

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Costs = NDArray[np.float64]
    Words = NDArray[np.uint64]

_U0, _U1, _U63 = np.uint64(0), np.uint64(1), np.uint64(63)
ENTER, MOVE, REPLY, PROVED, REFUTED, DONE = 0, 1, 2, 3, 4, 5
"""What is to be done next at the deepest frame."""
DEPTH, NEXT_STEP, N_STEPS, N_RAISED, VECTOR, RESULT, FULL, LONGEST_SCAN = 0, 1, 2, 3, 4, 5, 6, 7
N_FIELDS = 8
"""Fields of `Frames.control`."""
OPEN, YES, NO = 0, 1, 2
"""Answers."""
FORGET = 0.95


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


class Frames(NamedTuple):
    """One row for every node of the way walked so far, and the search's own numbers."""

    node: Numbers
    budget: Costs
    moves: Numbers
    keys: Costs
    n_moves: Numbers
    move: Numbers
    raised: Numbers
    vector: Numbers
    before: Numbers
    back_to: Numbers
    worst: Costs
    least: Costs
    untried: Words
    zone: Words
    reason: Words
    behind: Words
    result_zone: Words
    result: Costs
    n_raises: Numbers
    order: Numbers
    path_arcs: Numbers
    path_rest: Costs
    history: Costs
    killer: Numbers
    refuting: Words
    control: Numbers


@kernel
def has_bit(words: Words, bit: int) -> bool:
    return bool((words[bit >> 6] >> np.uint64(bit & 63)) & _U1)


@kernel
def set_bit(words: Words, bit: int) -> None:
    words[bit >> 6] |= _U1 << np.uint64(bit & 63)


@kernel
def clear_bit(words: Words, bit: int) -> None:
    words[bit >> 6] &= ~(_U1 << np.uint64(bit & 63))


@kernel
def raise_edge(arena: Arena, frames: Frames, edge: int) -> None:
    control = frames.control
    if frames.n_raises[edge] == 0:
        frames.order[control[N_RAISED]] = edge
        control[N_RAISED] += 1
    frames.n_raises[edge] += 1
    if arena.slot[edge] >= 0:
        control[VECTOR] = arena.after[control[VECTOR], arena.slot[edge]]


@kernel
def lower_edge(frames: Frames, edge: int, vector: int) -> None:
    """Take back the last raise; `vector` is what the watched edges were before it."""
    frames.n_raises[edge] -= 1
    if frames.n_raises[edge] == 0:
        frames.control[N_RAISED] -= 1
    frames.control[VECTOR] = vector


@kernel
def floor_of_reply(arena: Arena, vector: int, node: int) -> float:
    """At least this is still to be paid at a node where the adversary is to move."""
    best = max(arena.floor[vector, node], arena.distance[node])
    for i in range(len(arena.watched)):
        best = max(best, arena.floor[arena.after[vector, i], node])
    return float(best)


@kernel
def find_proof(frames: Frames, proofs: Shelf, depth: int, limit: float, most: int) -> int:
    """A kept proof that holds here for the budget, or -1; it is moved to the front of its list."""
    node, n_raised = frames.node[depth], frames.control[N_RAISED]
    before, entry, scanned = -1, proofs.first[node], 0
    while entry >= 0 and scanned < most:
        scanned += 1
        if proofs.bound[entry] <= limit and _proof_fits(frames, proofs, entry, depth, n_raised):
            if before >= 0:
                proofs.following[before] = proofs.following[entry]
                proofs.following[entry] = proofs.first[node]
                proofs.first[node] = entry
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
    """A kept refutation that holds here for the budget, or -1."""
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
                if before >= 0:
                    refutations.following[before] = refutations.following[entry]
                    refutations.following[entry] = refutations.first[node]
                    refutations.first[node] = entry
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


@kernel
def place_way(arena: Arena, frames: Frames, way: Numbers) -> None:
    """The nodes walked so far, none of them twice; the last one becomes the deepest frame."""
    for depth in range(len(way)):
        frames.node[depth] = way[depth]
        frames.before[depth] = depth - 1
        frames.back_to[depth] = -1
        frames.behind[depth, :] = _U0
        if depth > 0:
            for word in range(arena.n_words):
                behind = frames.behind[depth - 1, word] | arena.incident[way[depth - 1], word]
                frames.behind[depth, word] = behind
    frames.control[DEPTH] = len(way) - 1


@kernel
def start_search(frames: Frames, budget: float) -> None:
    """A question about the position of the first frame: is this budget enough?"""
    frames.control[NEXT_STEP] = ENTER
    frames.control[RESULT] = OPEN
    frames.budget[0] = budget


@kernel
def search(arena: Arena, frames: Frames, proofs: Shelf, refutations: Shelf, n_steps: int, slack: float) -> int:
    """Go on with the question for some steps; OPEN, YES or NO."""
    control = frames.control
    until = control[N_STEPS] + n_steps
    while control[NEXT_STEP] != DONE and not control[FULL]:
        todo = control[NEXT_STEP]
        if todo == ENTER:
            if control[N_STEPS] >= until:
                return OPEN
            control[N_STEPS] += 1
            _enter(arena, frames, proofs, refutations, slack)
        elif todo == MOVE:
            _next_move(arena, frames, refutations)
        elif todo == REPLY:
            _next_reply(arena, frames, proofs)
        elif todo == PROVED:
            _take_proof(arena, frames)
        else:
            _take_refutation(arena, frames)
    return int(control[RESULT])


@kernel
def _enter(arena: Arena, frames: Frames, proofs: Shelf, refutations: Shelf, slack: float) -> None:
    """A new position: known already, or its arcs are put in order."""
    control = frames.control
    depth = control[DEPTH]
    node, limit = frames.node[depth], frames.budget[depth] + slack
    entry = find_proof(frames, proofs, depth, limit, control[LONGEST_SCAN])
    if entry >= 0:
        frames.result_zone[:] = proofs.zone[entry]
        frames.result[0] = proofs.bound[entry]
        control[NEXT_STEP] = PROVED
        return
    entry = find_refutation(frames, refutations, node, limit, control[LONGEST_SCAN])
    if entry >= 0:
        frames.result_zone[:] = refutations.zone[entry]
        frames.result[0] = refutations.bound[entry]
        control[NEXT_STEP] = REFUTED
        return
    if _path_is_enough(arena, frames, depth, limit):
        if not keep(frames, proofs, node, frames.result_zone, frames.result[0], frames.path_arcs[0], True):
            control[FULL] = 1
        control[NEXT_STEP] = PROVED
        return
    frames.vector[depth] = control[VECTOR]
    frames.least[depth] = np.inf
    frames.reason[depth, :] = _U0
    _order_moves(arena, frames, depth, limit)
    frames.move[depth] = -1
    control[NEXT_STEP] = MOVE


@kernel
def _path_is_enough(arena: Arena, frames: Frames, depth: int, limit: float) -> bool:
    """Whether one path, walked whatever happens, keeps the budget: always nearer to the target, cheap by the floors."""
    node, vector, n, total = frames.node[depth], frames.control[VECTOR], 0, 0.0
    while node != arena.target:
        best, best_key = -1, np.inf
        for arc in range(arena.indptr[node], arena.indptr[node + 1]):
            to, edge = arena.to[arc], arena.edge[arc]
            if arena.distance[to] < arena.distance[node]:
                key = arena.cost[edge, frames.n_raises[edge]] + arena.floor[vector, to]
                if key < best_key:
                    best, best_key = arc, key
        if best < 0 or n + 2 >= len(frames.path_arcs):
            return False
        edge = arena.edge[best]
        total += arena.cost[edge, frames.n_raises[edge]]
        if total > limit or has_bit(frames.behind[depth], edge):
            return False
        frames.path_arcs[n] = best
        n += 1
        node = arena.to[best]
    frames.result[0] = _committed(arena, frames, n)
    if frames.result[0] > limit:
        return False
    frames.result_zone[:] = _U0
    for i in range(n):
        set_bit(frames.result_zone, arena.edge[frames.path_arcs[i]])
    return True


@kernel
def _committed(arena: Arena, frames: Frames, n: int) -> float:
    """The most that the first n arcs of the path can cost: all raises that are left go to one edge, or none."""
    rest, most = frames.path_rest, arena.cost.shape[1] - 1
    rest[: n + 2] = 0.0
    for i in range(n - 1, -1, -1):
        edge = arena.edge[frames.path_arcs[i]]
        raised = frames.n_raises[edge]
        all_here = rest[1]
        for left in range(i + 1):  # rest[left + 1] is still that of the arcs behind
            none_here = arena.cost[edge, raised] + rest[left + 1]
            rest[left] = max(none_here, arena.cost[edge, min(raised + left, most)] + all_here)
    return float(rest[0])


@kernel
def _order_moves(arena: Arena, frames: Frames, depth: int, limit: float) -> None:
    """The arcs that can keep the budget, cheapest floor first; why the others cannot goes into the reason."""
    node, vector, n = frames.node[depth], frames.vector[depth], 0
    moves, keys, leans = frames.moves[depth], frames.keys[depth], False
    for arc in range(arena.indptr[node], arena.indptr[node + 1]):
        to, edge = arena.to[arc], arena.edge[arc]
        cost = arena.cost[edge, frames.n_raises[edge]]
        key = cost if to == arena.target else cost + floor_of_reply(arena, vector, to)
        if key > limit:
            leans = True
            set_bit(frames.reason[depth], edge)
            frames.least[depth] = min(frames.least[depth], key)
        else:
            hole = n
            while hole > 0 and keys[hole - 1] > key:
                keys[hole] = keys[hole - 1]
                moves[hole] = moves[hole - 1]
                hole -= 1
            keys[hole] = key
            moves[hole] = arc
            n += 1
    frames.n_moves[depth] = n
    if leans:
        for word in range(arena.n_words):
            frames.reason[depth, word] |= arena.watched_mask[word]


@kernel
def _next_move(arena: Arena, frames: Frames, refutations: Shelf) -> None:
    """Try the next arc of this position; without one it is refuted."""
    control = frames.control
    depth = control[DEPTH]
    frames.move[depth] += 1
    if frames.move[depth] >= frames.n_moves[depth]:
        frames.result_zone[:] = frames.reason[depth]
        frames.result[0] = frames.least[depth]
        if not keep(frames, refutations, frames.node[depth], frames.reason[depth], frames.least[depth], -1, False):
            clear_shelf(refutations)
        control[NEXT_STEP] = REFUTED
        return
    arc = frames.moves[depth, frames.move[depth]]
    frames.zone[depth, :] = _U0
    set_bit(frames.zone[depth], arena.edge[arc])
    frames.worst[depth] = 0.0
    for word in range(arena.n_words):
        frames.untried[depth, word] = arena.raisable[word]
    frames.raised[depth] = -1
    control[NEXT_STEP] = REPLY


@kernel
def _next_reply(arena: Arena, frames: Frames, proofs: Shelf) -> None:
    """Let the adversary try the next raise against this arc; without one the position is proved."""
    control = frames.control
    depth = control[DEPTH]
    arc = frames.moves[depth, frames.move[depth]]
    to, edge = arena.to[arc], arena.edge[arc]
    cost = arena.cost[edge, frames.n_raises[edge]]
    reply = -1 if to == arena.target else _choose_reply(arena, frames, depth, to)
    if reply < 0:
        frames.result_zone[:] = frames.zone[depth]
        frames.result[0] = cost + frames.worst[depth]
        if not keep(frames, proofs, frames.node[depth], frames.zone[depth], frames.result[0], arc, False):
            control[FULL] = 1
        control[NEXT_STEP] = PROVED
        return
    if depth + 2 >= len(frames.node):
        control[FULL] = 1
        return
    frames.raised[depth] = reply
    clear_bit(frames.untried[depth], reply)
    raise_edge(arena, frames, reply)
    _step(arena, frames, depth, to, cost)


@kernel
def _step(arena: Arena, frames: Frames, depth: int, to: int, cost: float) -> None:
    """Go on to the next node. `before` links the nodes that count as walked, without loops."""
    deeper = depth + 1
    frames.control[DEPTH] = deeper
    frames.control[NEXT_STEP] = ENTER
    frames.node[deeper] = to
    frames.budget[deeper] = frames.budget[depth] - cost
    earlier = depth
    while earlier >= 0 and frames.node[earlier] != to:
        earlier = frames.before[earlier]
    frames.back_to[deeper] = earlier
    if earlier >= 0:
        frames.before[deeper] = frames.before[earlier]
        frames.behind[deeper, :] = frames.behind[earlier]
        return
    frames.before[deeper] = depth
    for word in range(arena.n_words):
        frames.behind[deeper, word] = frames.behind[depth, word] | arena.incident[frames.node[depth], word]


@kernel
def _choose_reply(arena: Arena, frames: Frames, depth: int, to: int) -> int:
    """The untried raise that refuted most often at this node, then watched edges by their floor.

    At first only the watched edges and the last that refuted here are compared: any proof rules most others out.
    """
    best, best_score = -1, -1.0
    vector = frames.vector[depth]
    if frames.raised[depth] < 0:
        best = frames.killer[to]
        best_score = frames.history[to, best]
        for i in range(len(arena.watched)):
            edge = arena.watched[i]
            score = frames.history[to, edge] + 1e-3 * arena.floor[arena.after[vector, i], to]
            if score > best_score:
                best, best_score = edge, score
        return int(best)
    for word in range(arena.n_words):
        left = frames.untried[depth, word]
        base = word << 6
        while left:
            low = left & (~left + _U1)
            left ^= low
            edge = base + _bit_number(low)
            score = frames.history[to, edge]
            if arena.slot[edge] >= 0:
                score += 1e-3 * arena.floor[arena.after[vector, arena.slot[edge]], to]
            if score > best_score:
                best, best_score = edge, score
    return int(best)


@kernel
def _bit_number(word: np.uint64) -> int:
    """Which bit is set in a word that has one."""
    n = 0
    if word >> np.uint64(32):
        n += 32
        word >>= np.uint64(32)
    if word >> np.uint64(16):
        n += 16
        word >>= np.uint64(16)
    if word >> np.uint64(8):
        n += 8
        word >>= np.uint64(8)
    if word >> np.uint64(4):
        n += 4
        word >>= np.uint64(4)
    if word >> np.uint64(2):
        n += 2
        word >>= np.uint64(2)
    if word >> _U1:
        n += 1
    return n


@kernel
def _take_proof(arena: Arena, frames: Frames) -> None:
    """The deepest position is proved: the raise that led there is answered, and all outside the zone with it."""
    control = frames.control
    if control[DEPTH] == 0:
        control[RESULT] = YES
        control[NEXT_STEP] = DONE
        return
    earlier = frames.back_to[control[DEPTH]]
    if earlier >= 0:
        while control[DEPTH] > earlier:
            control[DEPTH] -= 1
            lower_edge(frames, frames.raised[control[DEPTH]], frames.vector[control[DEPTH]])
        return
    control[DEPTH] -= 1
    depth = control[DEPTH]
    edge = frames.raised[depth]
    lower_edge(frames, edge, frames.vector[depth])
    frames.history[frames.node[depth + 1], edge] *= FORGET
    frames.worst[depth] = max(frames.worst[depth], frames.result[0])
    for word in range(arena.n_words):
        frames.untried[depth, word] &= frames.result_zone[word]
        frames.zone[depth, word] |= frames.result_zone[word]
    control[NEXT_STEP] = REPLY


@kernel
def _take_refutation(arena: Arena, frames: Frames) -> None:
    """The deepest position is refuted: so is the arc that led there."""
    control = frames.control
    if control[DEPTH] == 0:
        control[RESULT] = NO
        control[NEXT_STEP] = DONE
        return
    control[DEPTH] -= 1
    depth = control[DEPTH]
    edge = frames.raised[depth]
    lower_edge(frames, edge, frames.vector[depth])
    history = frames.history
    history[frames.node[depth + 1], edge] = history[frames.node[depth + 1], edge] * FORGET + 1.0
    frames.killer[frames.node[depth + 1]] = edge
    set_bit(frames.refuting, edge)
    arc = frames.moves[depth, frames.move[depth]]
    walked = arena.edge[arc]
    for word in range(arena.n_words):
        frames.reason[depth, word] |= frames.result_zone[word]
    set_bit(frames.reason[depth], walked)
    frames.least[depth] = min(frames.least[depth], arena.cost[walked, frames.n_raises[walked]] + frames.result[0])
    control[NEXT_STEP] = MOVE
