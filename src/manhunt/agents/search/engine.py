"""A search with all that it needs for one config, kept by an agent from one decision to the next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from manhunt.agents.base import Limit
from manhunt.agents.search.iterate import Settings, Worlds, new_room, open_root, search
from manhunt.agents.search.moves import Filter
from manhunt.agents.search.playout import Habits
from manhunt.agents.search.tree import (
    DEEPEST,
    DETECTIVE,
    DONE,
    N_EDGES,
    N_NODES,
    NONE,
    ROOT,
    clear,
    find_block,
    find_child,
    new_tree,
)
from manhunt.agents.search.worlds import only_taxis, walking_distances
from manhunt.games.scotland_yard.config import Config
from manhunt.games.scotland_yard.packed import (
    DOUBLE_BIT,
    QUARRY,
    WAITING,
    most_actions,
    pack_table,
    state_size,
)
from manhunt.games.scotland_yard.playouts import new_rng

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_EDGES = 1 << 22
"""The tree stops growing there; about 120 MB."""
FIRST_CHUNK = 32
CHUNK_SECONDS = 0.02
CHUNK_SHARE = 0.02
RESERVE_SHARE = 0.03
"""Of the seconds, kept for what comes after the last iteration."""
FIRST_SECRET = 3
NEAR_HOPS = 3.0
LONGEST_LINE = 12


@dataclass(frozen=True, slots=True)
class Found:
    """What a search says of its root: edges by number of visits, best first."""

    action: int
    escape_rate: float
    gap: float
    line: tuple[int, ...]
    n_iterations: int
    n_nodes: int
    depth: int
    seconds: float


class Engine:
    def __init__(self, config: Config, settings: Settings, epsilon: float, *, thrift: bool) -> None:
        board = config.board
        hops = walking_distances(board)
        self.config = config
        self.settings = settings
        self.table = pack_table(config)
        self.sieve = Filter(int(thrift), FIRST_SECRET, NEAR_HOPS, only_taxis(board), hops)
        self.habits = Habits(hops, int(epsilon * (1 << 32)))
        self.room = new_room(state_size(config), most_actions(config), board.n_nodes)
        self.tree = new_tree(MOST_EDGES)
        self.forget()

    def forget(self) -> None:
        """Empty the tree."""
        clear(self.tree)
        self.room.history[:] = 0.0

    def go_on(self, keys: Iterable[int]) -> None:
        """Make the node behind these public moves the root; an empty tree if it is not there or the pool is filling."""
        node = int(self.tree.counts[ROOT])
        for key in keys:
            node = find_child(self.tree, node, key)
            if node == NONE:
                break
        if node == NONE or self.tree.counts[N_EDGES] > MOST_EDGES // 2:
            self.forget()
        else:
            self.tree.counts[ROOT] = node

    def run(self, root: NDArray[np.int32], worlds: Worlds, guesses: Worlds, limit: Limit, seed: int) -> Found:
        """Search until the limit, whose seconds count from now."""
        began = perf_counter()
        deadline = limit.deadline() - RESERVE_SHARE * (limit.seconds or 0.0)
        todo = limit.iterations if limit.iterations is not None else 1 << 62
        rng = new_rng(seed)
        self.tree.counts[DONE] = self.tree.counts[DEEPEST] = 0
        open_root(self.table, root, self.tree, self.sieve, self.room)
        chunk = FIRST_CHUNK
        while todo > 0:
            n = min(chunk, todo)
            search(
                self.table,
                root,
                worlds,
                guesses,
                self.tree,
                self.settings,
                self.sieve,
                self.habits,
                self.room,
                n,
                rng,
            )
            todo -= n
            now = perf_counter()
            if now >= deadline:
                break
            rate = float(self.tree.counts[DONE]) / (now - began)
            span = min(CHUNK_SECONDS, CHUNK_SHARE * (deadline - began), deadline - now)
            chunk = max(1, int(rate * span))
        return self._found(root, perf_counter() - began)

    def _found(self, root: NDArray[np.int32], seconds: float) -> Found:
        tree = self.tree
        counts = tree.counts
        edges = self._ranked(int(counts[ROOT]), DETECTIVE if root[WAITING] else int(root[QUARRY]))
        best = edges[0]
        visits = [int(tree.visits[edge]) for edge in edges]
        second = visits[1] if len(visits) > 1 else 0
        return Found(
            int(tree.action[best]),
            float(tree.escapes[best] / max(1, visits[0])),
            (visits[0] - second) / max(1, sum(visits)),
            self._line(root),
            int(counts[DONE]),
            int(counts[N_NODES]),
            int(counts[DEEPEST]),
            seconds,
        )

    def _ranked(self, node: int, place: int) -> list[int]:
        """The edges of a block, most visited first, then by score."""
        tree = self.tree
        block = find_block(tree, node, place)
        first = int(tree.first_edge[block])
        edges = range(first, first + int(tree.n_edges[block]))
        return sorted(edges, key=lambda edge: (-tree.visits[edge], -tree.score[edge], edge))

    def _line(self, root: NDArray[np.int32]) -> tuple[int, ...]:
        """The most visited moves from the root on; Mr X's from the place he would most often move from."""
        tree, line = self.tree, list[int]()
        node = int(tree.counts[ROOT])
        place = DETECTIVE if root[WAITING] else int(root[QUARRY])
        while node != NONE and len(line) < LONGEST_LINE:
            block = self._liveliest(node, place)
            if block == NONE:
                break
            edge = self._ranked(node, int(tree.place[block]))[0]
            if tree.visits[edge] == 0:
                break
            action = int(tree.action[edge])
            line.append(action)
            if action & 7 == 0:
                place = action >> 24 if action & DOUBLE_BIT else action >> 8
            node = int(tree.child[edge])
        return tuple(line)

    def _liveliest(self, node: int, place: int) -> int:
        """The block of that place or of a detective, else the most visited one."""
        tree = self.tree
        best, block = NONE, int(tree.first_block[node])
        while block != NONE:
            if tree.place[block] in (place, DETECTIVE):
                return block
            if best == NONE or tree.n_visits[block] > tree.n_visits[best]:
                best = block
            block = int(tree.next_block[block])
        return best
