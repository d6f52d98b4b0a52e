"""The search tree as arrays: a pool that the agent owns, allocated once and filled from the start for each search.

A node is what all sides know of the moves since the root; a block holds the moves of one mover in a node. Where the
mover has no secret the node has one block. Where its secret decides what it may do (a hidden piece and its place),
the node has one block for each secret that came up, since the worlds of a search differ in that.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s, Int64s
from manhunt.core.jit import kernel

NONE = -1
OPEN = -1
"""The secret of a block whose mover has none."""
N_NODES, N_BLOCKS, N_EDGES, ROOT, DEEPEST, DONE = range(6)
MAX_DEPTH = 256


class SearchTree(NamedTuple):
    """`counts` has the lengths in use, the root, the greatest depth and the iterations done.

    Of an edge: the action and its kind (actions of one kind share a history), how often it was played, the sum of
    what that was worth to its mover, how often the evader escaped, the node behind it.
    """

    counts: Int64s
    # nodes
    first_block: Int32s
    first_child: Int32s
    sibling: Int32s
    key: Int64s
    # blocks
    secret: Int32s
    mover: Int32s
    next_block: Int32s
    first_edge: Int32s
    n_edges: Int32s
    n_visits: Int32s
    # edges
    action: Int64s
    kind: Int32s
    visits: Int32s
    score: Floats
    escapes: Int32s
    child: Int32s


def new_tree(n_edges: int) -> SearchTree:
    """Room for so many edges; memory is touched only as it is used."""
    n = max(n_edges // 3, 2)

    def ints(size: int) -> Int32s:
        return np.empty(size, np.int32)

    return SearchTree(
        np.zeros(6, np.int64),
        *(ints(n), ints(n), ints(n), np.empty(n, np.int64)),
        *(ints(n), ints(n), ints(n), ints(n), ints(n), ints(n)),
        *(np.empty(n_edges, np.int64), ints(n_edges), ints(n_edges)),
        *(np.empty(n_edges, np.float64), ints(n_edges), ints(n_edges)),
    )


@kernel
def clear(tree: SearchTree) -> None:
    tree.counts[:] = 0
    tree.counts[ROOT] = add_node(tree, 0)


@kernel
def add_node(tree: SearchTree, key: int) -> int:
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
def find_block(tree: SearchTree, node: int, secret: int) -> int:
    block = tree.first_block[node]
    while block != NONE and tree.secret[block] != secret:
        block = tree.next_block[block]
    return int(block)


@kernel
def add_block(tree: SearchTree, node: int, secret: int, mover: int, actions: Int64s, kinds: Int32s, n: int) -> int:
    """A block with n moves, given as actions and their kinds; NONE if the pool is full."""
    block, first = tree.counts[N_BLOCKS], tree.counts[N_EDGES]
    if block == len(tree.secret) or first + n > len(tree.action):
        return NONE
    tree.counts[N_BLOCKS] = block + 1
    tree.counts[N_EDGES] = first + n
    tree.secret[block] = secret
    tree.mover[block] = mover
    tree.next_block[block] = tree.first_block[node]
    tree.first_block[node] = block
    tree.first_edge[block] = first
    tree.n_edges[block] = n
    tree.n_visits[block] = 0
    for k in range(n):
        tree.action[first + k] = actions[k]
        tree.kind[first + k] = kinds[k]
        tree.visits[first + k] = 0
        tree.score[first + k] = 0.0
        tree.escapes[first + k] = 0
        tree.child[first + k] = NONE
    return int(block)


@kernel
def follow(tree: SearchTree, node: int, edge: int, key: int) -> int:
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
def find_child(tree: SearchTree, node: int, key: int) -> int:
    child = tree.first_child[node]
    while child != NONE and tree.key[child] != key:
        child = tree.sibling[child]
    return int(child)


def ranked_edges(tree: SearchTree, block: int) -> list[int]:
    """The edges of a block, most visited first, then by score."""
    first = int(tree.first_edge[block])
    edges = range(first, first + int(tree.n_edges[block]))
    return sorted(edges, key=lambda edge: (-tree.visits[edge], -tree.score[edge], edge))


def busiest_block(tree: SearchTree, node: int, secret: int) -> int:
    """The block of that secret or of a mover without one, else the most visited one; NONE if there is none."""
    best, block = NONE, int(tree.first_block[node])
    while block != NONE:
        if tree.secret[block] in (secret, OPEN):
            return block
        if best == NONE or tree.n_visits[block] > tree.n_visits[best]:
            best = block
        block = int(tree.next_block[block])
    return best
