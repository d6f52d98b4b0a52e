"""Boards made to measure: grids, rings, random planar maps; labels 1..n, positions ready to draw."""

import math
from collections.abc import Iterable

import numpy as np

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.core.arrays import Floats
from manhunt.core.errors import BadBoard

MOST_NODES = 10_000
MOST_COMPLETE = 300
MOST_PLANAR = 3_000
SPACING = 100.0

Place = tuple[float, float]


def grid(columns: int, rows: int) -> Board:
    """A rectangular grid, numbered row by row.

    Examples:
        >>> grid(2, 3).n_nodes
        6
    """
    _check(f"grid:{columns}x{rows}", (columns, rows), least=1, n_nodes=columns * rows)
    pairs = [(i, i + 1) for i in range(columns * rows) if (i + 1) % columns]
    pairs += [(i, i + columns) for i in range(columns * (rows - 1))]
    return _numbered(f"grid:{columns}x{rows}", pairs, _grid_places(columns, rows))


def torus(columns: int, rows: int) -> Board:
    """A grid whose opposite sides are joined; at least 3 x 3, so that no edge appears twice."""
    _check(f"torus:{columns}x{rows}", (columns, rows), least=3, n_nodes=columns * rows)
    pairs = []
    for i in range(columns * rows):
        row, column = divmod(i, columns)
        pairs.append((i, row * columns + (column + 1) % columns))
        pairs.append((i, (row + 1) % rows * columns + column))
    return _numbered(f"torus:{columns}x{rows}", pairs, _grid_places(columns, rows))


def ring(n: int) -> Board:
    """A cycle of n nodes."""
    _check(f"ring:{n}", (n,), least=3, n_nodes=n)
    return _numbered(f"ring:{n}", [(i, (i + 1) % n) for i in range(n)], circle(n))


def path(n: int) -> Board:
    """n nodes in a row; long rows are drawn in lines of 20 nodes, back and forth."""
    _check(f"path:{n}", (n,), least=1, n_nodes=n)
    places = []
    for i in range(n):
        row, column = divmod(i, 20)
        places.append(((19 - column if row % 2 else column) * SPACING, row * SPACING))
    return _numbered(f"path:{n}", [(i, i + 1) for i in range(n - 1)], places)


def complete(n: int) -> Board:
    """Every node joined to every other."""
    _check(f"complete:{n}", (n,), least=1, n_nodes=n, most=MOST_COMPLETE)
    return _numbered(f"complete:{n}", [(i, j) for i in range(n) for j in range(i + 1, n)], circle(n))


def random_planar(n: int, seed: int = 0, dropped: float = 0.3) -> Board:
    """A connected planar map: a Delaunay triangulation of evenly spread points without its longest edges."""
    name = f"planar:{n}:seed={seed}"
    _check(name, (n,), least=3, n_nodes=n, most=MOST_PLANAR)
    _check_seed(name, seed)
    if not 0 <= dropped <= 1:
        raise BadBoard(f"board {name}: dropped is {dropped}; expected a share between 0 and 1")
    rng = np.random.default_rng(seed)
    points = _spread_points(n, rng)
    pairs = _delaunay_pairs(points)
    lengths = {pair: math.dist(points[pair[0]], points[pair[1]]) for pair in pairs}
    kept = _spanning_tree(n, sorted(pairs, key=lambda pair: lengths[pair]))
    spare = [pair for pair in pairs if pair not in kept]
    luck = dict(zip(spare, rng.random(len(spare)), strict=True))
    spare.sort(key=lambda pair: lengths[pair] ** 2 * (0.2 + luck[pair]))
    n_kept = min(len(spare), max(0, round(len(pairs) * (1 - dropped)) - len(kept)))
    return _numbered(name, [*kept, *spare[:n_kept]], [(float(x), float(y)) for x, y in points])


def random_connected(n: int, n_edges: int, seed: int = 0) -> Board:
    """A random tree plus random edges, `n_edges` in all; without positions."""
    name = f"random:{n}:{n_edges}:seed={seed}"
    _check(name, (n,), least=1, n_nodes=n)
    _check_seed(name, seed)
    most = min(n * (n - 1) // 2, 10 * MOST_NODES)
    if not n - 1 <= n_edges <= most:
        raise BadBoard(f"board {name} wants {n_edges} edges; {n} connected nodes take {n - 1} to {most}")
    rng = np.random.default_rng(seed)
    order = [int(i) for i in rng.permutation(n)]
    pairs = {_sorted(order[i], order[int(rng.integers(i))]) for i in range(1, n)}
    if n_edges > most // 2:
        spare = sorted({(i, j) for i in range(n) for j in range(i + 1, n)} - pairs)
        chosen = rng.permutation(len(spare))[: n_edges - len(pairs)]
        pairs |= {spare[int(i)] for i in chosen}
    while len(pairs) < n_edges:
        a, b = (int(i) for i in rng.integers(n, size=2))
        if a != b:
            pairs.add(_sorted(a, b))
    return _numbered(name, sorted(pairs), None)


def circle(n: int, radius: float | None = None, turn: float = 0.0) -> list[Place]:
    """n places on a circle, the first at the top, clockwise; by default SPACING apart."""
    size = max(SPACING, SPACING * n / math.tau) if radius is None else radius
    angles = [math.tau * (i / n + turn) for i in range(n)]
    return [(size * math.sin(angle), -size * math.cos(angle)) for angle in angles]


def _numbered(name: str, pairs: Iterable[tuple[int, int]], places: list[Place] | None) -> Board:
    edges = [(a + 1, b + 1, None) for a, b in pairs]
    n = len(places) if places is not None else max((max(a, b) for a, b, _ in edges), default=1)
    positions = None if places is None else {i + 1: place for i, place in enumerate(places)}
    return build_board(name, edges, range(1, n + 1), positions)


def _grid_places(columns: int, rows: int) -> list[Place]:
    return [(i % columns * SPACING, i // columns * SPACING) for i in range(columns * rows)]


def _sorted(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def _spread_points(n: int, rng: np.random.Generator) -> Floats:
    """Points in a landscape rectangle; each is the farthest from the others among twelve tries."""
    size = np.array([1.3, 1.0]) * SPACING * math.sqrt(n / 1.3)
    points = np.empty((n, 2))
    points[0] = rng.random(2) * size
    for i in range(1, n):
        tries = rng.random((12, 2)) * size
        gaps = np.linalg.norm(tries[:, None, :] - points[None, :i, :], axis=2).min(axis=1)
        points[i] = tries[int(gaps.argmax())]
    return points[np.lexsort((points[:, 0], points[:, 1] // SPACING))].round(1)


def _delaunay_pairs(points: Floats) -> list[tuple[int, int]]:
    from scipy.spatial import Delaunay

    pairs = set()
    for corners in Delaunay(points).simplices.tolist():
        a, b, c = sorted(corners)
        pairs |= {(a, b), (a, c), (b, c)}
    return sorted(pairs)


def _spanning_tree(n: int, pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """Kruskal: the first pairs that join what was apart."""
    from networkx.utils import UnionFind

    parts, tree = UnionFind(range(n)), set()
    for a, b in pairs:
        if parts[a] != parts[b]:
            parts.union(a, b)
            tree.add((a, b))
    return tree


def _check(name: str, sizes: tuple[int, ...], least: int, n_nodes: int, most: int = MOST_NODES) -> None:
    if min(sizes) < least:
        raise BadBoard(f"board {name} is too small; the minimum size is {'x'.join([str(least)] * len(sizes))}")
    if n_nodes > most:
        raise BadBoard(f"board {name} would have {n_nodes} nodes (max {most})")


def _check_seed(name: str, seed: int) -> None:
    if seed < 0:
        raise BadBoard(f"board {name}: the seed must not be negative")
