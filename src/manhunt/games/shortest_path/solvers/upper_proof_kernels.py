"""Proof that a traveller who keeps to an arena pays at most so much, whatever is raised.

A position is the traveller's node v (he is to move) and how often each edge was raised since the arena was built, r.
With c(e, r) the cost of edge e, what is still to be paid is

    V(v, r) = min over arcs v -> u on e of  c(e, r) + max over raises w (a pass is one of them) of V(u, r + w)

and the question is V <= b. To prove it the traveller needs one arc after which every raise leaves a position that is
proved with what is left of the budget; to refute it the adversary needs one raise after every arc. One kept proof
answers many raises at once: a raise outside the proof's zone leaves it valid, so only edges in the zones of all replies
found so far need to be tried. Arcs come by their floor, raises by how often they refuted at the node they are tried at.

No proof visits a node twice. Where the way comes back to a node, the question is asked there as if the loop had not
been walked: a refutation counts as any other, and a proof answers the earlier visit at once, since that one had fewer
raises and a larger budget.

`search` is this recursion with an explicit stack (`Frames`) and a mark for what is to be done at the deepest frame. A
step is one position entered: two lookups of kept results, one path tried, the arcs of its node put in order. Their
number can be exponential; the caller bounds it and can go on later.
"""

from __future__ import annotations

import numpy as np

from manhunt.core.jit import kernel
from manhunt.games.shortest_path.solvers.upper_floor_kernels import Arena, floor_of_reply
from manhunt.games.shortest_path.solvers.upper_frames_kernels import (
    DEPTH,
    FULL,
    LONGEST_SCAN,
    N_STEPS,
    NEXT_STEP,
    RESULT,
    VECTOR,
    Frames,
    clear_bit,
    has_bit,
    lower_edge,
    raise_edge,
    set_bit,
)
from manhunt.games.shortest_path.solvers.upper_results_kernels import (
    KnownResults,
    clear_results,
    find_proof,
    find_refutation,
    keep,
)
from manhunt.solvers.bitsets import lowest_bit

_U0, _U1 = np.uint64(0), np.uint64(1)
ENTER, MOVE, REPLY, PROVED, REFUTED, DONE = 0, 1, 2, 3, 4, 5
"""What is to be done next at the deepest frame."""
OPEN, YES, NO = 0, 1, 2
"""Answers."""
FORGET = 0.95


@kernel
def start_search(frames: Frames, budget: float) -> None:
    """A question about the position of the first frame: is this budget enough?"""
    frames.control[NEXT_STEP] = ENTER
    frames.control[RESULT] = OPEN
    frames.budget[0] = budget


@kernel
def search(
    arena: Arena, frames: Frames, proofs: KnownResults, refutations: KnownResults, n_steps: int, slack: float
) -> int:
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
def _enter(arena: Arena, frames: Frames, proofs: KnownResults, refutations: KnownResults, slack: float) -> None:
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
def _next_move(arena: Arena, frames: Frames, refutations: KnownResults) -> None:
    """Try the next arc of this position; without one it is refuted."""
    control = frames.control
    depth = control[DEPTH]
    frames.move[depth] += 1
    if frames.move[depth] >= frames.n_moves[depth]:
        frames.result_zone[:] = frames.reason[depth]
        frames.result[0] = frames.least[depth]
        if not keep(frames, refutations, frames.node[depth], frames.reason[depth], frames.least[depth], -1, False):
            clear_results(refutations)
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
def _next_reply(arena: Arena, frames: Frames, proofs: KnownResults) -> None:
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
            edge = base + lowest_bit(left)
            left &= left - _U1
            score = frames.history[to, edge]
            if arena.slot[edge] >= 0:
                score += 1e-3 * arena.floor[arena.after[vector, arena.slot[edge]], to]
            if score > best_score:
                best, best_score = edge, score
    return int(best)


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
