"""Steps between the layers of one start's game tree.

A layer lists the detective tuples reached (as codes in base n, plus n^k times the waiting mask where detectives move
in any order) and for each a bit set of quarry nodes. The detectives' moves do not depend on the quarry, so whole bit
sets travel along them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.games.jit import kernel
from manhunt.solvers.bitsets import Hunt, has_node, lowest_bit, popcount, spread_into

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from manhunt.solvers.bitsets import Words

    Numbers = NDArray[np.int64]

_U0, _U1 = np.uint64(0), np.uint64(1)
_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
ALL_AT_ONCE, IN_ANY_ORDER = -1, -2
"""Who moves in a step, where it is not the number of one detective."""


@kernel
def read_code(hunt: Hunt, code: int, nodes: Numbers) -> int:
    """Split a code into the detectives' nodes; return the waiting mask."""
    for piece in range(hunt.n_detectives - 1, -1, -1):
        nodes[piece] = code % hunt.n_nodes
        code //= hunt.n_nodes
    return code


@kernel
def is_free(hunt: Hunt, nodes: Numbers, piece: int, to: int) -> bool:
    if hunt.may_share:
        return True
    for other in range(len(nodes)):
        if other != piece and nodes[other] == to:
            return False
    return True


@kernel
def moves_of_one(hunt: Hunt, code: int, nodes: Numbers, piece: int, weight: int, out: Numbers, n: int) -> int:
    """Codes after one detective's moves, written from out[n] on; returns the new n."""
    here = nodes[piece]
    stay = code - here * weight
    found = n
    for edge in range(hunt.indptr[here], hunt.indptr[here + 1]):
        to = hunt.moves[edge]
        if is_free(hunt, nodes, piece, to):
            out[found] = stay + to * weight
            found += 1
    if found == n:
        out[n] = code
        found += 1
    return found


@kernel
def moves_of_all(hunt: Hunt, code: int, nodes: Numbers, out: Numbers) -> int:
    """Codes after all detectives moved at once: an odometer over everybody's moves."""
    k = hunt.n_detectives
    wheel = np.zeros(k, dtype=np.int64)
    to = np.empty(k, dtype=np.int64)
    n = 0
    while True:
        differ = True
        for piece in range(k):
            begin, end = hunt.indptr[nodes[piece]], hunt.indptr[nodes[piece] + 1]
            to[piece] = hunt.moves[begin + wheel[piece]] if end > begin else nodes[piece]
        for piece in range(k):
            differ = differ and is_free(hunt, to, piece, to[piece])
        if differ:
            child = 0
            for piece in range(k):
                child = child * hunt.n_nodes + to[piece]
            out[n] = child
            n += 1
        piece = k - 1
        while piece >= 0 and wheel[piece] >= hunt.indptr[nodes[piece] + 1] - hunt.indptr[nodes[piece]] - 1:
            wheel[piece] = 0
            piece -= 1
        if piece < 0:
            break
        wheel[piece] += 1
    if n == 0:
        out[0] = code
        n = 1
    return n


@kernel
def children(hunt: Hunt, code: int, who: int, nodes: Numbers, out: Numbers) -> int:
    """Codes of the detective tuples after the moves of `who`; returns how many, each once for each move."""
    mask = read_code(hunt, code, nodes)
    if who == ALL_AT_ONCE:
        return moves_of_all(hunt, code, nodes, out)
    n = 0
    weight = 1
    for _ in range(hunt.n_detectives - 1):
        weight *= hunt.n_nodes
    size = weight * hunt.n_nodes
    for piece in range(hunt.n_detectives):
        if who == IN_ANY_ORDER:
            if mask >> piece & 1:
                n = moves_of_one(hunt, code - (size << piece), nodes, piece, weight, out, n)
        elif who == piece:
            n = moves_of_one(hunt, code, nodes, piece, weight, out, n)
        weight //= hunt.n_nodes
    return n


@kernel
def is_empty(words: Words) -> bool:
    for word in words:
        if word != _U0:
            return False
    return True


@kernel
def mark_children(hunt: Hunt, codes: Numbers, live: Words, who: int, room: Numbers, seen: NDArray[np.bool_]) -> int:
    """Flag every code reached; returns how many moves lead there."""
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    total = 0
    for i in range(len(codes)):
        if not is_empty(live[i]):
            n = children(hunt, codes[i], who, nodes, room)
            total += n
            for j in range(n):
                seen[room[j]] = True
    return total


@kernel
def list_children(hunt: Hunt, codes: Numbers, live: Words, who: int, room: Numbers, out: Numbers) -> int:
    """Write every code reached, once for each move, to `out` while there is room; returns how many there are."""
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    total = 0
    for i in range(len(codes)):
        if not is_empty(live[i]):
            n = children(hunt, codes[i], who, nodes, room)
            for j in range(n):
                if total + j < len(out):
                    out[total + j] = room[j]
            total += n
    return total


@kernel
def place_of(codes: Numbers, rank: NDArray[np.int32], code: int) -> int:
    """Where a code stands in the sorted `codes`; `rank` knows it at once where it is not empty."""
    if len(rank) > 0:
        return int(rank[code])
    low, high = 0, len(codes)
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def carry_forward(
    hunt: Hunt,
    codes: Numbers,
    live: Words,
    who: int,
    room: Numbers,
    after: Numbers,
    rank: NDArray[np.int32],
    out: Words,
) -> None:
    """Every quarry set goes along to each tuple the detectives can move to."""
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    for i in range(len(codes)):
        if is_empty(live[i]):
            continue
        n = children(hunt, codes[i], who, nodes, room)
        for j in range(n):
            place = place_of(after, rank, room[j])
            for w in range(live.shape[1]):
                out[place, w] |= live[i, w]


@kernel
def carry_back(
    hunt: Hunt,
    codes: Numbers,
    won: Words,
    who: int,
    room: Numbers,
    after: Numbers,
    rank: NDArray[np.int32],
    later: Words,
) -> None:
    """For all: keep in `won` (which begins as all that is live) what every detectives' move leaves won."""
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    for i in range(len(codes)):
        if is_empty(won[i]):
            continue
        n = children(hunt, codes[i], who, nodes, room)
        for j in range(n):
            place = place_of(after, rank, room[j])
            for w in range(won.shape[1]):
                won[i, w] &= later[place, w]


@kernel
def quarry_forward(hunt: Hunt, codes: Numbers, live: Words, out: Words) -> None:
    """Where the quarry can be after his move."""
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    for i in range(len(codes)):
        spread_into(hunt, live[i], out[i])
        if not hunt.may_step_onto:
            read_code(hunt, codes[i], nodes)
            for node in nodes:
                out[i, node >> 6] &= ~(_U1 << np.uint64(node & 63))


@kernel
def quarry_back(hunt: Hunt, won: Words, later: Words) -> None:
    """Exists: keep in `won` whoever has a step to a won node."""
    part = np.empty(won.shape[1], dtype=np.uint64)
    for i in range(len(won)):
        spread_into(hunt, later[i], part)
        for w in range(won.shape[1]):
            won[i, w] &= part[w]


@kernel
def settle(hunt: Hunt, codes: Numbers, sets: Words) -> int:
    """Take the caught out of a layer; returns how many states it had before."""
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    total = np.uint64(0)
    for i in range(len(codes)):
        for word in sets[i]:
            total += popcount(word)
        read_code(hunt, codes[i], nodes)
        for node in nodes:
            for w in range(sets.shape[1]):
                sets[i, w] &= ~hunt.reach[node, w]
    return int(total)


@kernel
def smallest_in(words: Words, steps: Words) -> int:
    """The smallest common node, -1 if there is none."""
    for w in range(len(words)):
        both = words[w] & steps[w]
        if both != _U0:
            return 64 * w + lowest_bit(both)
    return -1


@kernel
def choose_moves(hunt: Hunt, codes: Numbers, live: Words, won: Words, out: Numbers) -> int:
    """Policy entries of a quarry layer: rows (tuple's place, node, best node) in `out`; returns how many.

    `won` holds the won nodes after his move. Without one, the smallest legal node; without a legal node, no entry.
    """
    words = live.shape[1]
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    free = np.empty(words, dtype=np.uint64)
    n = 0
    for i in range(len(codes)):
        free[:] = _ONES
        if not hunt.may_step_onto:
            read_code(hunt, codes[i], nodes)
            for node in nodes:
                free[node >> 6] &= ~(_U1 << np.uint64(node & 63))
        for x in range(hunt.n_nodes):
            if not has_node(live[i], x):
                continue
            to = smallest_in(won[i], hunt.steps[x])
            if to < 0:
                to = smallest_in(free, hunt.steps[x])
            if to >= 0:
                out[n, 0] = i
                out[n, 1] = x
                out[n, 2] = to
                n += 1
    return n


@kernel
def count_choices(hunt: Hunt, codes: Numbers, live: Words) -> int:
    """How many entries `choose_moves` would write: live nodes with a step to a free one."""
    words = live.shape[1]
    nodes = np.empty(hunt.n_detectives, dtype=np.int64)
    free = np.empty(words, dtype=np.uint64)
    movable = np.empty(words, dtype=np.uint64)
    total = np.uint64(0)
    for i in range(len(codes)):
        if is_empty(live[i]):
            continue
        free[:] = _ONES
        if not hunt.may_step_onto:
            read_code(hunt, codes[i], nodes)
            for node in nodes:
                free[node >> 6] &= ~(_U1 << np.uint64(node & 63))
        spread_into(hunt, free, movable)
        for w in range(words):
            total += popcount(movable[w] & live[i, w])
    return int(total)
