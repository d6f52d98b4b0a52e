"""One round backwards for all starts at once, where the pursuers are interchangeable and move at once.

The sets S(P) of `retrograde_kernels` then do not depend on the order of P, so one set is kept for each sorted tuple
p0 <= p1 <= ... <= p(k-1): C(n+k-1, k) of them instead of n^k. What every hunt leaves is

    T(P) = intersection of S(Q) over all Q with each q_i among the moves of p_i
         = F(P, nothing), with F(nothing, Q) = S(Q) and F(U + p, Q) = intersection of F(U, Q + q) over the moves q of p

F is symmetric in the pursuers that still have to move (U) and in those that have moved (Q), but not in both together.
So the largest pursuers move first and are held fixed: `level_m` is F(fixed, Q) as a table over all sorted Q of m nodes,
level_k = S, and one pursuer more makes level_(m-1) from level_m (`meet`). Whoever is left stands below the smallest
fixed pursuer v and gets no farther than `tops[v]`, so only Q up to there are worked out.

A table over sorted tuples lies in the order of the largest node, then the next: tuple (q0 <= ... <= q(m-1)) has number
counts[1, q0] + counts[2, q1] + ... + counts[m, q(m-1)], where counts[j, v] = C(v+j-1, j) is how many sorted j-tuples
stay below v. So "up to top" is a beginning of the table, "largest pursuer = v" a connected part of it (a slab), and q0
runs through neighbours in memory (a row). Slabs are worked out independently, from the old table into a new one.

Without sharing, tuples with two pursuers on a node hold all ones, which no `and` sees, and all ones after the `and`s
mean that no joint move exists: everybody stays. Cost of a round: for each m < k, an `and` for each move of the last
fixed pursuer and each Q up to its top; at most the sum of C(n+j-1, j) C(n+k-j-1, k-j) times the mean number of moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Int64s, Words
from manhunt.core.jit import kernel
from manhunt.solvers.hunt import Hunt
from manhunt.solvers.retrograde_kernels import FIRST_ALIVE, FIRST_HOPELESS, N_ALIVE, N_HOPELESS, NOWHERE, close_row

_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


class SortedHunt(NamedTuple):
    """A hunt, and the numbers of its sorted tuples; in `hunt.moves` whoever has no move stays."""

    hunt: Hunt
    counts: Int64s
    """[j, v]: how many sorted tuples of j nodes stay below v."""
    tops: Int64s
    """[v]: the last node that a pursuer on v or below can move to."""


@kernel
def next_rest(rest: Int64s) -> int:
    """Go on to the next sorted tuple; returns the place that went up, those before it are 0."""
    i = 0
    while i + 1 < len(rest) and rest[i] == rest[i + 1]:
        rest[i] = 0
        i += 1
    rest[i] += 1
    return i


@kernel
def row_with(counts: Int64s, rest: Int64s, node: int) -> int:
    """The number of the first tuple of a row: node 0, and `rest` with `node` sorted in."""
    number, place, waits = 0, 2, True
    for other in rest:
        if waits and other > node:
            number += counts[place, node]
            place += 1
            waits = False
        number += counts[place, other]
        place += 1
    return number + counts[place, node] if waits else number


@kernel
def and_run(source: Words, start: int, out: Words, at: int, size: int, fresh: bool) -> None:
    """Take `size` words of `source` over to `out`: as they are, or by `and` where it is not fresh."""
    if fresh:
        for j in range(size):
            out[at + j] = source[start + j]
    else:
        for j in range(size):
            out[at + j] &= source[start + j]


@kernel
def meet(sorted_hunt: SortedHunt, source: Words, m: int, node: int, out: Words) -> None:
    """out(Q) = intersection of source(Q + q) over the moves q of `node`, for all Q of m - 1 nodes up to its top.

    Goes through Q row by row: `rest` is Q without its smallest node r, and the row is r = 0 ... bound. Where q is not
    below the bound, Q + q is a row of `source` as well. Otherwise it is one as far as r <= q; above, q is the smallest
    node, and the sets lie counts[2, r] apart.
    """
    hunt, counts, top = sorted_hunt.hunt, sorted_hunt.counts, sorted_hunt.tops[node]
    words = hunt.reach.shape[1]
    rest = np.zeros(m - 2, dtype=np.int64)
    begin, end = hunt.indptr[node], hunt.indptr[node + 1]
    at = 0
    for row in range(counts[m - 2, top + 1]):
        if row > 0:
            next_rest(rest)
        bound = rest[0] if m > 2 else top
        for edge in range(begin, end):
            q = hunt.moves[edge]
            start = row_with(counts, rest, q)
            last = min(q, bound)
            and_run(source, start * words, out, at, (last + 1) * words, edge == begin)
            start += q - counts[2, q]
            if words == 4 and edge > begin:
                for r in range(last + 1, bound + 1):
                    there, here = (start + counts[2, r]) * 4, at + r * 4
                    a, b = out[here] & source[there], out[here + 1] & source[there + 1]
                    c, d = out[here + 2] & source[there + 2], out[here + 3] & source[there + 3]
                    out[here], out[here + 1], out[here + 2], out[here + 3] = a, b, c, d
            else:
                for r in range(last + 1, bound + 1):
                    and_run(source, (start + counts[2, r]) * words, out, at + r * words, words, edge == begin)
        at += (bound + 1) * words


@kernel
def meet_last(hunt: Hunt, level: Words, out: Words, at: int, n: int) -> None:
    """The smallest pursuer moves from each of the first n nodes: `meet` of a table over single nodes."""
    words = hunt.reach.shape[1]
    for here in range(n):
        begin, end = hunt.indptr[here], hunt.indptr[here + 1]
        if words == 4:
            a = b = c = d = _ONES
            for edge in range(begin, end):
                to = hunt.moves[edge] * 4
                a &= level[to]
                b &= level[to + 1]
                c &= level[to + 2]
                d &= level[to + 3]
            out[at] = a
            out[at + 1] = b
            out[at + 2] = c
            out[at + 3] = d
        else:
            for edge in range(begin, end):
                and_run(level, hunt.moves[edge] * words, out, at, words, edge == begin)
        at += words


@kernel
def move_slab(sorted_hunt: SortedHunt, source: Words, largest: int, levels: Words, out: Words) -> None:
    """T of all tuples with this largest pursuer into `out`, the part of the new table that is theirs.

    `rest` is the tuple without its smallest pursuer; a pursuer that changes makes its level and those below it new.
    `levels` is scratch for level_1, level_2, ... level_(k-1), one after the other.
    """
    hunt, counts = sorted_hunt.hunt, sorted_hunt.counts
    k, words = hunt.n_pursuers, hunt.reach.shape[1]
    starts = np.zeros(k + 1, dtype=np.int64)
    for m in range(1, k):
        starts[m + 1] = starts[m] + counts[m, hunt.n_nodes] * words
    rest = np.zeros(k - 1, dtype=np.int64)
    rest[-1] = largest
    at, changed = 0, k - 2
    base = counts[k, largest] * words
    for row in range(counts[k - 2, largest + 1]):
        if row > 0:
            changed = next_rest(rest)
        for i in range(changed, -1, -1):
            above = source if i == k - 2 else levels[starts[i + 2] : starts[i + 3]]
            meet(sorted_hunt, above, i + 2, rest[i], levels[starts[i + 1] : starts[i + 2]])
        size = (rest[0] + 1) * words
        meet_last(hunt, levels, out, at, rest[0] + 1)
        if not hunt.may_share:
            stay_where_stuck(out[at : at + size], source[base + at : base + at + size], words)
        at += size


@kernel
def stay_where_stuck(row: Words, stay: Words, words: int) -> None:
    """Where no joint move exists (all ones), take over what staying leads to."""
    for at in range(0, len(row), words):
        stuck = True
        for w in range(words):
            stuck = stuck and row[at + w] == _ONES
        if stuck:
            row[at : at + words] = stay[at : at + words]


@kernel
def n_orders(rest: Int64s) -> int:
    """In how many orders `rest` and one node more, different from all of them, can stand."""
    orders, run = 1, 0
    for i in range(len(rest)):
        run = run + 1 if i and rest[i] == rest[i - 1] else 1
        orders = orders * (i + 1) // run
    return orders * (len(rest) + 1)


@kernel
def close_slab(sorted_hunt: SortedHunt, sets: Words, largest: int, steps: bool, tally: Int64s) -> None:
    """Who is left in the part of a table with this largest pursuer: not caught, and with `steps` a quarry step before.

    Works in place. The tally counts ordered tuples, and its first ones are numbers of ordered tuples, too: the first
    in that order is sorted.
    """
    hunt, counts = sorted_hunt.hunt, sorted_hunt.counts
    n, k, words = hunt.n_nodes, hunt.n_pursuers, hunt.reach.shape[1]
    rest = np.zeros(k - 1, dtype=np.int64)
    rest[-1] = largest
    part = np.zeros(len(tally), dtype=np.int64)
    at = 0
    for row in range(counts[k - 2, largest + 1]):
        if row > 0:
            next_rest(rest)
        smallest = rest[0]
        number, same, distinct = 0, 0, True
        for i in range(k - 1):
            number = number * n + rest[i]
            same += rest[i] == smallest
            distinct = distinct and (i == 0 or rest[i] != rest[i - 1])
        orders, middle, end = n_orders(rest), at + smallest * words, at + (smallest + 1) * words
        if distinct or hunt.may_share:
            close_row(hunt, rest, sets[at:middle], sets[at:middle], part, 0, True, steps)
            add_tally(tally, part, orders, n ** (k - 1), number)
            close_row(hunt, rest, sets[middle:end], sets[middle:end], part, smallest, True, steps)
            add_tally(tally, part, orders // (same + 1), n ** (k - 1), number)
        else:
            sets[at:end] = _ONES
        at = end


@kernel
def add_tally(tally: Int64s, part: Int64s, orders: int, stride: int, number: int) -> None:
    """Add a row's tally as often as its tuples have orders; `number` and `stride` make numbers of its first ones."""
    tally[N_ALIVE] += part[N_ALIVE] * orders
    tally[N_HOPELESS] += part[N_HOPELESS] * orders
    for field in (FIRST_ALIVE, FIRST_HOPELESS):
        if part[field] != NOWHERE:
            tally[field] = min(tally[field], part[field] * stride + number)
    part[N_ALIVE] = 0
    part[N_HOPELESS] = 0
