"""One tree, a new world at every iteration: selection by UCT with progressive history, a playout, backpropagation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.agents.search.moves import Filter, list_moves
from manhunt.agents.search.playout import Habits, play_out
from manhunt.agents.search.tree import (
    DEEPEST,
    DETECTIVE,
    DONE,
    MAX_DEPTH,
    NONE,
    ROOT,
    Tree,
    add_block,
    find_block,
    follow,
    public_key,
)
from manhunt.games.jit import kernel
from manhunt.games.scotland_yard.kernels import CAPTURED, EXHAUSTED, GOES_ON, SURVIVED, advance, outcome
from manhunt.games.scotland_yard.packed import DOUBLE_BIT, N_LOGGED, NO_NODE, QUARRY, WAITING, Table
from manhunt.games.scotland_yard.playouts import below, next_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

U11 = np.uint64(11)
UNIT = 1.0 / (1 << 53)


class Settings(NamedTuple):
    """The parts of the method as numbers: 0 switches a part off."""

    explore: float
    history_weight: float
    reduction: float
    knows_all: int


class Worlds(NamedTuple):
    """Where Mr X may be, and the sums of the weights so far; the last sum is the total."""

    places: NDArray[np.int32]
    sums: NDArray[np.float64]


class Room(NamedTuple):
    """Scratch that the agent owns."""

    state: NDArray[np.int32]
    actions: NDArray[np.int64]
    path: NDArray[np.int32]
    blocks: NDArray[np.int32]
    worth: NDArray[np.float64]
    """What the end of an iteration is worth, by seat; Mr X is 0."""
    history: NDArray[np.float64]
    """By kind of action: sum of what it was worth, how often it was played."""


def new_room(state_size: int, n_actions: int, n_nodes: int) -> Room:
    return Room(
        np.zeros(state_size, np.int32),
        np.zeros(n_actions, np.int64),
        np.zeros(MAX_DEPTH, np.int32),
        np.zeros(MAX_DEPTH, np.int32),
        np.zeros(6, np.float64),
        np.zeros((HISTORY_KINDS * n_nodes, 2), np.float64),
    )


HISTORY_KINDS = 24 + 16


@kernel
def history_of(n_nodes: int, action: int) -> int:
    """Where the history keeps an action: by seat, tickets and last destination."""
    if action & DOUBLE_BIT:
        return (24 + (action >> 3 & 3) * 4 + (action >> 6 & 3)) * n_nodes + (action >> 24)
    return ((action & 7) * 4 + (action >> 3 & 3)) * n_nodes + (action >> 8)


@kernel
def draw_place(worlds: Worlds, rng: NDArray[np.uint64]) -> int:
    """A place by its weight."""
    last = len(worlds.places) - 1
    if last == 0:
        return int(worlds.places[0])
    x = np.float64(next_bits(rng) >> U11) * UNIT * worlds.sums[last]
    low, high = 0, last
    while low < high:
        mid = (low + high) >> 1
        if worlds.sums[mid] > x:
            high = mid
        else:
            low = mid + 1
    return int(worlds.places[low])


@kernel
def select(tree: Tree, block: int, settings: Settings, room: Room, n_nodes: int, rng: NDArray[np.uint64]) -> int:
    """The edge to follow: an unvisited one at random, else the one with the highest bound."""
    first, n = tree.first_edge[block], tree.n_edges[block]
    n_fresh = n - np.int32(min(tree.n_visits[block], n))
    if n_fresh > 0:
        return pick_fresh(tree, first, n, below(rng, n_fresh))
    log_visits = math.log(tree.n_visits[block])
    best, chosen = -1.0, first
    for edge in range(first, first + n):
        visits, score = tree.visits[edge], tree.score[edge]
        bound = score / visits + settings.explore * math.sqrt(log_visits / visits)
        if settings.history_weight > 0.0:
            past = room.history[history_of(n_nodes, tree.action[edge])]
            bound += past[0] / past[1] * settings.history_weight / (visits - score + 1.0)
        if bound > best:
            best, chosen = bound, edge
    return int(chosen)


@kernel
def pick_fresh(tree: Tree, first: int, n: int, skip: int) -> int:
    """The unvisited edge after `skip` others."""
    for edge in range(first, first + n):
        if tree.visits[edge] == 0:
            if skip == 0:
                return int(edge)
            skip -= 1
    return int(first)


@kernel
def descend(
    table: Table, tree: Tree, settings: Settings, sieve: Filter, room: Room, rng: NDArray[np.uint64]
) -> tuple[int, int, int]:
    """Play from the root to a new edge; the outcome's code, who caught Mr X, and the depth reached."""
    state = room.state
    node, depth, catcher = int(tree.counts[ROOT]), 0, 0
    code = outcome(table, state)
    n_nodes = table.n_pairs.shape[1]
    while code == GOES_ON and depth < MAX_DEPTH:
        place = DETECTIVE if state[WAITING] else state[QUARRY]
        block = find_block(tree, node, place)
        if block == NONE:
            block = add_block(tree, node, place, room.actions, list_moves(table, state, sieve, room.actions))
            if block == NONE:
                break
        edge = select(tree, block, settings, room, n_nodes, rng)
        room.path[depth], room.blocks[depth] = edge, block
        depth += 1
        action = tree.action[edge]
        key = action if settings.knows_all else public_key(table, state, action)
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
def open_root(table: Table, root: NDArray[np.int32], tree: Tree, sieve: Filter, room: Room) -> None:
    """Make the block of the root, so that there is something to choose whatever the worlds are."""
    place = DETECTIVE if root[WAITING] else root[QUARRY]
    if find_block(tree, tree.counts[ROOT], place) == NONE:
        add_block(tree, tree.counts[ROOT], place, room.actions, list_moves(table, root, sieve, room.actions))


@kernel
def judge(settings: Settings, code: int, catcher: int, worth: NDArray[np.float64]) -> bool:
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
def learn(tree: Tree, settings: Settings, room: Room, n_nodes: int, depth: int, escaped: bool) -> None:
    for k in range(depth):
        edge = room.path[k]
        action = tree.action[edge]
        value = room.worth[action & 7]
        tree.visits[edge] += 1
        tree.score[edge] += value
        tree.escapes[edge] += escaped
        tree.n_visits[room.blocks[k]] += 1
        if settings.history_weight > 0.0:
            past = room.history[history_of(n_nodes, action)]
            past[0] += value
            past[1] += 1.0


@kernel
def assumed_place(
    table: Table, root: NDArray[np.int32], state: NDArray[np.int32], guesses: Worlds, rng: NDArray[np.uint64]
) -> int:
    """Where the detectives think Mr X is: there if he was shown since the root, else a guess."""
    for slot in range(root[N_LOGGED], state[N_LOGGED]):
        if table.shown[slot]:
            return int(state[QUARRY])
    return draw_place(guesses, rng)


@kernel
def search(
    table: Table,
    root: NDArray[np.int32],
    worlds: Worlds,
    guesses: Worlds,
    tree: Tree,
    settings: Settings,
    sieve: Filter,
    habits: Habits,
    room: Room,
    n: int,
    rng: NDArray[np.uint64],
) -> None:
    """Make n iterations from a root whose quarry is drawn anew each time."""
    n_nodes = table.n_pairs.shape[1]
    for _ in range(n):
        room.state[:] = root
        room.state[QUARRY] = draw_place(worlds, rng)
        code, catcher, depth = descend(table, tree, settings, sieve, room, rng)
        if code == GOES_ON:
            assumed = NO_NODE
            if len(guesses.places):
                assumed = assumed_place(table, root, room.state, guesses, rng)
            code, catcher = play_out(table, room.state, habits, assumed, rng)
        escaped = judge(settings, code, catcher, room.worth)
        learn(tree, settings, room, n_nodes, depth, escaped)
        tree.counts[DEEPEST] = max(tree.counts[DEEPEST], depth)
    tree.counts[DONE] += n
