"""How far nodes are apart, in hops, whatever the transport."""

from functools import lru_cache

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Int16s
from manhunt.core.errors import BadBoard
from manhunt.core.ids import Node

UNREACHABLE = -1
MOST_NODES = 20_000
_ROWS_AT_ONCE = 512
NO_WAY_HOPS = 99
"""Stands for a distance between nodes that no way joins."""


@lru_cache(maxsize=32)
def distances(board: Board) -> Int16s:
    """All-pairs distances: `distances(board)[a, b]` in hops, UNREACHABLE if no path joins them; read-only, cached.

    Examples:
        >>> from manhunt import load_board
        >>> int(distances(load_board("path:5"))[0, 4])
        4
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    n = board.n_nodes
    if n > MOST_NODES:
        raise BadBoard(f"board {board.name} has {n} nodes; all distances are kept for at most {MOST_NODES}")
    indptr, target = board.simple_csr
    graph = csr_array((np.ones(len(target)), target, indptr), shape=(n, n))
    table = np.empty((n, n), dtype=np.int16)
    for start in range(0, n, _ROWS_AT_ONCE):
        rows = np.arange(start, min(start + _ROWS_AT_ONCE, n))
        hops = dijkstra(graph, directed=True, unweighted=True, indices=rows)
        table[rows] = np.where(np.isfinite(hops), hops, UNREACHABLE)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=32)
def hops_or_far(board: Board) -> Int16s:
    """Distances with NO_WAY_HOPS where there is no way; read-only."""
    hops = distances(board)
    table = np.where(hops == UNREACHABLE, np.int16(NO_WAY_HOPS), hops)
    table.setflags(write=False)
    return table


def distance_hops(board: Board, a: Node, b: Node) -> int | None:
    """Hops between two nodes; None if no path joins them."""
    hops = int(distances(board)[a, b])
    return None if hops == UNREACHABLE else hops


def components(board: Board) -> tuple[tuple[Node, ...], ...]:
    """The connected parts, each ascending, ordered by their first node."""
    seen: set[Node] = set()
    parts = []
    for start in board.nodes():
        if start in seen:
            continue
        part, stack = {start}, [start]
        while stack:
            fresh = [to for to in board.neighbours(stack.pop()) if to not in part]
            part.update(fresh)
            stack.extend(fresh)
        seen |= part
        parts.append(tuple(sorted(part)))
    return tuple(parts)


def eccentricities(board: Board) -> Int16s:
    """For every node the distance to the farthest node of its component."""
    farthest: Int16s = distances(board).max(axis=1)
    return farthest


def diameter(board: Board) -> int:
    """The largest distance between two nodes of the same component.

    >>> from manhunt.boards import grid
    >>> diameter(grid(3, 4))
    5
    """
    return int(eccentricities(board).max())
