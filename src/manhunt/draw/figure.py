"""Scenes in matplotlib: pictures and animations.

matplotlib is an optional dependency and is imported when something is drawn.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from manhunt.boards.board import Board
from manhunt.draw.lines import LINE_WIDTH, Frame, Line, build_frame, build_lines
from manhunt.draw.look import Theme, pursuer_look, quarry_look, theme_of
from manhunt.draw.overlay import Chip, Piece
from manhunt.draw.scene import Scene
from manhunt.draw.strip import HEIGHT, WIDTH, Strip, on_colour
from manhunt.draw.svg import LINE_OPACITY, LINE_ORDER, SMALLEST_TEXT, draw_board
from manhunt.errors import ManhuntError, MissingExtra, one_of
from manhunt.files import write_atomically
from manhunt.ids import Node, Transport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from PIL.Image import Image

FORMATS = (".gif", ".png", ".svg")
WIDTH_INCHES = 10.0
DOTS_PER_INCH = 110
CANVAS_WIDTH = 1200
HEAD = 62.0
SIDE = 24.0
FOOT_TEXT, FOOT_ROW, FOOT_GAP = 16.0, 25.0, 20.0
FRAME_SECONDS = 0.7
LAST_FRAME_SECONDS = 2.5
COLOURS = 255


class Part(Enum):
    """What a picture is made of, from the bottom to the top."""

    LINES = "lines"
    UNDER = "marks under the nodes"
    NODES = "nodes"
    OVER = "marks over the nodes"
    WORDS = "words"


ALL_PARTS = frozenset(Part)
Told = Callable[[int, int, str], object]


def nobody(done: int, total: int, words: str) -> None:
    """Hears how far the work is, and does nothing about it."""


def need(module: str) -> Any:
    """A module of the extra `figure`, or the line that says how to get it."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise MissingExtra(f"{name} is not installed; it draws figures: pip install manhunt[figure]") from None


def check_format(path: Path) -> None:
    """Refuse a file that `save_scenes` could not write, before a game is played for it."""
    if path.suffix.lower() not in FORMATS:
        raise ManhuntError(f"cannot save a picture as {path.name!r}; the name must end in {one_of(FORMATS)}")
    if not path.parent.is_dir():
        raise ManhuntError(f"cannot write {path}: the folder {path.parent} does not exist")
    if path.suffix.lower() != ".svg":
        need("matplotlib")
        need("PIL")


def save_scenes(scenes: Sequence[Scene], path: Path, theme: str = "light") -> None:
    """A GIF of all scenes, or a PNG or SVG of the last one."""
    check_format(path)
    kind = path.suffix.lower()
    if kind == ".svg":
        last = scenes[-1]
        write_atomically(path, draw_board(last.board, theme=theme, title=last.title, marks=last.marks))
    elif kind == ".png":
        write_atomically(path, png_of(render(scenes[-1], theme)))
    else:
        buffer = io.BytesIO()
        film(scenes, buffer, theme)
        write_atomically(path, buffer.getvalue())


def film(scenes: Sequence[Scene], out: BinaryIO, theme: str = "light", told: Told = nobody) -> None:
    """A GIF of all scenes of one board, which is drawn but once; `told` hears how many are done."""
    foot = max(foot_height(scene) for scene in scenes)
    ground, nodes = (_layer(scenes[0], theme, foot, {part}) for part in (Part.LINES, Part.NODES))

    def pictures() -> Iterator[Image]:
        for scene in scenes:
            picture = ground.copy()
            picture.alpha_composite(_layer(scene, theme, foot, {Part.UNDER}))
            picture.alpha_composite(nodes)
            picture.alpha_composite(_layer(scene, theme, foot, {Part.OVER, Part.WORDS}))
            yield picture.convert("RGB")

    save_gif(pictures(), len(scenes), out, told)


def _layer(scene: Scene, theme: str, foot: float, parts: set[Part]) -> Image:
    """Parts of a scene; only that with the lines has a ground."""
    figure = new_figure(scene, theme, foot)
    if Part.LINES not in parts:
        figure.patch.set_alpha(0.0)
    paint_scene(figure.axes[0], scene, theme, least_foot=foot, parts=parts)
    return _drawn(figure)


def save_gif(pictures: Iterable[Image], n: int, out: BinaryIO, told: Told = nobody) -> None:
    """Pictures of one size as a GIF; they are drawn one by one and kept with few colours."""
    tree = need("PIL.Image").Quantize.FASTOCTREE  # keeps the colours of small pieces, too
    frames = []
    for i, picture in enumerate(pictures, 1):
        frames.append(picture.quantize(COLOURS, tree))
        told(i, n, f"picture {i} of {n}")
    first, *rest = frames
    pauses = [int(1000 * FRAME_SECONDS)] * len(rest) + [int(1000 * LAST_FRAME_SECONDS)]
    first.save(out, format="GIF", save_all=True, append_images=rest, duration=pauses, loop=0)


def render(scene: Scene, theme: str = "light", least_foot: float = 0.0) -> Image:
    """One scene as a picture in memory; needs no display. The pictures of one film share the tallest foot."""
    figure = new_figure(scene, theme, least_foot)
    paint_scene(figure.axes[0], scene, theme, least_foot=least_foot)
    return _drawn(figure).convert("RGB")


def _drawn(figure: Figure) -> Image:
    canvas = need("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    canvas.draw()
    picture: Image = need("PIL.Image").fromarray(need("numpy").asarray(canvas.buffer_rgba()).copy())
    return picture


def new_figure(scene: Scene, theme: str = "light", least_foot: float = 0.0) -> Figure:
    """An empty figure in the scene's proportions, with one axes over all of it and no window."""
    figure: Figure = need("matplotlib.figure").Figure(figsize=size_inches(scene, least_foot), dpi=DOTS_PER_INCH)
    prepare(figure, theme)
    return figure


def size_inches(scene: Scene, least_foot: float = 0.0) -> tuple[float, float]:
    frame, _ = _layout(scene.board)
    return WIDTH_INCHES, WIDTH_INCHES * (frame.height + HEAD + max(least_foot, foot_height(scene))) / frame.width


def foot_height(scene: Scene, foot: str = "") -> float:
    """What the strip and the lines under a board take."""
    frame, _ = _layout(scene.board)
    strip = Strip(theme_of("light"), scene.marks.strip, frame.width)
    return strip.height + FOOT_GAP + FOOT_ROW * max(1, len(_foot_rows(scene, foot)))


def _foot_rows(scene: Scene, foot: str) -> list[str]:
    frame, _ = _layout(scene.board)
    signs = max(20, int((frame.width - 2 * SIDE) / (0.6 * FOOT_TEXT)))
    return [row for text in (*scene.marks.caption, foot) for row in textwrap.wrap(text, signs)]


def prepare(figure: Figure, theme: str) -> Axes:
    """One axes over the whole figure, in the theme's colour."""
    figure.set_facecolor(theme_of(theme).paper)
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def paint_scene(
    axes: Axes,
    scene: Scene,
    theme: str = "light",
    foot: str = "",
    *,
    least_foot: float = 0.0,
    parts: Collection[Part] = ALL_PARTS,
) -> Frame:
    """Draw a scene into axes, whatever was there before; returns where the nodes lie in data coordinates."""
    frame, _ = _layout(scene.board)
    height = frame.height + max(least_foot, foot_height(scene, foot))
    axes.clear()
    axes.set_axis_off()
    axes.set_xlim(0, frame.width)
    axes.set_ylim(height, -HEAD)
    axes.set_aspect("equal")
    painter = _Painter(axes, scene, frame, theme_of(theme), height + HEAD)
    painter.paint(parts)
    if Part.WORDS not in parts:
        return frame
    painter.text(SIDE, 26 - HEAD, scene.title, 24, anchor="left", weight="bold")
    strip = Strip(painter.theme, scene.marks.strip, frame.width)
    for i, chip in enumerate(strip.chips):
        painter.chip(chip, *strip.place(i, frame.height))
    top = frame.height + strip.height + 0.5 * FOOT_ROW
    for i, row in enumerate(_foot_rows(scene, foot)):
        painter.text(SIDE, top + FOOT_ROW * i, row, FOOT_TEXT, anchor="left", colour=painter.theme.quiet)
    return frame


@lru_cache(maxsize=8)
def _layout(board: Board) -> tuple[Frame, tuple[Line, ...]]:
    frame = build_frame(board, CANVAS_WIDTH)
    return frame, build_lines(board, frame)


def node_at(frame: Frame, x: float, y: float) -> Node | None:
    """The node whose disc, with some room around it, holds a point."""
    gaps = [math.hypot(px - x, py - y) for px, py in frame.points]
    nearest = min(range(len(gaps)), key=gaps.__getitem__)
    return Node(nearest) if gaps[nearest] <= 1.6 * frame.radius else None


class _Painter:
    """One drawing under way; lengths are in the frame's units, converted to points where matplotlib wants them."""

    def __init__(self, axes: Axes, scene: Scene, frame: Frame, theme: Theme, whole_height: float) -> None:
        self.axes, self.scene, self.frame, self.theme = axes, scene, frame, theme
        self.r = frame.radius
        figure: Any = axes.figure
        width, height = figure.get_size_inches()
        self.points = 72 * min(width / frame.width, height / whole_height)
        self.patches = need("matplotlib.patches")
        self.path = need("matplotlib.path").Path

    def paint(self, parts: Collection[Part]) -> None:
        if Part.LINES in parts:
            self._lines()
        if Part.UNDER in parts:
            self._under()
        if Part.NODES in parts:
            for node in self.scene.board.nodes():
                self._node(node)
        if Part.OVER in parts:
            self._over()

    def _under(self) -> None:
        marks = self.scene.marks
        self._glow()
        for node in marks.danger:
            self._danger(node)
        for a, b in marks.arrows:
            self._arrow(a, b)

    def _over(self) -> None:
        marks = self.scene.marks
        for node in marks.offers:
            self._ring(node, 1.36 * self.r, self.theme.offer, 0.34 * self.r, style=(0, (1.9, 0.9)), z=5)
        level: dict[Node, int] = {}
        for piece in marks.all_pieces():
            self._piece(piece, level.setdefault(piece.node, 0))
            level[piece.node] += 1

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        anchor: str = "center",
        weight: str = "normal",
        colour: str | None = None,
        z: float = 9,
    ) -> None:
        self.axes.text(
            x,
            y,
            words.replace("$", r"\$"),
            fontsize=size * self.points,
            ha=anchor,
            va="center_baseline" if anchor == "center" else "center",
            color=colour or self.theme.ink,
            weight=weight,
            zorder=z,
            clip_on=False,
        )

    def chip(self, chip: Chip, x: float, y: float) -> None:
        """One field of the strip, with the number above and what became known below."""
        colour = getattr(self.theme, chip.kind) if chip.kind else self.theme.surface
        rim = self.patches.FancyBboxPatch(
            (x, y),
            WIDTH,
            HEIGHT,
            boxstyle="round,pad=0,rounding_size=5",
            facecolor=colour,
            edgecolor=self.theme.ink if chip.marked else self.theme.line,
            linewidth=(2.4 if chip.marked else 1.2) * self.points,
            clip_on=False,
        )
        self.axes.add_artist(rim)
        middle = x + WIDTH / 2
        self.text(middle, y - 9, chip.above, 11, colour=self.theme.quiet)
        self.text(middle, y + HEIGHT / 2, chip.text, 15, weight="bold", colour=on_colour(colour))
        self.text(middle, y + HEIGHT + 11, chip.below, 13, weight="bold")

    def _lines(self) -> None:
        _, lines = _layout(self.scene.board)
        for z, kind in enumerate(LINE_ORDER):
            for line in lines:
                if line.transport is not kind:
                    continue
                start, end = self.frame.points[line.a], self.frame.points[line.b]
                corners = [start, line.control, end] if line.control else [start, end]
                codes = [1, 3, 3] if line.control else [1, 2]
                patch = self.patches.PathPatch(
                    self.path(corners, codes),
                    fill=False,
                    edgecolor=self.theme.transport(kind),
                    linewidth=LINE_WIDTH[kind] * self.frame.unit * self.points,
                    linestyle=(0, (0.1, 2.2)) if kind is Transport.FERRY else "solid",
                    capstyle="round",
                    alpha=float(LINE_OPACITY.get(kind, 1)),
                    zorder=1 + z / 10,
                )
                self.axes.add_artist(patch)

    def _glow(self) -> None:
        belief = self.scene.marks.belief
        most = max(belief.values(), default=1.0) or 1.0
        glow = {node: 0.72 * math.sqrt(weight / most) for node, weight in belief.items() if weight > 0}
        for node in self.scene.marks.candidates:
            glow.setdefault(node, 0.3 if not belief else 0.08)
        for node, opacity in glow.items():
            self._disc(node, 1.95 * self.r, self.theme.belief, alpha=opacity, z=2)

    def _node(self, node: Node) -> None:
        rim = 0.24 * self.r
        kinds = sorted({kind for _, kind in self.scene.board.steps(node)} - {Transport.PLAIN})
        colours = [self.theme.transport(kind) for kind in kinds] or [self.theme.quiet]
        self._disc(node, self.r, self.theme.surface, z=3)
        for i, colour in enumerate(colours):
            start, end = 90 - 360 * (i + 1) / len(colours), 90 - 360 * i / len(colours)
            # The vertical axis points down, so angles run the other way round.
            wedge = self.patches.Wedge(
                self.frame.points[node], self.r, -end, -start, width=rim, facecolor=colour, zorder=3.1
            )
            self.axes.add_artist(wedge)
        self._label(node, self.theme.ink)

    def _label(self, node: Node, colour: str, z: float = 4) -> None:
        label = self.scene.board.label(node)
        x, y = self.frame.points[node]
        size = min(0.98 * self.r, 1.72 * self.r * 0.80 / (0.58 * len(label)))
        if size >= SMALLEST_TEXT:
            self.text(x, y, label, size, weight="bold", colour=colour, z=z)
        elif z == 4:
            self.text(x, y + self.r + 8, label, 11, colour=self.theme.ink, z=z)

    def _piece(self, piece: Piece, level: int) -> None:
        hidden = piece.kind == "hidden"
        look = pursuer_look(piece.index) if piece.kind == "pursuer" else quarry_look(self.theme)
        rim = self.theme.ink if hidden else self.theme.piece_rim
        width = 0.40 * self.r
        ring = 1.22 * self.r + level * 1.45 * width
        if piece.kind == "quarry":
            self._disc(piece.node, self.r, look.colour, z=6)
            self._label(piece.node, look.on_colour, z=6.1)
        colour = self.theme.surface if hidden else look.colour
        self._ring(piece.node, ring, rim, width + 2.4, z=6.2)
        self._ring(piece.node, ring, colour, width, style=(0, (0.6, 0.6)) if hidden else "solid", z=6.3)
        size = max(6.5, 0.58 * self.r)
        angle = math.radians(-45 + 75 * level)
        x, y = self.frame.points[piece.node]
        bx, by = x + (ring + 0.5 * size) * math.cos(angle), y + (ring + 0.5 * size) * math.sin(angle)
        badge = self.patches.Circle((bx, by), size, facecolor=colour, edgecolor=rim, linewidth=1.2, zorder=7)
        self.axes.add_artist(badge)
        letter = piece.letter or ("?" if hidden else look.letter)
        ink = self.theme.ink if hidden else look.on_colour
        self.text(bx, by, letter, 1.3 * size / max(1, 0.7 * len(letter)), weight="bold", colour=ink, z=8)
        if piece.text:
            self.text(x + ring + width + 5, y + 0.9 * self.r + 6, piece.text, 15, anchor="left", z=8)

    def _disc(self, node: Node, radius: float, colour: str, *, alpha: float = 1.0, z: float = 3) -> None:
        patch = self.patches.Circle(
            self.frame.points[node], radius, facecolor=colour, edgecolor="none", alpha=alpha, zorder=z
        )
        self.axes.add_artist(patch)

    def _ring(
        self,
        node: Node,
        radius: float,
        colour: str,
        width: float,
        *,
        style: Any = "solid",
        fill: str | None = None,
        z: float = 2.5,
    ) -> None:
        if fill is not None:
            self._disc(node, radius, fill, alpha=0.22, z=z)
        patch = self.patches.Circle(
            self.frame.points[node],
            radius,
            fill=False,
            edgecolor=colour,
            linewidth=width * self.points,
            linestyle=style,
            zorder=z,
        )
        self.axes.add_artist(patch)

    def _danger(self, node: Node) -> None:
        """A red glow around the offer's ring, and a cross so that colour is not the only sign."""
        self._ring(node, 1.75 * self.r, self.theme.danger, 0.14 * self.r, fill=self.theme.danger)
        x, y = self.frame.points[node]
        x, y, arm = x - 1.3 * self.r, y + 1.3 * self.r, 0.34 * self.r
        corners = [(x - arm, y - arm), (x + arm, y + arm), (x - arm, y + arm), (x + arm, y - arm)]
        for width, colour in ((0.42, self.theme.paper), (0.22, self.theme.danger)):
            cross = self.patches.PathPatch(
                self.path(corners, [1, 2, 1, 2]),
                fill=False,
                edgecolor=colour,
                linewidth=width * self.r * self.points,
                capstyle="round",
                zorder=5.5,
            )
            self.axes.add_artist(cross)

    def _arrow(self, a: Node, b: Node) -> None:
        start, end = self.frame.points[a], self.frame.points[b]
        arrow = self.patches.FancyArrowPatch(
            start,
            end,
            arrowstyle="-|>",
            mutation_scale=14,
            shrinkA=1.3 * self.r * self.points,
            shrinkB=1.3 * self.r * self.points,
            linewidth=max(2.4, 0.26 * self.r) * self.points,
            color=self.theme.ink,
            zorder=2.8,
        )
        self.axes.add_artist(arrow)


def png_of(picture: Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()
