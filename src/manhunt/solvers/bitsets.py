"""Sets of nodes as rows of 64-bit words, and a board with its rules in that form for the solvers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.pursuit.config import Config
from manhunt.ids import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    Four = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

BIG_TABLE = 1 << 20
"""Bytes; above this the spreading table takes 4 bits at a time instead of 8."""
_U1, _U2, _U4, _U16, _U32 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(16), np.uint64(32)
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_U0, _U8 = np.uint64(0), np.uint64(8)
_LOW_BYTE = np.uint64(255)


class Hunt(NamedTuple):
    """Board and switches for bit-parallel work.

    `moves` lists where a detective may step when nobody is in the way (himself among them if he may stay).
    `reach[v]` is what a detective on v catches. `spread[c, b]` is the union of the quarry's steps from the nodes
    of chunk c whose bits are set in b; chunks are `chunk_bits` wide.
    """

    indptr: NDArray[np.int64]
    moves: NDArray[np.int64]
    reach: Words
    steps: Words
    spread: Words
    chunk_bits: int
    n_nodes: int
    n_detectives: int
    may_share: bool
    may_step_onto: bool


@lru_cache(maxsize=8)
def build_hunt(config: Config) -> Hunt:
    board = config.board
    n = board.n_nodes
    rows = [_sorted_steps(config, Node(v), config.detectives_may_stay) for v in range(n)]
    steps = node_sets([_sorted_steps(config, Node(v), config.quarry_may_stay) for v in range(n)], n)
    near = [(v, *board.neighbours(Node(v))) if config.reach_hops else (v,) for v in range(n)]
    chunk_bits = 8 if (n + 7) // 8 * 256 * steps.shape[1] * 8 <= BIG_TABLE else 4
    return Hunt(
        indptr=np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64),
        moves=np.array([to for row in rows for to in row], dtype=np.int64),
        reach=node_sets(near, n),
        steps=steps,
        spread=_spread_table(steps, chunk_bits),
        chunk_bits=chunk_bits,
        n_nodes=n,
        n_detectives=config.n_detectives,
        may_share=config.may_share,
        may_step_onto=config.may_step_onto,
    )


def _sorted_steps(config: Config, node: Node, may_stay: bool) -> tuple[int, ...]:
    near = config.board.neighbours(node)
    return tuple(sorted((*near, node))) if may_stay else near


def n_words(n_nodes: int) -> int:
    return (n_nodes + 63) // 64


def node_sets(rows: list[tuple[int, ...]] | list[tuple[Node, ...]], n_nodes: int) -> Words:
    """One bit set for each row of nodes."""
    out = np.zeros((len(rows), n_words(n_nodes)), dtype=np.uint64)
    for i, row in enumerate(rows):
        for node in row:
            out[i, node // 64] |= np.uint64(1 << (node % 64))
    return out


def nodes_in(words: Words) -> list[int]:
    """The nodes of one bit set, ascending."""
    return [64 * i + bit for i, word in enumerate(words) for bit in range(64) if int(word) >> bit & 1]


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


@kernel
def popcount(word: np.uint64) -> np.uint64:
    word = word - ((word >> _U1) & _ODD)
    word = (word & _PAIRS) + ((word >> _U2) & _PAIRS)
    word = (word + (word >> _U4)) & _NIBBLES
    word = word + (word >> _U8)
    word = word + (word >> _U16)
    return (word + (word >> _U32)) & _LOW_BYTE


@kernel
def lowest_bit(word: np.uint64) -> int:
    """Index of the lowest bit of a word that is not zero."""
    below = (word & (~word + _U1)) - _U1
    return int(popcount(below))


@kernel
def has_node(words: Words, node: int) -> bool:
    return bool((words[node >> 6] >> np.uint64(node & 63)) & _U1)


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
