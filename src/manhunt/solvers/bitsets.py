"""Sets of nodes as rows of 64-bit words: bit n % 64 of word n // 64 stands for node n."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from manhunt.core.arrays import Words
from manhunt.core.jit import kernel

_U1, _U2, _U4, _U8 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(8)
_U16, _U32 = np.uint64(16), np.uint64(32)
_ODD, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_LOW_BYTE = np.uint64(255)


def n_words(n_nodes: int) -> int:
    return (n_nodes + 63) // 64


def node_sets(rows: Sequence[Iterable[int]], n_nodes: int) -> Words:
    """One bit set for each row of nodes."""
    out = np.zeros((len(rows), n_words(n_nodes)), dtype=np.uint64)
    for i, row in enumerate(rows):
        for node in row:
            out[i, node // 64] |= np.uint64(1 << (node % 64))
    return out


def nodes_in(words: Words) -> list[int]:
    """The nodes of one bit set, ascending."""
    return [64 * i + bit for i, word in enumerate(words) for bit in range(64) if int(word) >> bit & 1]


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
