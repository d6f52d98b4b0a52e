"""Where to draw the nodes of a board that does not say."""

import math
from functools import lru_cache

import numpy as np

from manhunt.boards.board import Board
from manhunt.boards.distance import components, distances
from manhunt.boards.generate import SPACING, Place, circle
from manhunt.core.arrays import Floats
from manhunt.core.ids import Node

MOST_STRESS = 250
SEED = 1


def place(board: Board) -> tuple[Place, ...]:
    """The board's positions, or computed ones (always the same for the same board)."""
    return _compute(board) if board.positions is None else board.positions


@lru_cache(maxsize=32)
def _compute(board: Board) -> tuple[Place, ...]:
    parts = sorted(components(board), key=lambda part: (-len(part), part))
    row_width = max(6.0, math.sqrt(board.n_nodes) * 1.6) * SPACING
    places: dict[Node, Place] = {}
    left = top = height = 0.0
    for part in parts:
        drawn = _place_part(board, part)
        xs, ys = [x for x, _ in drawn], [y for _, y in drawn]
        if left and left + max(xs) - min(xs) > row_width:
            left, top, height = 0.0, top + height + SPACING, 0.0
        for node, (x, y) in zip(part, drawn, strict=True):
            places[node] = (round(x - min(xs) + left, 2), round(y - min(ys) + top, 2))
        left += max(xs) - min(xs) + SPACING
        height = max(height, max(ys) - min(ys))
    return tuple(places[node] for node in board.nodes())


def _place_part(board: Board, part: tuple[Node, ...]) -> list[Place]:
    """One connected part around its own origin, edges about SPACING long."""
    if len(part) == 1:
        return [(0.0, 0.0)]
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(part)
    graph.add_edges_from((a, b) for a in part for b in board.neighbours(a) if a < b)
    start = dict(zip(part, circle(len(part), 1.0), strict=True))
    if len(part) <= MOST_STRESS:
        table = distances(board)
        hops = {a: {b: int(table[a, b]) for b in part} for a in part}
        found = nx.kamada_kawai_layout(graph, dist=hops, pos=start)
    else:
        found = nx.spring_layout(graph, pos=start, seed=SEED, iterations=120)
    points = np.array([found[node] for node in part])
    where = {node: i for i, node in enumerate(part)}
    lengths = [float(np.linalg.norm(points[where[a]] - points[where[b]])) for a, b in graph.edges]
    points *= SPACING / max(float(np.mean(lengths)), 1e-9)
    return [(float(x), float(y)) for x, y in _landscape(points)]


def _landscape(points: Floats) -> Floats:
    """Turned by a quarter if that makes it wider than high."""
    width, height = np.ptp(points, axis=0)
    return points[:, ::-1] if height > width else points
