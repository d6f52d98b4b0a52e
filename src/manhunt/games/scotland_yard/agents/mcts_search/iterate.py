"""One tree, a new world at every iteration: selection by UCT with progressive history, a playout, backpropagation.

An iteration draws Mr X's node by the weights of the worlds, plays from the root along the edges that `search.uct`
selects until one is new (or the game ends), plays the game out by quick habits, and passes the end back: every edge on
the way is told what the end was worth to its mover. For a detective that is 1 where he caught Mr X himself and
1 - reduction where a colleague did (coalition reduction), for Mr X 1 where he escaped.

A node of the tree is what everybody knows of the moves since the root (`public_key`); within a node Mr X has one block
of edges for each place that he was drawn on, the detectives one for all. So statistics are shared by all worlds that
the seat to move cannot tell apart. With `knows_all` the key is the whole move instead: each world has its own branch.
An iteration costs a select over the edges of each node on the way, at most MAX_DEPTH, and one playout.
"""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s, Int64s, Words
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.agents.mcts_search import moves
from manhunt.games.scotland_yard.agents.mcts_search.moves import Filter
from manhunt.games.scotland_yard.agents.mcts_search.playout import Habits, play_out
from manhunt.games.scotland_yard.rules.kernels import CAPTURED, EXHAUSTED, GOES_ON, SURVIVED, advance, outcome
from manhunt.games.scotland_yard.rules.packed import N_LOGGED, NO_NODE, QUARRY, WAITING, FareTable
from manhunt.search.tree import DEEPEST, DONE, MAX_DEPTH, NONE, OPEN, ROOT, SearchTree, add_block, find_block, follow
from manhunt.search.uct import learn, new_history, select
from manhunt.search.worlds import PlaceWeights, draw_place


class MctsSettings(NamedTuple):
    """The parts of the method as numbers: 0 switches a part off."""

    explore: float
    history_weight: float
    reduction: float
    knows_all: int


class MctsScratch(NamedTuple):
    """Scratch that the agent owns."""

    state: Int32s
    actions: Int64s
    kinds: Int32s
    path: Int32s
    blocks: Int32s
    worth: Floats
    """What the end of an iteration is worth, by seat; Mr X is 0."""
    history: Floats


def new_mcts_scratch(state_size: int, n_actions: int, n_nodes: int) -> MctsScratch:
    return MctsScratch(
        np.zeros(state_size, np.int32),
        np.zeros(n_actions, np.int64),
        np.zeros(n_actions, np.int32),
        np.zeros(MAX_DEPTH, np.int32),
        np.zeros(MAX_DEPTH, np.int32),
        np.zeros(6, np.float64),
        new_history(moves.HISTORY_KINDS * n_nodes),
    )


@kernel
def open_block(
    table: FareTable, tree: SearchTree, node: int, state: Int32s, sieve: Filter, scratch: MctsScratch
) -> int:
    """The block with the moves of whoever moves in this state; NONE if the pool is full."""
    n = moves.list_moves(table, state, sieve, scratch.actions)
    n_nodes = table.n_pairs.shape[1]
    for k in range(n):
        scratch.kinds[k] = moves.history_of(n_nodes, scratch.actions[k])
    secret = OPEN if state[WAITING] else state[QUARRY]
    return add_block(tree, node, secret, scratch.actions[0] & 7, scratch.actions, scratch.kinds, n)


@kernel
def descend(
    table: FareTable, tree: SearchTree, settings: MctsSettings, sieve: Filter, scratch: MctsScratch, rng: Words
) -> tuple[int, int, int]:
    """Play from the root to a new edge; the outcome's code, who caught Mr X, and the depth reached."""
    state = scratch.state
    node, depth, catcher = int(tree.counts[ROOT]), 0, 0
    code = outcome(table, state)
    while code == GOES_ON and depth < MAX_DEPTH:
        block = find_block(tree, node, OPEN if state[WAITING] else state[QUARRY])
        if block == NONE:
            block = open_block(table, tree, node, state, sieve, scratch)
            if block == NONE:
                break
        edge = select(tree, block, settings.explore, settings.history_weight, scratch.history, rng)
        scratch.path[depth], scratch.blocks[depth] = edge, block
        depth += 1
        action = tree.action[edge]
        key = action if settings.knows_all else moves.public_key(table, state, action)
        advance(table, state, action)
        if state[WAITING] == 0:
            code = outcome(table, state)
        elif action & 7 and action >> 8 == state[QUARRY]:
            code = CAPTURED
        if code == CAPTURED:
            catcher = action & 7
        if tree.visits[edge] == 0 or code != GOES_ON:
            break
        node = follow(tree, node, edge, key)
        if node == NONE:
            break
    return code, catcher, depth


@kernel
def open_root(table: FareTable, root: Int32s, tree: SearchTree, sieve: Filter, scratch: MctsScratch) -> None:
    """Make the block of the root, so that there is something to choose whatever the worlds are."""
    node = tree.counts[ROOT]
    if find_block(tree, node, OPEN if root[WAITING] else root[QUARRY]) == NONE:
        open_block(table, tree, node, root, sieve, scratch)


@kernel
def judge(settings: MctsSettings, code: int, catcher: int, worth: Floats) -> bool:
    """Write what an end is worth to each seat; whether Mr X escaped."""
    escaped = code in (SURVIVED, EXHAUSTED)
    worth[:] = 0.0 if escaped else 1.0
    worth[0] = 1.0 if escaped else 0.0
    if code == CAPTURED:
        for seat in range(1, len(worth)):
            if seat != catcher:
                worth[seat] = 1.0 - settings.reduction
    return escaped


@kernel
def assumed_place(table: FareTable, root: Int32s, state: Int32s, guesses: PlaceWeights, rng: Words) -> int:
    """Where the detectives think Mr X is: there if he was shown since the root, else a guess."""
    for slot in range(root[N_LOGGED], state[N_LOGGED]):
        if table.shown[slot]:
            return int(state[QUARRY])
    return draw_place(guesses, rng)


@kernel
def search(
    table: FareTable,
    root: Int32s,
    worlds: PlaceWeights,
    guesses: PlaceWeights,
    tree: SearchTree,
    settings: MctsSettings,
    sieve: Filter,
    habits: Habits,
    scratch: MctsScratch,
    n: int,
    rng: Words,
) -> None:
    """Make n iterations from a root whose quarry is drawn anew each time."""
    for _ in range(n):
        scratch.state[:] = root
        scratch.state[QUARRY] = draw_place(worlds, rng)
        code, catcher, depth = descend(table, tree, settings, sieve, scratch, rng)
        if code == GOES_ON:
            assumed = NO_NODE
            if len(guesses.places):
                assumed = assumed_place(table, root, scratch.state, guesses, rng)
            code, catcher = play_out(table, scratch.state, habits, assumed, rng)
        escaped = judge(settings, code, catcher, scratch.worth)
        learn(
            tree, scratch.path, scratch.blocks, depth, scratch.worth, escaped, settings.history_weight, scratch.history
        )
        tree.counts[DEEPEST] = max(tree.counts[DEEPEST], depth)
    tree.counts[DONE] += n
