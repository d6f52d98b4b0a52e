"""UCT with progressive history over a tree of arrays: which edge to follow, and what to learn from how it ended.

An edge with n visits in a block with N is rated by

    score / n + explore * sqrt(ln N / n) + history * weight / (n - score + 1)

Here `score` is the sum of what its visits were worth to the mover, and `history` the mean worth of actions of its kind
anywhere in the tree. The last term fades as the edge itself is visited and loses (progressive history, Nijssen and
Winands 2010); a weight of 0 switches it off.
"""

import math

import numpy as np

from manhunt.core.arrays import Floats, Int32s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below
from manhunt.search.tree import SearchTree


def new_history(n_kinds: int) -> Floats:
    """By kind of action: sum of what it was worth to its mover, how often it was played."""
    return np.zeros((n_kinds, 2), np.float64)


@kernel
def select(tree: SearchTree, block: int, explore: float, history_weight: float, history: Floats, rng: Words) -> int:
    """The edge to follow: an unvisited one at random, else the one with the highest bound."""
    first, n = tree.first_edge[block], tree.n_edges[block]
    n_fresh = n - np.int32(min(tree.n_visits[block], n))
    if n_fresh > 0:
        return pick_fresh(tree, first, n, below(rng, n_fresh))
    log_visits = math.log(tree.n_visits[block])
    best, chosen = -1.0, first
    for edge in range(first, first + n):
        visits, score = tree.visits[edge], tree.score[edge]
        bound = score / visits + explore * math.sqrt(log_visits / visits)
        if history_weight > 0.0:
            past = history[tree.kind[edge]]
            bound += past[0] / past[1] * history_weight / (visits - score + 1.0)
        if bound > best:
            best, chosen = bound, edge
    return int(chosen)


@kernel
def pick_fresh(tree: SearchTree, first: int, n: int, skip: int) -> int:
    """The unvisited edge after `skip` others."""
    for edge in range(first, first + n):
        if tree.visits[edge] == 0:
            if skip == 0:
                return int(edge)
            skip -= 1
    return int(first)


@kernel
def learn(
    tree: SearchTree,
    path: Int32s,
    blocks: Int32s,
    depth: int,
    worth: Floats,
    escaped: bool,
    history_weight: float,
    history: Floats,
) -> None:
    """Pass an end back along the edges and blocks of an iteration; `worth` is what it was worth to each mover."""
    for k in range(depth):
        edge, block = path[k], blocks[k]
        value = worth[tree.mover[block]]
        tree.visits[edge] += 1
        tree.score[edge] += value
        tree.escapes[edge] += escaped
        tree.n_visits[block] += 1
        if history_weight > 0.0:
            past = history[tree.kind[edge]]
            past[0] += value
            past[1] += 1.0
