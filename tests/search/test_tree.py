"""The search tree and UCT: a search on a little game of secrets finds what plain enumeration finds."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.kernel_random import below, new_rng
from manhunt.search import tree as trees
from manhunt.search.tree import N_BLOCKS, N_EDGES, N_NODES, NONE, OPEN, ROOT, SearchTree
from manhunt.search.uct import learn, new_history, select

pytestmark = [
    pytest.mark.kernel,
    # the generator's arithmetic is meant to overflow; NumPy warns of it where nothing is compiled
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]

N_KINDS = 5
FEW = 300 if os.environ.get("NUMBA_DISABLE_JIT") != "1" else 60


def new_tree(n_edges: int = 1000) -> SearchTree:
    tree = trees.new_tree(n_edges)
    trees.clear(tree)
    return tree


def add_block(tree: SearchTree, node: int, secret: int, mover: int, actions: list[int]) -> int:
    kinds = np.array([action % N_KINDS for action in actions], np.int32)
    return trees.add_block(tree, node, secret, mover, np.array(actions, np.int64), kinds, len(actions))


def test_blocks_of_a_node_are_told_apart_by_secret() -> None:
    tree = new_tree()
    root = int(tree.counts[ROOT])
    assert trees.find_block(tree, root, 3) == NONE
    blocks = {secret: add_block(tree, root, secret, 1, [10 + secret, 20, 30]) for secret in (3, 7, OPEN)}
    assert len(set(blocks.values())) == 3
    for secret, block in blocks.items():
        assert trees.find_block(tree, root, secret) == block
        first = int(tree.first_edge[block])
        assert tree.action[first : first + 3].tolist() == [10 + secret, 20, 30]
        assert tree.kind[first : first + 3].tolist() == [(10 + secret) % N_KINDS, 0, 0]
        assert (tree.secret[block], tree.mover[block], tree.n_visits[block]) == (secret, 1, 0)


def test_edges_with_one_key_lead_to_one_node() -> None:
    """Two places, one look: what follows is the same for those who do not know."""
    tree = new_tree()
    root = int(tree.counts[ROOT])
    edges = [int(tree.first_edge[add_block(tree, root, secret, 0, [1, 2])]) for secret in (3, 7)]
    child = trees.follow(tree, root, edges[0], 55)
    assert trees.follow(tree, root, edges[1], 55) == child == trees.find_child(tree, root, 55)
    assert trees.follow(tree, root, edges[0] + 1, 56) not in (child, root, NONE)
    assert trees.follow(tree, root, edges[0], 99) == child
    assert trees.find_child(tree, root, 57) == NONE


def test_a_full_pool_says_so_and_stays_whole() -> None:
    tree = new_tree(9)
    root = int(tree.counts[ROOT])
    block = add_block(tree, root, 1, 0, [1, 2, 3, 4, 5])
    before = tree.counts.copy()
    assert add_block(tree, root, 2, 0, [1, 2, 3, 4, 5]) == NONE
    assert (tree.counts == before).all()
    first = int(tree.first_edge[block])
    found = [trees.follow(tree, root, first + k, k) for k in range(5)]
    assert NONE not in found[:2]
    assert found[2:] == [NONE] * 3
    assert tree.counts[N_NODES] == 3
    trees.clear(tree)
    assert tree.counts[[N_NODES, N_BLOCKS, N_EDGES]].tolist() == [1, 0, 0]


def test_ranked_edges_and_the_busiest_block() -> None:
    tree = new_tree()
    root = int(tree.counts[ROOT])
    assert trees.busiest_block(tree, root, 3) == NONE
    low, high = (add_block(tree, root, secret, 0, [1, 2, 3]) for secret in (3, 7))
    first = int(tree.first_edge[low])
    tree.visits[first : first + 3] = 4, 9, 4
    tree.score[first : first + 3] = 1.0, 0.0, 2.0
    assert trees.ranked_edges(tree, low) == [first + 1, first + 2, first]
    tree.n_visits[[low, high]] = 5, 6
    assert trees.busiest_block(tree, root, 3) == low
    assert trees.busiest_block(tree, root, 99) == high


@dataclass
class PlainBlock:
    """A block to be read: visits, sums and kinds by edge."""

    kinds: list[int]
    visits: list[int] = field(default_factory=list)
    score: list[float] = field(default_factory=list)

    def select(self, explore: float, weight: float, history: dict[int, list[float]], rng) -> int:
        fresh = [k for k, n in enumerate(self.visits) if n == 0]
        if fresh:
            return fresh[below(rng, np.int32(len(fresh)))]
        total = sum(self.visits)

        def bound(k: int) -> float:
            past = history.get(self.kinds[k], [0.0, 1.0])
            n, score = self.visits[k], self.score[k]
            rated = score / n + explore * math.sqrt(math.log(total) / n)
            return rated + (past[0] / past[1] * weight / (n - score + 1.0) if weight else 0.0)

        return max(range(len(self.visits)), key=bound)


@given(st.integers(2, 6), st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([0.0, 3.0]), st.integers(0, 2**32))
def test_selection_equals_plain_words(n_edges, explore, weight, seed) -> None:
    """Two levels, two movers with opposite ends, one visit at a time."""
    rng, chance = Random(seed), [Random(seed + 1).random() for _ in range(n_edges * n_edges)]
    tree, history = new_tree(), new_history(N_KINDS)
    root = int(tree.counts[ROOT])
    actions = [rng.randrange(100) for _ in range(n_edges)]
    top = add_block(tree, root, OPEN, 1, actions)
    plain_top = PlainBlock([a % N_KINDS for a in actions], [0] * n_edges, [0.0] * n_edges)
    plain_below: dict[int, PlainBlock] = {}
    plain_history: dict[int, list[float]] = {}
    compiled_rng, plain_rng = new_rng(seed), new_rng(seed)
    for _ in range(FEW):
        first = int(tree.first_edge[top])
        edge = select(tree, top, explore, weight, history, compiled_rng)
        chosen = plain_top.select(explore, weight, plain_history, plain_rng)
        assert edge - first == chosen
        node = trees.follow(tree, root, edge, chosen)
        block = trees.find_block(tree, node, 4)
        if block == NONE:
            block = add_block(tree, node, 4, 0, actions)
            plain_below[chosen] = PlainBlock(plain_top.kinds, [0] * n_edges, [0.0] * n_edges)
        lower = plain_below[chosen]
        reply = select(tree, block, explore, weight, history, compiled_rng)
        answer = lower.select(explore, weight, plain_history, plain_rng)
        assert reply - int(tree.first_edge[block]) == answer
        escaped = rng.random() < chance[chosen * n_edges + answer]
        worth = np.array([float(escaped), float(not escaped)])
        path, blocks = np.array([edge, reply], np.int32), np.array([top, block], np.int32)
        learn(tree, path, blocks, 2, worth, escaped, weight, history)
        for plain, k, value in ((plain_top, chosen, worth[1]), (lower, answer, worth[0])):
            plain.visits[k] += 1
            plain.score[k] += value
            past = plain_history.setdefault(plain.kinds[k], [0.0, 0.0])
            past[0], past[1] = past[0] + value, past[1] + 1
    first = int(tree.first_edge[top])
    assert tree.visits[first : first + n_edges].tolist() == plain_top.visits
    assert tree.score[first : first + n_edges].tolist() == plain_top.score
    assert tree.n_visits[top] == FEW
    assert tree.escapes[first : first + n_edges].sum() == FEW - sum(plain_top.score)
