"""Boards and states as SVG text: for notebooks, pages and files."""

from __future__ import annotations

import textwrap

from manhunt.boards.board import Board
from manhunt.draw.legend import Legend
from manhunt.draw.lines import LINE_WIDTH, SMALLEST_TEXT, Frame, Line, build_frame, build_lines
from manhunt.draw.look import FONT, Theme, theme_of
from manhunt.draw.marks import Marks, hatch_and_head, inner_label
from manhunt.draw.markup import arc, at, group, num, pair, printable, tag, words
from manhunt.draw.overlay import NOTHING, Overlay
from manhunt.draw.strip import Strip
from manhunt.errors import ManhuntError
from manhunt.ids import Node, Transport

__all__ = ["LINE_OPACITY", "LINE_ORDER", "SMALLEST_TEXT", "draw_board", "draw_ground"]

# Bottom to top: the thick lines lie under the thin ones.
LINE_ORDER = (Transport.UNDERGROUND, Transport.FERRY, Transport.BUS, Transport.TAXI, Transport.PLAIN)
LINE_OPACITY = {Transport.UNDERGROUND: "0.62", Transport.BUS: "0.75", Transport.TAXI: "0.85"}
LEAST_WIDTH = 200
SIDE = 24


def draw_board(
    board: Board,
    *,
    theme: str = "light",
    width: int = 1200,
    title: str | None = None,
    marks: Overlay | None = None,
) -> str:
    """The board as an SVG document, at most `width` wide.

    Nodes and marks carry data-node="LABEL", lines data-edge="A B", pieces data-piece="pursuer-0" as well.
    """
    if width < LEAST_WIDTH:
        raise ManhuntError(f"a drawing {width} px wide is too narrow; the least is {LEAST_WIDTH}")
    overlay = marks or NOTHING
    overlay.check(board)
    return _Drawing(board, theme_of(theme), build_frame(board, width), overlay).document(title)


def draw_ground(board: Board, theme: Theme, frame: Frame) -> tuple[str, str]:
    """The board alone, as two groups that marks lie between and upon: its lines, its nodes."""
    drawing = _Drawing(board, theme, frame, NOTHING)
    return "\n".join(part for part in drawing.all_lines() if part), drawing.nodes()


class _Drawing:
    """One drawing under way; every method returns the text of its part."""

    def __init__(self, board: Board, theme: Theme, frame: Frame, overlay: Overlay) -> None:
        self.board, self.theme, self.frame, self.overlay = board, theme, frame, overlay
        self.r = frame.radius
        self.taken = {piece.node for piece in overlay.all_pieces()}

    def document(self, title: str | None) -> str:
        width, ink = self.frame.width, self.theme.ink
        legend = Legend(self.board, self.theme, self.overlay, width)
        top = 40.0 if title else 0.0
        foot = top + self.frame.height
        strip = Strip(self.theme, self.overlay.strip, width)
        captions = self._captions(foot + legend.height + strip.height + 10)
        height = foot + legend.height + strip.height + (22 * len(captions) + 14 if captions else 0)
        heading = (
            tag("text", words(title), class_="title", x=SIDE, y=34, font_size=18, font_weight=600, fill=ink)
            if title
            else ""
        )
        parts = [
            tag("title", words(title or f"Board {self.board.name}")),
            hatch_and_head(self.theme),
            tag("rect", class_="paper", width=width, height=height, rx=10, fill=self.theme.paper),
            heading,
            group(self._map(), class_="map", transform=at((0, top)) if top else None),
            legend.draw(foot),
            strip.draw(foot + legend.height),
            *captions,
        ]
        return (
            tag(
                "svg",
                "\n" + "\n".join(part for part in parts if part) + "\n",
                xmlns="http://www.w3.org/2000/svg",
                class_=f"manhunt-board {self.theme.name}",
                role="img",
                viewBox=f"0 0 {num(width)} {num(height)}",
                width=width,
                height=height,
                style="max-width:100%;height:auto",
                font_family=FONT,
                data_board=printable(self.board.name),
            )
            + "\n"
        )

    def _captions(self, top: float) -> list[str]:
        signs = max(20, int((self.frame.width - 2 * SIDE) / 7.6))
        rows = [row for text in self.overlay.caption for row in textwrap.wrap(text, signs)]
        return [
            tag("text", words(row), class_="caption", x=SIDE, y=top + 22 * i, font_size=15, fill=self.theme.ink)
            for i, row in enumerate(rows)
        ]

    def _map(self) -> list[str]:
        marks = Marks(self.board, self.theme, self.frame, self.overlay)
        parts = [
            *self.all_lines(),
            marks.glow(),
            marks.danger(),
            self.nodes(),
            marks.arrows(),
            marks.offers(),
            marks.pieces(),
        ]
        return [part for part in parts if part]

    def all_lines(self) -> list[str]:
        lines = build_lines(self.board, self.frame)
        return [self._lines(kind, [line for line in lines if line.transport is kind]) for kind in LINE_ORDER]

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
            opacity=LINE_OPACITY.get(kind),
        )

    def _line(self, line: Line) -> str:
        start, end = self.frame.points[line.a], self.frame.points[line.b]
        middle = f"Q{pair(line.control)} " if line.control else "L"
        ends = f"{self.board.label(line.a)} {self.board.label(line.b)}"
        return tag("path", data_edge=ends, d=f"M{pair(start)}{middle}{pair(end)}")

    def nodes(self) -> str:
        return group(
            [self._node(node) for node in self.board.nodes()],
            class_="nodes",
            text_anchor="middle",
            fill=self.theme.ink,
            font_weight=600,
            style="font-variant-numeric:tabular-nums",
        )

    def _node(self, node: Node) -> str:
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
        parts.append(self._label(node))
        place = at(self.frame.points[node])
        return tag("g", "".join(parts), class_=" ".join(["node", *names]), data_node=label, transform=place)

    def _label(self, node: Node) -> str:
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
            y=self.r * (1.62 if node in self.taken else 1.0) + 11,
            font_size=11,
            stroke=self.theme.paper,
            stroke_width=3,
            stroke_linejoin="round",
            paint_order="stroke",
        )
