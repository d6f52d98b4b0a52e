"""Hops, factors, present costs and the cheapest way by them, to be read; `kernels.py` has the quick twins."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from manhunt.boards.board import Board
from manhunt.core.ids import Node

if TYPE_CHECKING:
    from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig

MOST_COST = 1e300
"""Costs do not grow beyond this, so that sums of them stay finite."""


@lru_cache(maxsize=64)
def hops_to(board: Board, target: Node) -> tuple[int | None, ...]:
    """For every node the least number of edges to the target; None without a way."""
    hops: list[int | None] = [None] * board.n_nodes
    hops[target] = 0
    layer, n = [target], 0
    while layer:
        n += 1
        layer = [to for to in dict.fromkeys(t for node in layer for t in board.neighbours(node)) if hops[to] is None]
        for node in layer:
            hops[node] = n
    return tuple(hops)


@lru_cache(maxsize=64)
def edge_index(board: Board) -> dict[tuple[Node, Node], int]:
    """The number of an edge in `board.edges`, by its ends in either order."""
    index = {(edge.a, edge.b): i for i, edge in enumerate(board.edges)}
    return index | {(b, a): i for (a, b), i in index.items()}


def factors(config: ShortestPathConfig) -> tuple[float, ...]:
    """Paragraphs 2 and 6: for every edge what a raise multiplies its cost by."""
    return _factors(config.board, config.target, config.rule)


@lru_cache(maxsize=64)
def _factors(board: Board, target: Node, rule: Rule) -> tuple[float, ...]:
    if rule.value == "double":
        return (2.0,) * len(board.edges)
    hops = hops_to(board, target)
    found = []
    for edge in board.edges:
        ends = [h for h in (hops[edge.a], hops[edge.b]) if h is not None]
        # An edge that is cut off from the target has no k1 and k2: a raise leaves it as it is.
        found.append(1.0 + math.sqrt(max(ends)) if ends else 1.0)
    return tuple(found)


def raised_cost(factor: float, n_raises: int) -> float:
    """The cost of an edge after so many raises, multiplied one after the other as the kernels do it."""
    cost = 1.0
    for _ in range(n_raises):
        cost *= factor
        if cost >= MOST_COST:
            return MOST_COST
        if factor == 1.0:
            break
    return cost


def cost_of(config: ShortestPathConfig, raises: tuple[int, ...], edge: int) -> float:
    """The present cost of an edge."""
    return raised_cost(factors(config)[edge], raises[edge])


@dataclass(frozen=True, slots=True)
class CheapestWays:
    """For every node the cost of its cheapest way to the target and the next node on it; inf and None without one."""

    distance: tuple[float, ...]
    after: tuple[Node | None, ...]

    def from_node(self, start: Node) -> tuple[Node, ...]:
        """The nodes of the way, both ends included."""
        way, following = [start], self.after[start]
        while following is not None:
            way.append(following)
            following = self.after[following]
        return tuple(way)


def cheapest_ways(config: ShortestPathConfig, raises: tuple[int, ...]) -> CheapestWays:
    """By present costs (Dijkstra); on ties the next node is the nearer one, then the smaller one."""
    board, index, every = config.board, edge_index(config.board), factors(config)
    distance, after = [math.inf] * board.n_nodes, list[Node | None]([None] * board.n_nodes)
    distance[config.target] = 0.0
    waiting = [(0.0, config.target)]
    while waiting:
        so_far, node = heapq.heappop(waiting)
        if so_far > distance[node]:
            continue
        for to in board.neighbours(node):
            edge = index[node, to]
            cost = so_far + raised_cost(every[edge], raises[edge])
            if cost < distance[to]:
                distance[to], after[to] = cost, node
                heapq.heappush(waiting, (cost, to))
    return CheapestWays(tuple(distance), tuple(after))
