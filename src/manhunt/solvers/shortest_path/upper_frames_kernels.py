"""Where a search is: a frame for each node of the way walked so far, and the edges raised since the arena was built.

Sets of edges are rows of 64-bit words.
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

_U0, _U1 = np.uint64(0), np.uint64(1)
DEPTH, NEXT_STEP, N_STEPS, N_RAISED, VECTOR, RESULT, FULL, LONGEST_SCAN = 0, 1, 2, 3, 4, 5, 6, 7
N_FIELDS = 8
"""Fields of `Frames.control`."""


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
