"""Where a board's nodes and lines come to lie on the canvas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from manhunt.boards.board import Board
from manhunt.boards.layout import place
from manhunt.core.ids import Node, Transport

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARGIN = 44.0
LEAST_WIDTH = 420.0
WIDEST_GAP = 120.0
SMALLEST_RADIUS, LARGEST_RADIUS = 4.0, 17.5
SMALLEST_TEXT = 6.5
LINE_WIDTH = {
    Transport.TAXI: 2.2,
    Transport.BUS: 3.2,
    Transport.UNDERGROUND: 7.5,
    Transport.FERRY: 3.2,
    Transport.PLAIN: 2.0,
}
_MOST_CHECKS = 400_000
_STEPS = np.linspace(0.04, 0.96, 24)


@dataclass(frozen=True)
class Line:
    """One edge as a quadratic curve; `control` is None for a straight one."""

    a: Node
    b: Node
    transport: Transport
    control: tuple[float, float] | None


@dataclass(frozen=True)
class MapFrame:
    """The map's part of the canvas: its size, the nodes' places and the radius of their discs."""

    width: float
    height: float
    points: tuple[tuple[float, float], ...]
    radius: float
    labels_inside: bool

    @property
    def unit(self) -> float:
        """Grows with the discs; 1 on the London board at 1200 px."""
        return self.radius / 11


def label_size(label: str, radius: float) -> float:
    """The size of type at which a label fits into a disc."""
    return min(0.98 * radius, 2.4 * radius / len(label))


def build_frame(board: Board, width: float) -> MapFrame:
    """Fit the board into the width; small boards take less of it."""
    places = np.array(place(board), dtype=np.float64)
    low, high = places.min(axis=0), places.max(axis=0)
    across, down = (max(float(size), 1e-9) for size in high - low)
    gaps = _nearest_gaps(places)
    longest = max(board.labels, key=len)
    side = max(MARGIN, 3.4 * len(longest) + 8) if label_size(longest, LARGEST_RADIUS) < SMALLEST_TEXT else MARGIN
    room = width - 2 * side
    scale = min(room / across, 0.86 * width / down, WIDEST_GAP / float(np.quantile(gaps, 0.1)))
    radius = min(0.40 * float(np.quantile(gaps, 0.05)), 0.47 * float(gaps.min())) * scale
    radius = min(max(radius, SMALLEST_RADIUS), LARGEST_RADIUS)
    canvas = min(width, max(across * scale + 2 * side, LEAST_WIDTH))
    shift = np.array([(canvas - across * scale) / 2, MARGIN])
    points = (places - low) * scale + shift
    inside = label_size(longest, radius) >= SMALLEST_TEXT
    return MapFrame(canvas, down * scale + 2 * MARGIN, tuple((float(x), float(y)) for x, y in points), radius, inside)


def _nearest_gaps(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """For every node the distance to the nearest other; places that coincide count as far apart."""
    from scipy.spatial import cKDTree

    if len(places) < 2:
        return np.array([100.0])
    found, _ = cKDTree(places).query(places, k=2)
    gaps: NDArray[np.float64] = found[:, 1]
    apart = gaps[gaps > 1e-6]
    return apart if len(apart) else np.array([100.0])


def build_lines(board: Board, frame: MapFrame) -> tuple[Line, ...]:
    """All edges; those between the same two nodes are bent apart, those that would cross a disc go around it."""
    bundles: dict[tuple[Node, Node], list[Transport]] = {}
    for edge in board.edges:
        bundles.setdefault((edge.a, edge.b), []).append(edge.transport)
    points = np.array(frame.points)
    may_bend = len(bundles) * board.n_nodes <= _MOST_CHECKS
    lines = []
    for (a, b), kinds in bundles.items():
        offsets = _offsets(kinds, frame.unit)
        swing = _swing(points, a, b, offsets, frame) if may_bend else 0.0
        for kind, offset in zip(kinds, offsets, strict=True):
            bend = offset + swing
            lines.append(Line(a, b, kind, _control(points[a], points[b], bend) if bend else None))
    return tuple(lines)


def _offsets(kinds: list[Transport], unit: float) -> list[float]:
    """Sideways places of parallel lines, so that each shows beside the others."""
    widths = [LINE_WIDTH[kind] * unit for kind in kinds]
    gap = 1.8 * unit
    total = sum(widths) + gap * (len(widths) - 1)
    offsets, used = [], 0.0
    for width in widths:
        offsets.append(used + width / 2 - total / 2 if len(widths) > 1 else 0.0)
        used += width + gap
    return offsets


def _control(start: NDArray[np.float64], end: NDArray[np.float64], bend: float) -> tuple[float, float]:
    """The control point of a curve that passes its middle `bend` beside the straight line."""
    middle, along = (start + end) / 2, end - start
    size = max(math.hypot(*along), 1e-9)
    return float(middle[0] - along[1] / size * 2 * bend), float(middle[1] + along[0] / size * 2 * bend)


def _swing(points: NDArray[np.float64], a: Node, b: Node, offsets: list[float], frame: MapFrame) -> float:
    """How far to bend a bundle so that it keeps off the other discs; the least that does."""
    start, end = points[a], points[b]
    length = float(np.hypot(*(end - start)))
    reach = length / 2 + frame.radius * 5
    near = np.hypot(*(points - (start + end) / 2).T) < reach
    near[[a, b]] = False
    others = points[near]
    if not len(others):
        return 0.0
    room = frame.radius + 2.5 * frame.unit
    best, best_gap = 0.0, -1.0
    for size in np.arange(0.0, min(0.17 * length, 5 * frame.radius) + 1e-9, 0.4 * frame.radius):
        for swing in (size, -size) if size else (0.0,):
            gap = min(_least_gap(start, end, offset + swing, others) for offset in (offsets[0], offsets[-1]))
            if gap >= room:
                return float(swing)
            if gap > best_gap + 0.5:
                best, best_gap = float(swing), gap
    return best


def _least_gap(start: NDArray[np.float64], end: NDArray[np.float64], bend: float, others: NDArray[np.float64]) -> float:
    control = np.array(_control(start, end, bend))
    t = _STEPS[:, None]
    curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
    return float(np.sqrt(((curve[:, None, :] - others[None, :, :]) ** 2).sum(axis=2).min()))
