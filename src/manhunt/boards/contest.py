"""Contest graphs: a target a given number of hops away from the source, behind a cut of a given size."""

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.generate import SPACING
from manhunt.core.errors import BadBoard

MOST_NODES = 1_000
MOST_EDGES = 10_000
SEPARATION, CUT = 6, 3
SWEEPS = 6
_NAME = re.compile(r"contest:(\d+):(\d+):separation=(\d+):cut=(\d+):seed=(\d+)")


@dataclass(frozen=True, slots=True)
class Contest:
    """A graph with the labels of its two ends."""

    board: Board
    source: str
    target: str


def contest_board(n: int, n_edges: int, separation: int = SEPARATION, cut: int = CUT, seed: int = 0) -> Board:
    """The graph alone; `contest_ends` gives its source and target."""
    return make_contest(n, n_edges, separation, cut, seed).board


def contest_ends(board: Board) -> tuple[str, str] | None:
    """Source and target of a board made here, None for any other."""
    match = _NAME.fullmatch(board.name)
    if match is None:
        return None
    made = make_contest(*map(int, match.groups()))
    return (made.source, made.target) if made.board == board else None


@lru_cache(maxsize=16)
def make_contest(n: int, n_edges: int, separation: int = SEPARATION, cut: int = CUT, seed: int = 0) -> Contest:
    """A random connected graph; the same numbers always give the same graph.

    Nodes are in layers by their hops to the target, with the source in layer `separation`. Edges connect nodes of the
    same layer or of adjacent ones. The target has `cut` edges, and as many disjoint paths lead to it from the source,
    so `cut` is the size of the smallest cut between them.
    """
    name = f"contest:{n}:{n_edges}:separation={separation}:cut={cut}:seed={seed}"
    _check(name, n, n_edges, separation, cut)
    rng = Random(seed)
    layers = _layers(rng, n, separation, cut)
    pairs = _needed_pairs(rng, layers, separation, cut)
    possible = _n_possible(layers)
    if not len(pairs) <= n_edges <= possible:
        raise BadBoard(f"board {name}: {n_edges} edges; so many nodes in such layers take {len(pairs)} to {possible}")
    _fill(rng, layers, pairs, n_edges)
    labels = [str(i) for i in range(1, n + 1)]
    rng.shuffle(labels)
    places = {labels[node]: place for node, place in _places(layers, pairs).items()}
    board = build_board(name, [(labels[a], labels[b], None) for a, b in sorted(pairs)], labels, places)
    return Contest(board, labels[layers[separation][0]], labels[0])


def _check(name: str, n: int, n_edges: int, separation: int, cut: int) -> None:
    if separation < 2 or cut < 1:
        raise BadBoard(f"board {name}: the minimum separation is 2, the minimum cut 1")
    least = 2 + cut * (separation - 1)
    if not least <= n <= MOST_NODES:
        raise BadBoard(f"board {name}: {n} nodes; this separation and cut take {least} to {MOST_NODES}")
    if n_edges > MOST_EDGES:
        raise BadBoard(f"board {name}: {n_edges} edges (max {MOST_EDGES})")


def _layers(rng: Random, n: int, separation: int, cut: int) -> list[list[int]]:
    """The target alone, `cut` nodes before it, the others anywhere up to one layer behind the source."""
    layers: list[list[int]] = [[0], list(range(1, cut + 1))]
    used = cut + 1
    for hops in range(2, separation + 1):
        size = cut if hops < separation else 1
        layers.append(list(range(used, used + size)))
        used += size
    layers.append([])
    for node in range(used, n):
        layers[rng.randint(2, separation + 1)].append(node)
    return layers


def _needed_pairs(rng: Random, layers: list[list[int]], separation: int, cut: int) -> set[tuple[int, int]]:
    """`cut` disjoint paths from source to target, and an edge towards the target for every node."""
    pairs: set[tuple[int, int]] = set()
    for i in range(cut):
        way = [layers[hops][i] for hops in range(1, separation)]
        pairs |= {(0, way[0]), *zip(way, way[1:], strict=False), (way[-1], layers[separation][0])}
    for hops in range(2, len(layers)):
        for node in layers[hops]:
            if not any((lower, node) in pairs for lower in layers[hops - 1]):
                pairs.add((rng.choice(layers[hops - 1]), node))
    return {(min(a, b), max(a, b)) for a, b in pairs}


def _n_possible(layers: list[list[int]]) -> int:
    sizes = [len(layer) for layer in layers]
    return sum(size * (size - 1) // 2 for size in sizes) + sum(a * b for a, b in zip(sizes, sizes[1:], strict=False))


def _fill(rng: Random, layers: list[list[int]], pairs: set[tuple[int, int]], n_edges: int) -> None:
    """More edges by lot among those that leave all hops as they are; listed where lots would be drawn in vain."""
    layer_of = {node: hops for hops, layer in enumerate(layers) for node in layer}
    nodes = sorted(layer_of)
    if 2 * n_edges > _n_possible(layers):
        free = [(a, b) for a in nodes for b in nodes if a < b and abs(layer_of[a] - layer_of[b]) <= 1]
        spare = [pair for pair in free if pair not in pairs]
        pairs.update(rng.sample(spare, n_edges - len(pairs)))
    while len(pairs) < n_edges:
        node = rng.choice(nodes)
        near = layers[layer_of[node]] + (layers[layer_of[node] + 1] if layer_of[node] + 1 < len(layers) else [])
        other = rng.choice(near)
        if other != node:
            pairs.add((min(node, other), max(node, other)))


def _places(layers: list[list[int]], pairs: set[tuple[int, int]]) -> dict[int, tuple[float, float]]:
    """Source at the left, target at the right, every layer a column in which nodes lie near their neighbours."""
    near: dict[int, list[int]] = {node: [] for layer in layers for node in layer}
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    tallest = max(len(layer) for layer in layers)
    height = dict.fromkeys(near, 0.0)
    for _ in range(SWEEPS):
        for layer in layers:
            pull = {node: sum(height[other] for other in near[node]) / len(near[node]) for node in layer}
            gap = min(2.0, tallest / max(len(layer), 1))
            for slot, node in enumerate(sorted(layer, key=lambda node: (pull[node], node))):
                height[node] = (slot - (len(layer) - 1) / 2) * gap
    across = max(2.0, tallest / 5)
    places = {}
    for hops, layer in enumerate(reversed(layers)):
        for slot, node in enumerate(sorted(layer, key=lambda node: height[node])):
            x = (hops + 0.22 * (slot % 3 - 1)) * across
            places[node] = (round(x * SPACING, 1), round(height[node] * SPACING, 1))
    return places
