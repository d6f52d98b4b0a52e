"""The search tree as arrays: a pool that the agent owns, allocated once and filled from the start for each search.

A node is what both sides know of the moves since the root; a block holds the moves of one mover in a node. A node
where a detective moves has one block. A node where Mr X moves has one block for each place he may move from, since
the worlds of a search differ in that place alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.scotland_yard.packed import DOUBLE_BIT, N_LOGGED, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

NONE = -1
DETECTIVE = -1
"""The place of a block in which a detective moves."""
N_NODES, N_BLOCKS, N_EDGES, ROOT, DEEPEST, DONE = range(6)
MAX_DEPTH = 256


class Tree(NamedTuple):
    """`counts` has the lengths in use, the root, the greatest depth and the iterations done."""

    counts: NDArray[np.int64]
    # nodes
    first_block: NDArray[np.int32]
    first_child: NDArray[np.int32]
    sibling: NDArray[np.int32]
    key: NDArray[np.int64]
    # blocks
    place: NDArray[np.int32]
    next_block: NDArray[np.int32]
    first_edge: NDArray[np.int32]
    n_edges: NDArray[np.int32]
    n_visits: NDArray[np.int32]
    # edges
    action: NDArray[np.int64]
    visits: NDArray[np.int32]
    score: NDArray[np.float64]
    escapes: NDArray[np.int32]
    child: NDArray[np.int32]


def new_tree(n_edges: int) -> Tree:
    """Room for so many edges; memory is touched only as it is used."""
    n = max(n_edges // 3, 2)
    nodes = [np.empty(n, np.int32) for _ in range(3)]
    blocks = [np.empty(n, np.int32) for _ in range(5)]
    return Tree(
        np.zeros(6, np.int64),
        *(nodes[0], nodes[1], nodes[2], np.empty(n, np.int64)),
        *(blocks[0], blocks[1], blocks[2], blocks[3], blocks[4]),
        np.empty(n_edges, np.int64),
        np.empty(n_edges, np.int32),
        np.empty(n_edges, np.float64),
        np.empty(n_edges, np.int32),
        np.empty(n_edges, np.int32),
    )


@kernel
def clear(tree: Tree) -> None:
    tree.counts[:] = 0
    tree.counts[ROOT] = add_node(tree, 0)


@kernel
def add_node(tree: Tree, key: int) -> int:
    """A node without blocks; NONE if the pool is full."""
    node = tree.counts[N_NODES]
    if node == len(tree.first_block):
        return NONE
    tree.counts[N_NODES] = node + 1
    tree.first_block[node] = NONE
    tree.first_child[node] = NONE
    tree.sibling[node] = NONE
    tree.key[node] = key
    return int(node)


@kernel
def find_block(tree: Tree, node: int, place: int) -> int:
    block = tree.first_block[node]
    while block != NONE and tree.place[block] != place:
        block = tree.next_block[block]
    return int(block)


@kernel
def add_block(tree: Tree, node: int, place: int, actions: NDArray[np.int64], n: int) -> int:
    """A block with n moves; NONE if the pool is full."""
    block, first = tree.counts[N_BLOCKS], tree.counts[N_EDGES]
    if block == len(tree.place) or first + n > len(tree.action):
        return NONE
    tree.counts[N_BLOCKS] = block + 1
    tree.counts[N_EDGES] = first + n
    tree.place[block] = place
    tree.next_block[block] = tree.first_block[node]
    tree.first_block[node] = block
    tree.first_edge[block] = first
    tree.n_edges[block] = n
    tree.n_visits[block] = 0
    for k in range(n):
        tree.action[first + k] = actions[k]
        tree.visits[first + k] = 0
        tree.score[first + k] = 0.0
        tree.escapes[first + k] = 0
        tree.child[first + k] = NONE
    return int(block)


@kernel
def follow(tree: Tree, node: int, edge: int, key: int) -> int:
    """The node behind an edge, made if it is not there; NONE if the pool is full."""
    child = tree.child[edge]
    if child != NONE:
        return int(child)
    child = find_child(tree, node, key)
    if child == NONE:
        child = add_node(tree, key)
        if child == NONE:
            return NONE
        tree.sibling[child] = tree.first_child[node]
        tree.first_child[node] = child
    tree.child[edge] = child
    return int(child)


@kernel
def find_child(tree: Tree, node: int, key: int) -> int:
    child = tree.first_child[node]
    while child != NONE and tree.key[child] != key:
        child = tree.sibling[child]
    return int(child)


@kernel
def public_key(table: Table, state: NDArray[np.int32], action: int) -> int:
    """What everybody learns of an action, as a number: all of a detective's, of Mr X's tickets and shown places."""
    if action & 7:
        return action
    key = action & 0xFF
    slot = state[N_LOGGED]
    if table.shown[slot]:
        key |= action & 0xFFFF00
    else:
        key |= 0xFFFF00
    if action & DOUBLE_BIT:
        if table.shown[slot + 1]:
            key |= (action >> 24) << 24
        else:
            key |= 0xFFFF << 24
    return key
