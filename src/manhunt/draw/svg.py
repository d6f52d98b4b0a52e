"""Scenes as SVG text: for notebooks, pages and files."""

from __future__ import annotations

import textwrap
from collections.abc import Collection
from enum import Enum

from manhunt.boards.board import Board
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node, Transport
from manhunt.core.scene import Scene
from manhunt.draw.card_table import draw_table
from manhunt.draw.legend import Legend
from manhunt.draw.lines import LINE_WIDTH, SMALLEST_TEXT, Line, MapFrame, build_frame, build_lines
from manhunt.draw.look import Theme, theme_of
from manhunt.draw.marks import SceneMarks, hatch_and_head, inner_label
from manhunt.draw.markup import SIDE, arc, at, document, group, heading, num, pair, printable, tag, words
from manhunt.draw.strip import Strip

# Bottom to top: the thick lines lie under the thin ones.
LINE_ORDER = (Transport.UNDERGROUND, Transport.FERRY, Transport.BUS, Transport.TAXI, Transport.PLAIN)
LINE_OPACITY = {Transport.UNDERGROUND: "0.62", Transport.BUS: "0.75", Transport.TAXI: "0.85"}
WIDTH = 1200
LEAST_WIDTH = 200


def draw_scene(scene: Scene, *, theme: str = "light", width: int | None = None) -> str:
    """The scene as an SVG document, at most `width` wide.

    Nodes and marks have the attribute data-node="LABEL", edges data-edge="A B", and pieces also data-piece="pursuer-0".
    """
    if width is not None and width < LEAST_WIDTH:
        raise ManhuntError(f"a drawing {width} px wide is too narrow; the minimum is {LEAST_WIDTH}")
    if scene.table is not None:
        return draw_table(scene.table, scene.title, theme_of(theme), width)
    scene.check()
    frame = build_frame(scene.board, width or WIDTH)
    return scene_document(scene, theme_of(theme), frame)


def draw_board(board: Board, *, theme: str = "light", width: int = WIDTH) -> str:
    """The board alone as an SVG document.

    >>> from manhunt.boards import grid
    >>> draw_board(grid(3, 3))[:4]
    '<svg'
    """
    return draw_scene(Scene("", board=board), theme=theme, width=width)


class DrawnPart(Enum):
    """What a drawing consists of: paper, lines and nodes; what lies on them; and what stands above and below."""

    GROUND = "ground"
    MARKS = "marks"
    TITLE = "title"
    FOOT = "foot"
    CAPTION = "caption"


def scene_document(scene: Scene, theme: Theme, frame: MapFrame, parts: Collection[DrawnPart] = tuple(DrawnPart)) -> str:
    """Title, map, legend, strip and captions, from top to bottom; or a part of it, at the same place."""
    width = frame.width
    legend = Legend(scene, theme, width)
    top = 40.0 if scene.title else 0.0
    foot = top + frame.height
    strip = Strip(theme, scene.strip, width)
    captions = _captions(scene, theme, width, foot + legend.height + strip.height + 10)
    height = foot + legend.height + strip.height + (22 * len(captions) + 14 if captions else 0)
    ground, marks = BoardGround(scene.board, theme, frame), SceneMarks(scene, theme, frame)
    layers, around = list[str](), list[str]()
    if DrawnPart.MARKS in parts:
        layers = [marks.glow(), marks.danger(), marks.arrows(), marks.offers(), marks.pieces()]
    if DrawnPart.GROUND in parts:
        taken = frozenset(piece.node for piece in scene.pieces)
        layers[2:2] = [ground.nodes(taken)]
        layers[:0] = [ground.lines()]
    if DrawnPart.TITLE in parts and scene.title:
        around.append(heading(scene.title, theme))
    if DrawnPart.FOOT in parts:
        around += [legend.draw(foot), strip.draw(foot + legend.height)]
    if DrawnPart.CAPTION in parts:
        around += captions
    drawn = group([part for part in layers if part], class_="map", transform=at((0, top)) if top else None)
    name = printable(scene.board.name)
    title = scene.title or f"Board {name}"
    return document(
        [hatch_and_head(theme), drawn, *around],
        title,
        theme,
        (width, height),
        "manhunt-board",
        has_paper=DrawnPart.GROUND in parts,
        data_board=name,
    )


def _captions(scene: Scene, theme: Theme, width: float, top: float) -> list[str]:
    signs = max(20, int((width - 2 * SIDE) / 7.6))
    rows = [row for text in scene.caption for row in textwrap.wrap(text, signs)]
    return [
        tag("text", words(row), class_="caption", x=SIDE, y=top + 22 * i, font_size=15, fill=theme.ink)
        for i, row in enumerate(rows)
    ]


class BoardGround:
    """A board without marks, as two groups that marks lie between and upon: its lines, its nodes."""

    def __init__(self, board: Board, theme: Theme, frame: MapFrame) -> None:
        self.board, self.theme, self.frame = board, theme, frame
        self.r = frame.radius

    def lines(self) -> str:
        lines = build_lines(self.board, self.frame)
        groups = [self._lines(kind, [line for line in lines if line.transport is kind]) for kind in LINE_ORDER]
        return "\n".join(part for part in groups if part)

    def _lines(self, kind: Transport, lines: list[Line]) -> str:
        unit, ferry = self.frame.unit, kind is Transport.FERRY
        return group(
            [self._line(line) for line in lines],
            class_=f"lines {kind.name.lower()}",
            fill="none",
            stroke=self.theme.transport(kind),
            stroke_width=LINE_WIDTH[kind] * unit * (1.35 if ferry else 1),
            stroke_linecap="round",
            stroke_dasharray=f"0.1 {num(7.5 * unit)}" if ferry else None,
            stroke_opacity=LINE_OPACITY.get(kind),
        )

    def _line(self, line: Line) -> str:
        start, end = self.frame.points[line.a], self.frame.points[line.b]
        middle = f"Q{pair(line.control)} " if line.control else "L"
        ends = f"{self.board.label(line.a)} {self.board.label(line.b)}"
        return tag("path", data_edge=ends, d=f"M{pair(start)}{middle}{pair(end)}")

    def nodes(self, taken: frozenset[Node] = frozenset()) -> str:
        """All nodes; labels under those that are taken keep clear of the pieces there."""
        return group(
            [self._node(node, node in taken) for node in self.board.nodes()],
            class_="nodes",
            text_anchor="middle",
            fill=self.theme.ink,
            font_weight=600,
        )

    def _node(self, node: Node, is_taken: bool) -> str:
        """A disc whose rim is shared by the transports that stop there."""
        kinds = sorted({kind for _, kind in self.board.steps(node)} - {Transport.PLAIN})
        names = [kind.name.lower() for kind in kinds]
        colours = [self.theme.transport(kind) for kind in kinds] or [self.theme.quiet]
        label = self.board.label(node)
        rim = 0.24 * self.r
        radius = self.r - rim / 2
        parts = [
            tag("title", words(f"{label}: {', '.join(names)}" if names else label)),
            tag("circle", r=radius, fill=self.theme.surface, stroke=colours[0], stroke_width=rim),
        ]
        for i, colour in enumerate(colours[1:], start=1):
            part = arc(radius, i / len(colours), (i + 1) / len(colours))
            parts.append(tag("path", d=part, fill="none", stroke=colour, stroke_width=rim))
        parts.append(self._label(node, is_taken))
        place = at(self.frame.points[node])
        return tag("g", "".join(parts), class_=" ".join(["node", *names]), data_node=label, transform=place)

    def _label(self, node: Node, is_taken: bool) -> str:
        """The printed label: in the discs if all are readable there, else under them; none on a crowded board."""
        label = self.board.label(node)
        if self.frame.labels_inside:
            return inner_label(label, self.r)
        if self.r < SMALLEST_TEXT:
            return ""
        return tag(
            "text",
            words(label),
            class_="label",
            y=self.r * (1.62 if is_taken else 1.0) + 11,
            font_size=11,
            stroke=self.theme.paper,
            stroke_width=3,
            stroke_linejoin="round",
            paint_order="stroke",
        )
