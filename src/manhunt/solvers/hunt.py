"""A hunt on a board in a form for bit-parallel solvers: who steps where, and what is caught from where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.core.arrays import Bytes, Int64s, Words
from manhunt.core.ids import Node
from manhunt.core.jit import kernel
from manhunt.solvers.bitsets import node_sets

if TYPE_CHECKING:
    Four = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

BIG_TABLE = 1 << 20
"""Bytes; above this the spreading table takes 4 bits at a time instead of 8."""
_U0, _U1, _U8 = np.uint64(0), np.uint64(1), np.uint64(8)
_LOW_BYTE = np.uint64(255)


class Hunt(NamedTuple):
    """Pursuers hunt one quarry on a board, and everybody sees everybody; in a round every side moves once.

    `moves` lists where a pursuer may step if nobody is in the way (including its own node if it may stay); one that
    cannot move stays. `reach[v]` is what a pursuer on v catches. `steps[v]` is where the quarry may step from v, and
    `spread[c, b]` is the union of its steps from the nodes of chunk c whose bits are set in b; chunks are `chunk_bits`
    wide.
    """

    indptr: Int64s
    moves: Int64s
    reach: Words
    steps: Words
    spread: Words
    chunk_bits: int
    n_nodes: int
    n_pursuers: int
    quarry_first: bool
    may_share: bool
    """Whether two pursuers may stand on one node."""
    may_step_onto: bool
    """Whether the quarry may step onto a pursuer; it is caught there."""


def make_hunt(
    pursuer_steps: Sequence[Sequence[int]],
    quarry_steps: Sequence[Sequence[int]],
    reach: Sequence[Iterable[int]],
    *,
    n_pursuers: int,
    quarry_first: bool = True,
    may_share: bool = False,
    may_step_onto: bool = False,
) -> Hunt:
    """A hunt from lists by node: steps of a pursuer, steps of the quarry, and the nodes that a pursuer there catches.

    The quarry's steps must go both ways, because the solvers follow them backwards. A pursuer always catches on its own
    node.
    """
    n = len(pursuer_steps)
    if not len(quarry_steps) == len(reach) == n:
        raise ValueError(
            f"steps of pursuers for {n} nodes, of the quarry for {len(quarry_steps)}, reach for {len(reach)}"
        )
    steps, caught = node_sets(quarry_steps, n), node_sets(reach, n)
    if not np.array_equal(_matrix(steps), _matrix(steps).T):
        raise ValueError("a step of the quarry leads one way only; the solvers need steps that lead both ways")
    if not _matrix(caught).diagonal().all():
        raise ValueError("a pursuer must catch the quarry on its own node")
    chunk_bits = 8 if (n + 7) // 8 * 256 * steps.shape[1] * 8 <= BIG_TABLE else 4
    return Hunt(
        indptr=np.cumsum([0, *(len(row) for row in pursuer_steps)], dtype=np.int64),
        moves=np.array([to for row in pursuer_steps for to in row], dtype=np.int64),
        reach=caught,
        steps=steps,
        spread=_spread_table(steps, chunk_bits),
        chunk_bits=chunk_bits,
        n_nodes=n,
        n_pursuers=n_pursuers,
        quarry_first=quarry_first,
        may_share=may_share,
        may_step_onto=may_step_onto,
    )


def _matrix(sets: Words) -> Bytes:
    """One bit set a row, as a square of zeros and ones."""
    return np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, : len(sets)]


def _spread_table(steps: Words, chunk_bits: int) -> Words:
    n, words = steps.shape
    size = 1 << chunk_bits
    n_chunks = words * 64 // chunk_bits
    table = np.zeros((n_chunks, size, words), dtype=np.uint64)
    for node in range(n_chunks * chunk_bits):
        chunk, bit = divmod(node, chunk_bits)
        half = 1 << bit
        table[chunk, half : 2 * half] = table[chunk, :half] | (steps[node] if node < n else np.uint64(0))
    return table


def placement(number: int, n_nodes: int, n_pursuers: int) -> tuple[Node, ...]:
    """The pursuers' nodes from their number in base n, the first pursuer's digit leading."""
    nodes = []
    for _ in range(n_pursuers):
        number, node = divmod(number, n_nodes)
        nodes.append(Node(node))
    return tuple(reversed(nodes))


def placement_number(pursuers: Iterable[int], n_nodes: int) -> int:
    """The inverse of `placement`, also for the first few pursuers alone."""
    number = 0
    for node in pursuers:
        number = number * n_nodes + node
    return number


@kernel
def spread_into(hunt: Hunt, source: Words, out: Words) -> None:
    """All nodes one quarry step from the nodes of `source`; `out` must be another row."""
    bits = np.uint64(hunt.chunk_bits)
    mask = (_U1 << bits) - _U1
    per_word = 64 // hunt.chunk_bits
    out[:] = _U0
    for i in range(len(source)):
        word = source[i]
        chunk = i * per_word
        while word != _U0:
            part = word & mask
            if part != _U0:
                row = hunt.spread[chunk, np.int64(part)]
                for j in range(len(out)):
                    out[j] |= row[j]
            word >>= bits
            chunk += 1


@kernel
def spread_word(table: Words, chunk: int, word: np.uint64, sums: Four) -> Four:
    """Add the steps from one word of a four-word set, a byte at a time; the sums stay in registers."""
    a, b, c, d = sums
    while word != _U0:
        part = np.int64(word & _LOW_BYTE)
        a |= table[chunk, part, 0]
        b |= table[chunk, part, 1]
        c |= table[chunk, part, 2]
        d |= table[chunk, part, 3]
        word >>= _U8
        chunk += 1
    return a, b, c, d


@kernel
def spread_four(hunt: Hunt, a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64) -> Four:
    """As `spread_into` for sets of four words and chunks of a byte."""
    sums = (_U0, _U0, _U0, _U0)
    sums = spread_word(hunt.spread, 0, a, sums)
    sums = spread_word(hunt.spread, 8, b, sums)
    sums = spread_word(hunt.spread, 16, c, sums)
    return spread_word(hunt.spread, 24, d, sums)
