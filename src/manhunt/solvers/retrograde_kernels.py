"""One round backwards for all starts at once.

Let S(P) be the set of quarry nodes that survive r more rounds when the pursuers stand on P = (p0 ... p(k-1)) and the
first side is to move; S0(P) is everything that P does not catch. Where the quarry moves first, one more round is

    T(P) = intersection of S over all ways of p0, then p1, ..., then p(k-1) to move        (what every hunt leaves)
    S'(P) = {x not caught by P: some step x -> y has y in T(P), y not caught by P}

Backwards p(k-1) comes first: T is an `and` over the moves of one pursuer at a time, 64 quarry nodes in a word. Where
the pursuers move first, the quarry's step is taken before all of this, and the caught are masked out at the end.

`sets` is a matrix: a row for each prefix (p0 ... p(k-2)), in it for each last pursuer p(k-1) the bit set of survivors.
A single pursuer has a row for each p0 and no last one. All works in place: the moves of p1 ... p(k-1) stay within the
slab of one p0 (`inner_pursuers`); those of p0 join rows with equal middle pursuers, a plane (`first_pursuer`). Pursuer
tuples that the rules forbid hold all ones, which no `and` over legal moves can see; a legal set always lacks the
pursuers' own nodes, so all ones after an `and` means that the pursuer had nowhere to go. A round costs, for each of the
n^k tuples, an `and` with one set for every move of every pursuer, and for the quarry's step a table lookup for every
byte of the set that is not empty. Sets of four words (London) have their own path, in registers.
"""

from __future__ import annotations

import numpy as np

from manhunt.core.arrays import Int64s, Words
from manhunt.core.jit import kernel
from manhunt.solvers.bitsets import popcount
from manhunt.solvers.hunt import Hunt, spread_four, spread_into

_U0 = np.uint64(0)
_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
N_ALIVE, FIRST_ALIVE, N_HOPELESS, FIRST_HOPELESS, N_TALLY = 0, 1, 2, 3, 4
"""Fields of a tally: surviving states, the first pursuer tuple with one, tuples without one, the first of these."""
NOWHERE = np.int64(1) << np.int64(62)


@kernel
def read_prefix(hunt: Hunt, row: int, digits: Int64s) -> bool:
    """Split a row's number into its pursuers; False if the rules forbid that they stand like this."""
    for i in range(len(digits) - 1, -1, -1):
        digits[i] = row % hunt.n_nodes
        row //= hunt.n_nodes
    if not hunt.may_share:
        for i in range(len(digits)):
            for j in range(i):
                if digits[i] == digits[j]:
                    return False
    return True


@kernel
def is_in(digits: Int64s, node: int) -> bool:
    for digit in digits:
        if digit == node:
            return True
    return False


@kernel
def caught_by(hunt: Hunt, digits: Int64s, caught: Words) -> None:
    """What the pursuers of a prefix catch."""
    caught[:] = _U0
    for digit in digits:
        for w in range(len(caught)):
            caught[w] |= hunt.reach[digit, w]


@kernel
def close_row(
    hunt: Hunt, digits: Int64s, source: Words, out: Words, tally: Int64s, first: int, has_last: bool, steps: bool
) -> None:
    """Who of `source` is left for the tuples of one row part: not caught, and with `steps` one quarry step before it.

    With it they are those who have a step into `source` that is not caught, and are free now. Forbidden tuples become
    all ones. `first` is the number of the first tuple of the part within its row; `source` and `out` may be the same.
    """
    words = hunt.reach.shape[1]
    caught = np.empty(words, dtype=np.uint64)
    part = np.empty(words, dtype=np.uint64)
    into = np.empty(words, dtype=np.uint64)
    caught_by(hunt, digits, caught)
    n = len(source) // words
    alive, hopeless = np.int64(0), np.int64(0)
    first_alive, first_hopeless = NOWHERE, NOWHERE
    four = steps and words == 4 and hunt.chunk_bits == 8
    for i in range(n):
        at = i * words
        last = first + i
        if has_last and not hunt.may_share and is_in(digits, last):
            out[at : at + words] = _ONES
            continue
        count = np.int64(0)
        if four:
            b0, b1, b2, b3 = ~caught[0], ~caught[1], ~caught[2], ~caught[3]
            if has_last:
                b0 &= ~hunt.reach[last, 0]
                b1 &= ~hunt.reach[last, 1]
                b2 &= ~hunt.reach[last, 2]
                b3 &= ~hunt.reach[last, 3]
            r0, r1, r2, r3 = spread_four(
                hunt, source[at] & b0, source[at + 1] & b1, source[at + 2] & b2, source[at + 3] & b3
            )
            r0 &= b0
            r1 &= b1
            r2 &= b2
            r3 &= b3
            out[at] = r0
            out[at + 1] = r1
            out[at + 2] = r2
            out[at + 3] = r3
            count = np.int64(popcount(r0) + popcount(r1) + popcount(r2) + popcount(r3))
        else:
            for w in range(words):
                free = ~caught[w] & ~hunt.reach[last, w] if has_last else ~caught[w]
                into[w] = source[at + w] & free
                part[w] = into[w]
            if steps:
                spread_into(hunt, into, part)
            for w in range(words):
                left = part[w] & ~caught[w]
                if has_last:
                    left &= ~hunt.reach[last, w]
                out[at + w] = left
                count += np.int64(popcount(left))
        alive += count
        if count == 0:
            hopeless += 1
            first_hopeless = min(first_hopeless, np.int64(last))
        else:
            first_alive = min(first_alive, np.int64(last))
    tally[N_ALIVE] += alive
    tally[N_HOPELESS] += hopeless
    tally[FIRST_ALIVE] = first_alive
    tally[FIRST_HOPELESS] = first_hopeless


@kernel
def merge_tally(tally: Int64s, part: Int64s, base: int) -> None:
    """Add a row's tally; `base` is the number of the row's first tuple."""
    tally[N_ALIVE] += part[N_ALIVE]
    tally[N_HOPELESS] += part[N_HOPELESS]
    if part[FIRST_ALIVE] != NOWHERE:
        tally[FIRST_ALIVE] = min(tally[FIRST_ALIVE], base + part[FIRST_ALIVE])
    if part[FIRST_HOPELESS] != NOWHERE:
        tally[FIRST_HOPELESS] = min(tally[FIRST_HOPELESS], base + part[FIRST_HOPELESS])
    part[N_ALIVE] = 0
    part[N_HOPELESS] = 0


@kernel
def fill_start(hunt: Hunt, sets: Words, digits: Int64s, has_last: bool, tally: Int64s) -> None:
    """Zero rounds to go: everybody who is not caught survives."""
    words = hunt.reach.shape[1]
    full = np.empty(words, dtype=np.uint64)
    for w in range(words):
        left = hunt.n_nodes - 64 * w
        full[w] = _ONES if left >= 64 else (np.uint64(1) << np.uint64(left)) - np.uint64(1)
    part = np.zeros(N_TALLY, dtype=np.int64)
    per_row = sets.shape[1] // words
    for row in range(len(sets)):
        if not read_prefix(hunt, row, digits):
            sets[row] = _ONES
            continue
        for i in range(per_row):
            for w in range(words):
                sets[row, i * words + w] = full[w]
        close_row(hunt, digits, sets[row], sets[row], part, 0, has_last, False)
        merge_tally(tally, part, row * per_row)


@kernel
def last_pursuer(hunt: Hunt, digits: Int64s, source: Words, out: Words) -> None:
    """The last pursuer of every tuple of a row has moved: `out` is what survives all its moves."""
    words = hunt.reach.shape[1]
    for here in range(hunt.n_nodes):
        at = here * words
        if not hunt.may_share and is_in(digits, here):
            out[at : at + words] = _ONES
            continue
        begin, end = hunt.indptr[here], hunt.indptr[here + 1]
        stuck = True
        if words == 4:
            a = b = c = d = _ONES
            for edge in range(begin, end):
                to = hunt.moves[edge] * 4
                a &= source[to]
                b &= source[to + 1]
                c &= source[to + 2]
                d &= source[to + 3]
            out[at] = a
            out[at + 1] = b
            out[at + 2] = c
            out[at + 3] = d
            stuck = a & b & c & d == _ONES
        else:
            for w in range(words):
                a = _ONES
                for edge in range(begin, end):
                    a &= source[hunt.moves[edge] * words + w]
                out[at + w] = a
                stuck = stuck and a == _ONES
        if stuck:
            out[at : at + words] = source[at : at + words]


@kernel
def one_pursuer(hunt: Hunt, here: int, source: Words, base: int, stride: int, out: Words) -> None:
    """As `last_pursuer` for a pursuer of the prefix: whole rows at once. `source[base]` is its row on node 0."""
    words = hunt.reach.shape[1]
    begin, end = hunt.indptr[here], hunt.indptr[here + 1]
    size = len(out)
    stay = source[base + here * stride]
    if begin == end:
        for j in range(size):
            out[j] = stay[j]
        return
    one = source[base + hunt.moves[begin] * stride]
    if end - begin == 1:
        for j in range(size):
            out[j] = one[j]
    else:
        two = source[base + hunt.moves[begin + 1] * stride]
        for j in range(size):
            out[j] = one[j] & two[j]
        edge = begin + 2
        while edge + 1 < end:
            one = source[base + hunt.moves[edge] * stride]
            two = source[base + hunt.moves[edge + 1] * stride]
            for j in range(size):
                out[j] &= one[j] & two[j]
            edge += 2
        if edge < end:
            one = source[base + hunt.moves[edge] * stride]
            for j in range(size):
                out[j] &= one[j]
    if not hunt.may_share and end - begin < hunt.n_pursuers:
        for i in range(size // words):
            at = i * words
            stuck = True
            for w in range(words):
                stuck = stuck and out[at + w] == _ONES
            if stuck:
                out[at : at + words] = stay[at : at + words]


@kernel
def inner_pursuers(hunt: Hunt, sets: Words, begin: int, end: int, spread_first: bool, one: Words, two: Words) -> None:
    """All pursuers but p0 move, last one first, in the slabs p0 = begin .. end - 1; needs two or more pursuers."""
    per_slab = len(sets) // hunt.n_nodes
    for slab in range(begin, end):
        inner_slab(hunt, slab, sets[slab * per_slab : (slab + 1) * per_slab], spread_first, one, two)


@kernel
def inner_slab(hunt: Hunt, slab: int, sets: Words, spread_first: bool, one: Words, two: Words) -> None:
    """All pursuers but p0 move in the slab of one p0; `sets` are its rows alone.

    `one` and `two` are scratch for a slab. With `spread_first` the quarry's step comes before (it moves last).
    """
    per_slab = len(sets)
    base = slab * per_slab
    digits = np.empty(hunt.n_pursuers - 1, dtype=np.int64)
    tally = np.zeros(N_TALLY, dtype=np.int64)
    spare = np.empty(sets.shape[1], dtype=np.uint64)
    for i in range(per_slab):
        if not read_prefix(hunt, base + i, digits):
            one[i] = _ONES
            continue
        if spread_first:
            close_row(hunt, digits, sets[i], spare, tally, 0, True, True)
            last_pursuer(hunt, digits, spare, one[i])
        else:
            last_pursuer(hunt, digits, sets[i], one[i])
    stride = 1
    for piece in range(len(digits) - 1, 0, -1):
        for i in range(per_slab):
            if not read_prefix(hunt, base + i, digits):
                two[i] = _ONES
                continue
            here = digits[piece]
            one_pursuer(hunt, here, one, i - here * stride, stride, two[i])
            if not hunt.may_share:
                forbid(hunt, digits, two[i])
        one, two = two, one
        stride *= hunt.n_nodes
    sets[:] = one


@kernel
def forbid(hunt: Hunt, digits: Int64s, row: Words) -> None:
    """All ones where the last pursuer would share a node of the prefix."""
    words = hunt.reach.shape[1]
    for digit in digits:
        row[digit * words : (digit + 1) * words] = _ONES


@kernel
def first_pursuer(
    hunt: Hunt,
    sets: Words,
    begin: int,
    end: int,
    columns: tuple[int, int],
    spread_last: bool,
    copy: Words,
    tally: Int64s,
) -> None:
    """p0 moves, then (with `spread_last`) the quarry's step before it all; closes the round and counts.

    Works on the planes of equal middle pursuers begin .. end - 1, and there on the last pursuers
    columns[0] .. columns[1] - 1. `copy` is scratch for one plane.
    """
    words = hunt.reach.shape[1]
    has_last = hunt.n_pursuers > 1
    n_digits = hunt.n_pursuers - 1 if has_last else 1
    digits = np.empty(n_digits, dtype=np.int64)
    part = np.zeros(N_TALLY, dtype=np.int64)
    stride = len(sets) // hunt.n_nodes
    per_row = sets.shape[1] // words
    left, right = columns[0] * words, columns[1] * words
    for middle in range(begin, end):
        for here in range(hunt.n_nodes):
            copy[here] = sets[here * stride + middle, left:right]
            if not spread_last and not has_last:
                digits[0] = here
                close_row(hunt, digits, copy[here], copy[here], part, 0, False, True)
                part[:] = 0
        for here in range(hunt.n_nodes):
            number = here * stride + middle
            if not read_prefix(hunt, number, digits):
                continue
            row = sets[number, left:right]
            one_pursuer(hunt, here, copy, 0, 1, row)
            close_row(hunt, digits, row, row, part, columns[0], has_last, spread_last)
            merge_tally(tally, part, number * per_row)


@kernel
def first_slab(hunt: Hunt, slab: int, sets: Words, out: Words) -> None:
    """p0 moves away from node `slab`: `out` gets its slab, from the slabs that it can go to in `sets`."""
    per_slab = len(out)
    digits = np.empty(hunt.n_pursuers - 1, dtype=np.int64)
    for middle in range(per_slab):
        if read_prefix(hunt, slab * per_slab + middle, digits):
            one_pursuer(hunt, slab, sets, middle, per_slab, out[middle])


@kernel
def close_slab(hunt: Hunt, slab: int, sets: Words, steps: bool, tally: Int64s) -> None:
    """`close_row` for all rows of a slab, in place; rows of forbidden tuples become all ones."""
    per_slab, per_row = len(sets), hunt.n_nodes
    digits = np.empty(hunt.n_pursuers - 1, dtype=np.int64)
    part = np.zeros(N_TALLY, dtype=np.int64)
    for i in range(per_slab):
        number = slab * per_slab + i
        if read_prefix(hunt, number, digits):
            close_row(hunt, digits, sets[i], sets[i], part, 0, True, steps)
            merge_tally(tally, part, number * per_row)
        else:
            sets[i] = _ONES
