"""The signs of a state on its board: glow, rings, arrows, pieces."""

from __future__ import annotations

import math
from collections import Counter

from manhunt.core.ids import Node
from manhunt.core.scene import Scene, ScenePiece
from manhunt.draw.lines import MapFrame, label_size
from manhunt.draw.look import PieceLook, Theme, look_of
from manhunt.draw.markup import at, group, num, pair, tag, words

STRONGEST_GLOW = 0.72
EVEN_GLOW = 0.3


def hatch_and_head(theme: Theme) -> str:
    """The definitions that marks refer to."""
    stripes = tag("rect", width=5, height=5, fill=theme.surface) + tag("rect", width=2.4, height=5, fill=theme.ink)
    hatch = tag(
        "pattern",
        stripes,
        id=hatch_id(theme),
        width=5,
        height=5,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )
    heads = [_head(theme, ""), _head(theme, "danger"), _head(theme, "offer")]
    return tag("defs", hatch + "".join(heads))


def _head(theme: Theme, tone: str) -> str:
    return tag(
        "marker",
        tag("path", d="M0 0L10 5L0 10z", fill=_tone(theme, tone)),
        id=_head_id(theme, tone),
        viewBox="0 0 10 10",
        refX=7,
        refY=5,
        markerWidth=4,
        markerHeight=4,
        orient="auto",
    )


def inner_label(label: str, radius: float, colour: str | None = None) -> str:
    """A label in the middle of its disc."""
    size = label_size(label, radius)
    return tag("text", words(label), class_="label", y=0.355 * size, font_size=size, fill=colour)


def hatch_id(theme: Theme) -> str:
    return f"manhunt-hatch-{theme.name}"


def _head_id(theme: Theme, tone: str = "") -> str:
    return f"manhunt-head-{theme.name}{tone and f'-{tone}'}"


def _tone(theme: Theme, tone: str) -> str:
    return str(getattr(theme, tone or "ink"))


class SceneMarks:
    """Draws what lies on a scene's board; every method returns one group."""

    def __init__(self, scene: Scene, theme: Theme, frame: MapFrame) -> None:
        self.scene, self.theme, self.frame = scene, theme, frame
        self.label = scene.board.label
        self.r = frame.radius
        self.rim = theme.piece_rim

    def glow(self) -> str:
        """Belief by the square root of its share of the largest, or candidates without weights."""
        weights = {node: weight for node, weight in self.scene.belief.items() if weight > 0}
        most = max(weights.values(), default=1.0)
        opacity = {node: STRONGEST_GLOW * math.sqrt(weight / most) for node, weight in weights.items()}
        for node in self.scene.candidates:
            opacity.setdefault(node, 0.08 if weights else EVEN_GLOW)
        rows = []
        for node in sorted(opacity):
            weight = f"{weights[node]:.4g}" if node in weights else None
            rows.append(self._circle(node, 1.95, data_weight=weight, opacity=f"{opacity[node]:.3g}"))
        return group(rows, class_="belief", fill=self.theme.belief)

    def danger(self) -> str:
        size = 0.62 * self.r + 3
        rows = []
        for node in sorted(set(self.scene.danger)):
            x, y = self.frame.points[node]
            corner = (x - 1.15 * self.r - size / 2, y + 1.15 * self.r - size / 2)
            cross = f"M{pair(corner)}l{num(size)} {num(size)}m0 {num(-size)}l{num(-size)} {num(size)}"
            ring = self._circle(node, 1.38, fill_opacity="0.22", stroke_width=0.16 * self.r)
            rows.append(ring + tag("path", d=cross, stroke_width=0.2 * self.r, stroke_linecap="round"))
        return group(rows, class_="danger", fill=self.theme.danger, stroke=self.theme.danger)

    def offers(self) -> str:
        return group(
            [self._circle(node, 1.3) for node in self.scene.choices],
            class_="offers",
            fill="none",
            stroke=self.theme.offer,
            stroke_width=0.3 * self.r,
            stroke_dasharray=f"{num(0.52 * self.r)} {num(0.3 * self.r)}",
        )

    def arrows(self) -> str:
        judged = [*(self._arrow(*each, "danger") for each in self.scene.worse)]
        judged += [self._arrow(*each, "offer") for each in self.scene.better]
        return group([*self.arrow_rows(), *judged], class_="arrows", fill="none")

    def arrow_rows(self) -> list[str]:
        return [self._arrow(a, b) for a, b in self.scene.arrows]

    def _arrow(self, a: Node, b: Node, tone: str = "") -> str:
        (x1, y1), (x2, y2) = self.frame.points[a], self.frame.points[b]
        length = max(math.hypot(x2 - x1, y2 - y1), 1e-9)
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        start, end = (min(self.r * self._reach(node), 0.38 * length) for node in (a, b))
        path = f"M{num(x1 + ux * start)} {num(y1 + uy * start)}L{num(x2 - ux * end)} {num(y2 - uy * end)}"
        width = max(2.2, 0.24 * self.r) * (1.5 if tone else 1)
        halo = tag("path", d=path, stroke=self.theme.paper, stroke_width=width + 4, opacity="0.8")
        colour, head = _tone(self.theme, tone), f"url(#{_head_id(self.theme, tone)})"
        shaft = tag("path", d=path, stroke=colour, stroke_width=width, marker_end=head)
        return tag("g", halo + shaft, data_arrow=f"{self.label(a)} {self.label(b)}")

    def _reach(self, node: Node) -> float:
        """How far a node's disc and rings extend, in radii."""
        n_pieces = sum(piece.node == node for piece in self.scene.pieces)
        if n_pieces:
            return 1.02 + 0.58 * n_pieces
        return 1.6 if node in self.scene.choices else 1.15

    def pieces(self) -> str:
        return group(self.piece_rows(), class_="pieces", text_anchor="middle", font_weight=700)

    def piece_rows(self) -> list[str]:
        """Wide rings first, so that the badges of the inner ones lie upon them."""
        rows: list[tuple[int, str]] = []
        level: Counter[Node] = Counter()
        for piece in self.scene.pieces:
            rows.append((level[piece.node], self._piece(piece, level[piece.node])))
            level[piece.node] += 1
        rows.sort(key=lambda row: -row[0])
        return [text for _, text in rows]

    def _piece(self, piece: ScenePiece, level: int) -> str:
        """A ring around the disc with a lettered badge; further pieces on one node get wider rings."""
        look = look_of(piece, self.theme)
        label, hidden = self.label(piece.node), piece.kind == "hidden"
        width = 0.40 * self.r
        radius = 1.22 * self.r + level * 1.45 * width
        rim = self.theme.ink if hidden else self.rim
        paint = f"url(#{hatch_id(self.theme)})" if hidden else look.colour
        parts = [tag("title", words(_about(piece, look, label)))]
        if piece.kind == "quarry":
            parts.append(tag("circle", r=self.r, fill=look.colour))
            if self.frame.labels_inside:
                parts.append(inner_label(label, self.r, look.on_colour))
        parts += [
            tag("circle", r=radius, fill="none", stroke=rim, stroke_width=width + 2.4),
            tag("circle", r=radius, fill="none", stroke=paint, stroke_width=width),
            self._badge(piece, look, radius, level),
            self._beside(piece, radius + width),
        ]
        return tag(
            "g",
            "".join(parts),
            class_=f"piece {piece.kind}",
            data_piece=piece.key,
            data_node=label,
            transform=at(self.frame.points[piece.node]),
        )

    def _badge(self, piece: ScenePiece, look: PieceLook, radius: float, level: int) -> str:
        hidden = piece.kind == "hidden"
        letter = look.letter
        size = max(6.5, 0.58 * self.r)
        angle = math.radians(75 * level - 45)
        x, y = (radius + 0.5 * size) * math.cos(angle), (radius + 0.5 * size) * math.sin(angle)
        font = 1.3 * size if len(letter) == 1 else 2.0 * size / len(letter)
        rim = self.theme.ink if hidden else self.rim
        disc = tag("circle", cx=x, cy=y, r=size, fill=look.colour, stroke=rim, stroke_width=1.2)
        return disc + tag("text", words(letter), x=x, y=y + 0.36 * font, font_size=font, fill=look.on_colour)

    def _beside(self, piece: ScenePiece, gap: float) -> str:
        """The piece's text, on the side where it hides the fewest nodes."""
        if not piece.text:
            return ""
        width = 7.6 * len(piece.text)
        sides = {
            "right": (gap + 4, 4.5, "start", gap + 4),
            "left": (-gap - 4, 4.5, "end", -gap - 4 - width),
            "below": (0.0, gap + 14, "middle", -width / 2),
            "above": (0.0, -gap - 5, "middle", -width / 2),
        }
        x, y, anchor, _ = min(sides.values(), key=lambda side: self._n_hidden(piece.node, side[3], side[1] - 5, width))
        return tag(
            "text",
            words(piece.text),
            class_="beside",
            x=x,
            y=y,
            text_anchor=anchor,
            font_size=13,
            fill=self.theme.ink,
            stroke=self.theme.paper,
            stroke_width=4,
            stroke_linejoin="round",
            paint_order="stroke",
        )

    def _n_hidden(self, node: Node, left: float, middle: float, width: float) -> float:
        """How many discs a text would touch; leaving the canvas counts as many."""
        x0, y0 = self.frame.points[node]
        left, right, y = x0 + left, x0 + left + width, y0 + middle
        outside = left < 4 or right > self.frame.width - 4 or not 8 < y < self.frame.height - 8
        touched = 0
        for other, (x, y1) in enumerate(self.frame.points):
            across = max(left - x, 0.0, x - right)
            if other != node and math.hypot(across, max(0.0, abs(y1 - y) - 7)) < self.r:
                touched += 1
        return touched + (100 if outside else 0)

    def _circle(self, node: Node, size: float, **attributes: str | float | None) -> str:
        x, y = self.frame.points[node]
        return tag("circle", data_node=self.label(node), cx=x, cy=y, r=size * self.r, **attributes)


def _about(piece: ScenePiece, look: PieceLook, label: str) -> str:
    seen = ", last seen" if piece.kind == "hidden" else ""
    return f"{look.name}{seen} at {label}" + (f", {piece.text}" if piece.text else "")
