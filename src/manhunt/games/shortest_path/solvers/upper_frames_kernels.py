"""Where a search is: a frame for each node of the way walked so far, and the edges raised since the arena was built.

The search of `upper_proof_kernels` is a recursion over positions (node, raises); this is its stack. Row d of `Frames`
is the d-th node of the way: its `node`, the `budget` asked for, its arcs worth trying (`moves` with rising `keys`,
`n_moves` of them), the number of the one being tried (`move`) and the raise tried against it (`raised`, -1 before the
first). Of the proof in the making it has the `zone` and the `worst` reply so far, and the raises still `untried`; of
the refutation the `reason` (edges) and the `least` bound over the arcs refuted so far. `before` is the row of the node
that counts as walked before this one and `back_to` that of an earlier visit of the same node, or -1; `behind` are the
edges at all nodes walked before. n_raises[e] counts e's raises in the present position, and order[:N_RAISED] lists the
edges raised at all by their first raise, so that taking back the last raise is a pop. `vector` is the row of the floor
table that belongs to the raises. `history` and `killer` say which raises refuted at a node before; `refuting` collects
all that ever did. Sets of edges are rows of 64-bit words; a step down or up costs one pass over such a row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.games.shortest_path.solvers.upper_floor_kernels import Arena

_U0, _U1 = np.uint64(0), np.uint64(1)
DEPTH, NEXT_STEP, N_STEPS, N_RAISED, VECTOR, RESULT, FULL, LONGEST_SCAN = 0, 1, 2, 3, 4, 5, 6, 7
N_FIELDS = 8
"""Fields of `Frames.control`."""


class Frames(NamedTuple):
    """One row for every node of the way walked so far, and the search's own numbers."""

    node: Int64s
    budget: Floats
    moves: Int64s
    keys: Floats
    n_moves: Int64s
    move: Int64s
    raised: Int64s
    vector: Int64s
    before: Int64s
    back_to: Int64s
    worst: Floats
    least: Floats
    untried: Words
    zone: Words
    reason: Words
    behind: Words
    result_zone: Words
    result: Floats
    n_raises: Int64s
    order: Int64s
    path_arcs: Int64s
    path_rest: Floats
    history: Floats
    killer: Int64s
    refuting: Words
    control: Int64s


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
def place_way(arena: Arena, frames: Frames, way: Int64s) -> None:
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
