"""Steps between the layers of one start's game tree: all states reached, then the won ones among them.

A layer is the moment before somebody's turn. It lists the pursuer tuples P reached (as codes in base n, plus n^k times
the waiting mask where pursuers move in any order) and for each the bit set L(P) of quarry nodes that are reached and
not caught; W(P) are the won ones among them. L', W' belong to the next layer, and W = L in the last one:

    quarry moves:    L'(P)  = steps from L(P) onto free nodes       W(P) = L(P) and {x: some step x -> y has y in W'(P)}
    pursuers move:   L'(P') = union of L(P) over moves P -> P'      W(P) = L(P) and, over all moves, every W'(P')

The start escapes if its node is won in the first layer. The pursuers' moves do not depend on the quarry, so whole bit
sets travel along them: a layer costs (tuples) x (moves of the turn) x (words of a set), and a lookup of P' each, by an
array of ranks where there are few codes and by binary search where there are many.
"""

from __future__ import annotations

import numpy as np

from manhunt.core.arrays import Bools, Int32s, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.solvers.bitsets import has_node, lowest_bit, popcount
from manhunt.solvers.hunt import Hunt, spread_into

_U0, _U1 = np.uint64(0), np.uint64(1)
_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
ALL_AT_ONCE, IN_ANY_ORDER = -1, -2
"""Who moves in a step, where it is not the number of one pursuer."""


@kernel
def read_code(hunt: Hunt, code: int, nodes: Int64s) -> int:
    """Split a code into the pursuers' nodes; return the waiting mask."""
    for piece in range(hunt.n_pursuers - 1, -1, -1):
        nodes[piece] = code % hunt.n_nodes
        code //= hunt.n_nodes
    return code


@kernel
def is_free(hunt: Hunt, nodes: Int64s, piece: int, to: int) -> bool:
    if hunt.may_share:
        return True
    for other in range(len(nodes)):
        if other != piece and nodes[other] == to:
            return False
    return True


@kernel
def moves_of_one(hunt: Hunt, code: int, nodes: Int64s, piece: int, weight: int, out: Int64s, n: int) -> int:
    """Codes after one pursuer's moves, written from out[n] on; returns the new n."""
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
def moves_of_all(hunt: Hunt, code: int, nodes: Int64s, out: Int64s) -> int:
    """Codes after all pursuers moved at once: an odometer over everybody's moves."""
    k = hunt.n_pursuers
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
def children(hunt: Hunt, code: int, who: int, nodes: Int64s, out: Int64s) -> int:
    """Codes of the pursuer tuples after the moves of `who`; returns how many, each once for each move."""
    mask = read_code(hunt, code, nodes)
    if who == ALL_AT_ONCE:
        return moves_of_all(hunt, code, nodes, out)
    n = 0
    weight = 1
    for _ in range(hunt.n_pursuers - 1):
        weight *= hunt.n_nodes
    size = weight * hunt.n_nodes
    for piece in range(hunt.n_pursuers):
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
def mark_children(hunt: Hunt, codes: Int64s, live: Words, who: int, room: Int64s, seen: Bools) -> int:
    """Flag every code reached; returns how many moves lead there."""
    nodes = np.empty(hunt.n_pursuers, dtype=np.int64)
    total = 0
    for i in range(len(codes)):
        if not is_empty(live[i]):
            n = children(hunt, codes[i], who, nodes, room)
            total += n
            for j in range(n):
                seen[room[j]] = True
    return total


@kernel
def list_children(hunt: Hunt, codes: Int64s, live: Words, who: int, room: Int64s, out: Int64s) -> int:
    """Write every code reached, once for each move, to `out` while there is room; returns how many there are."""
    nodes = np.empty(hunt.n_pursuers, dtype=np.int64)
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
def place_of(codes: Int64s, rank: Int32s, code: int) -> int:
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
    hunt: Hunt, codes: Int64s, live: Words, who: int, room: Int64s, after: Int64s, rank: Int32s, out: Words
) -> None:
    """Every quarry set goes along to each tuple the pursuers can move to."""
    nodes = np.empty(hunt.n_pursuers, dtype=np.int64)
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
    hunt: Hunt, codes: Int64s, won: Words, who: int, room: Int64s, after: Int64s, rank: Int32s, later: Words
) -> None:
    """For all: keep in `won` (which begins as all that is live) what every move of the pursuers leaves won."""
    nodes = np.empty(hunt.n_pursuers, dtype=np.int64)
    for i in range(len(codes)):
        if is_empty(won[i]):
            continue
        n = children(hunt, codes[i], who, nodes, room)
        for j in range(n):
            place = place_of(after, rank, room[j])
            for w in range(won.shape[1]):
                won[i, w] &= later[place, w]


@kernel
def find_free(hunt: Hunt, code: int, free: Words) -> None:
    """The nodes that the quarry may step onto, whether they lead anywhere or not: all, or those without a pursuer."""
    free[:] = _ONES
    if not hunt.may_step_onto:
        for _ in range(hunt.n_pursuers):
            node = code % hunt.n_nodes
            free[node >> 6] &= ~(_U1 << np.uint64(node & 63))
            code //= hunt.n_nodes


@kernel
def quarry_forward(hunt: Hunt, codes: Int64s, live: Words, out: Words) -> None:
    """Where the quarry can be after its move."""
    free = np.empty(live.shape[1], dtype=np.uint64)
    for i in range(len(codes)):
        spread_into(hunt, live[i], out[i])
        find_free(hunt, codes[i], free)
        out[i] &= free


@kernel
def quarry_back(hunt: Hunt, won: Words, later: Words) -> None:
    """Exists: keep in `won` whoever has a step to a won node."""
    part = np.empty(won.shape[1], dtype=np.uint64)
    for i in range(len(won)):
        spread_into(hunt, later[i], part)
        for w in range(won.shape[1]):
            won[i, w] &= part[w]


@kernel
def settle(hunt: Hunt, codes: Int64s, sets: Words) -> int:
    """Take the caught out of a layer; returns how many states it had before."""
    nodes = np.empty(hunt.n_pursuers, dtype=np.int64)
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
def choose_moves(hunt: Hunt, codes: Int64s, live: Words, won: Words, out: Int64s) -> int:
    """Policy entries of a quarry layer: rows (tuple's place, node, best node) in `out`; returns how many.

    `won` holds the won nodes after its move. Without one, the smallest legal node; without a legal node, no entry.
    """
    words = live.shape[1]
    free = np.empty(words, dtype=np.uint64)
    n = 0
    for i in range(len(codes)):
        find_free(hunt, codes[i], free)
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
def count_choices(hunt: Hunt, codes: Int64s, live: Words) -> int:
    """How many entries `choose_moves` would write: live nodes with a step to a free one."""
    words = live.shape[1]
    free = np.empty(words, dtype=np.uint64)
    movable = np.empty(words, dtype=np.uint64)
    total = np.uint64(0)
    for i in range(len(codes)):
        if is_empty(live[i]):
            continue
        find_free(hunt, codes[i], free)
        spread_into(hunt, free, movable)
        for w in range(words):
            total += popcount(movable[w] & live[i, w])
    return int(total)
