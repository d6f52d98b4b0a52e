"""A board drawn with characters: lines in braille dots, nodes as labels, pieces in colour with letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.text import Text

from manhunt.boards.layout import place
from manhunt.core.ids import Node, Transport
from manhunt.core.scene import Scene, ScenePiece
from manhunt.draw.look import DARK, look_of
from manhunt.draw.svg import LINE_ORDER

ZOOMS = (1.0, 1.3, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.4, 8.0)
MOST_STRETCH = 2.2
SIDE = 4
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_NUDGES = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0))


class NodeLabel(NamedTuple):
    """What stands for a node; `rank` 0 is placed first."""

    node: Node
    text: str
    style: str
    rank: int


@dataclass(frozen=True)
class MapWindow:
    """The part of the map that is shown, and how it falls onto columns and rows; nodes lie on whole cells."""

    left: float
    top: float
    across: float
    down: float
    columns: int
    rows: int

    def cell(self, x: float, y: float) -> tuple[int, int]:
        column = SIDE + (x - self.left) / self.across * (self.columns - 1 - 2 * SIDE)
        return round(column), round((y - self.top) / self.down * (self.rows - 1))

    def holds(self, x: float, y: float) -> bool:
        column, row = self.cell(x, y)
        return SIDE <= 2 * column <= 2 * (self.columns - 1) - SIDE and 0 <= row < self.rows


def draw_chart(scene: Scene, columns: int, rows: int, focus: Sequence[Node] = ()) -> Text:
    """The whole board where its labels fit, else the neighbourhood of the focus, or of the piece that matters."""
    tags = _node_labels(scene)
    places = place(scene.board)
    focus = focus or _focus(scene)
    for zoom in ZOOMS:
        window = _window(places, focus, zoom, columns, rows)
        shown = [tag for tag in tags if window.holds(*places[tag.node])]
        settled = _settle(shown, window, places)
        if len(settled) == len(shown):
            break
    canvas = _Canvas(columns, rows)
    for kind in LINE_ORDER:
        for edge in scene.board.edges:
            if edge.transport is kind:
                canvas.line(window.cell(*places[edge.a]), window.cell(*places[edge.b]), _line_style(kind))
    for (column, row), tag in settled.items():
        canvas.write(column, row, tag.text, tag.style)
    return canvas.text()


def piece_style(piece: ScenePiece) -> str:
    if piece.kind == "quarry":
        return "bold reverse"
    if piece.kind == "hidden":
        return f"bold {DARK.belief}"
    look = look_of(piece, DARK)
    return f"bold {look.on_colour} on {look.colour}"


def _line_style(kind: Transport) -> str:
    return DARK.quiet if kind is Transport.PLAIN else DARK.transport(kind)


def _node_labels(scene: Scene) -> list[NodeLabel]:
    """Pieces first, then what may be chosen, then their surroundings, then the rest."""
    board, choices = scene.board, set(scene.choices)
    here: dict[Node, list[ScenePiece]] = {}
    for piece in scene.pieces:
        here.setdefault(piece.node, []).append(piece)
    near = {to for node in here for to in board.neighbours(node)}
    labels = []
    for node in board.nodes():
        label = board.label(node)
        offered, losing = node in choices, node in scene.danger
        likely = node in scene.belief or node in scene.candidates
        closing = "!)" if losing else "?)" if likely else ")"
        edges = ("(", closing) if offered else (" ", " ")
        if node in here:
            letters = "".join(look_of(piece, DARK).letter for piece in here[node])
            labels.append(NodeLabel(node, f"{edges[0]}{letters} {label}{edges[1]}", piece_style(here[node][0]), 0))
        elif offered:
            colour = DARK.danger if losing else DARK.offer
            labels.append(NodeLabel(node, f"{edges[0]}{label}{edges[1]}", f"bold {colour}", 1))
        else:
            style, sign = (f"bold {DARK.belief}", "?") if likely else ("bold", " ")
            labels.append(NodeLabel(node, f"{sign}{label} ", style, 2 if likely or node in near else 3))
    return sorted(labels, key=lambda label: label.rank)


def _focus(scene: Scene) -> Sequence[Node]:
    """What the window is put around: offers and the quarry, else the last sighting, else everybody."""
    quarry = [piece.node for piece in scene.pieces if piece.kind in ("quarry", "hidden")]
    return scene.choices or quarry or [piece.node for piece in scene.pieces]


def _window(
    places: Sequence[tuple[float, float]], focus: Sequence[Node], zoom: float, columns: int, rows: int
) -> MapWindow:
    xs, ys = [x for x, _ in places], [y for _, y in places]
    cells_across, cells_down = max(columns - 1 - 2 * SIDE, 1), max(rows - 1, 1)
    per_column = max((max(xs) - min(xs)) / cells_across, 1e-6) / zoom
    per_row = max((max(ys) - min(ys)) / cells_down, 1e-6) / zoom
    # A character is about twice as high as wide; beyond that a map may be stretched a little to fill the screen.
    per_column = max(per_column, per_row / 2 / MOST_STRETCH)
    per_row = max(per_row, 2 * per_column / MOST_STRETCH)
    across, down = per_column * cells_across, per_row * cells_down
    centre = focus if focus and zoom > 1 else range(len(places))
    x = sum(places[n][0] for n in centre) / len(centre)
    y = sum(places[n][1] for n in centre) / len(centre)
    return MapWindow(_clamp(x, across, xs), _clamp(y, down, ys), across, down, columns, rows)


def _clamp(middle: float, size: float, values: Sequence[float]) -> float:
    """Where a stretch of this size begins, around the middle but not beyond the map."""
    low, high = min(values), max(values)
    if size >= high - low:
        return (low + high - size) / 2
    return min(max(middle - size / 2, low), high - size)


def _settle(
    tags: Sequence[NodeLabel], window: MapWindow, places: Sequence[tuple[float, float]]
) -> dict[tuple[int, int], NodeLabel]:
    """A place for each tag, its own or one beside it; those without room are left out."""
    taken: set[tuple[int, int]] = set()
    settled = {}
    for tag in tags:
        column, row = window.cell(*places[tag.node])
        for right, down in _NUDGES if tag.rank < 3 else _NUDGES[:1]:
            left = column - len(tag.text) // 2 + right
            left = min(max(left, 0), window.columns - len(tag.text))
            at = row + down
            cells = {(left + i, at) for i in range(len(tag.text))}
            if 0 <= at < window.rows and not cells & taken:
                taken |= cells
                settled[left, at] = tag
                break
    return settled


class _Canvas:
    """Braille dots underneath, letters on top, a style for each cell."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.dots = [[0] * columns for _ in range(rows)]
        self.styles = [[""] * columns for _ in range(rows)]
        self.signs: list[list[str | None]] = [[None] * columns for _ in range(rows)]

    def line(self, start: tuple[int, int], end: tuple[int, int], style: str) -> None:
        for x, y in _dots_between(start, end):
            column, row = x // 2, y // 4
            if 0 <= column < self.columns and 0 <= row < self.rows:
                self.dots[row][column] |= _DOTS[y % 4][x % 2]
                self.styles[row][column] = style

    def write(self, column: int, row: int, text: str, style: str) -> None:
        for i, sign in enumerate(text):
            self.signs[row][column + i] = sign
            self.styles[row][column + i] = style

    def text(self) -> Text:
        out = Text(no_wrap=True)
        for row in range(self.rows):
            for column in range(self.columns):
                sign = self.signs[row][column]
                dots = self.dots[row][column]
                out.append(sign or (chr(0x2800 + dots) if dots else " "), self.styles[row][column] or None)
            if row < self.rows - 1:
                out.append("\n")
        return out


def _dots_between(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    x1, y1, x2, y2 = 2 * start[0] + 1, 4 * start[1] + 2, 2 * end[0] + 1, 4 * end[1] + 2
    n = max(abs(x2 - x1), abs(y2 - y1), 1)
    return ((round(x1 + (x2 - x1) * i / n), round(y1 + (y2 - y1) * i / n)) for i in range(n + 1))
