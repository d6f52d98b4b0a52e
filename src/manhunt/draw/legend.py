"""The strip under a board that says what its signs mean."""

from __future__ import annotations

import math

from manhunt.boards.board import Board
from manhunt.core.ids import Transport
from manhunt.core.scene import Scene
from manhunt.draw.look import PieceLook, Theme, look_of
from manhunt.draw.marks import EVEN_GLOW, STRONGEST_GLOW, hatch_id
from manhunt.draw.markup import SIDE, at, group, tag, words

ROW = 26.0
SAMPLE = 30.0
_ORDER = ("quarry", "hidden", "target", "pursuer")
_SAMPLE_WIDTH = {Transport.UNDERGROUND: 7.0, Transport.BUS: 3.4, Transport.TAXI: 2.6, Transport.FERRY: 4.2}


class Legend:
    """Signs with words, wrapped into rows; empty where the board explains itself."""

    def __init__(self, scene: Scene, theme: Theme, width: float) -> None:
        self.theme = theme
        items = [*self._lines(scene.board), *self._pieces(scene), *self._marks(scene), *self._belief(scene)]
        self._rows: list[list[tuple[str, str]]] = [[]]
        used = SIDE
        for sign, text in items:
            needed = _item_width(text)
            if self._rows[-1] and used + needed > width - SIDE:
                self._rows.append([])
                used = SIDE
            self._rows[-1].append((sign, text))
            used += needed

    @property
    def height(self) -> float:
        return ROW * len(self._rows) + 12 if self._rows[0] else 0.0

    def draw(self, top: float) -> str:
        rows = []
        for i, row in enumerate(self._rows):
            x, y = SIDE, top + ROW * i + 8
            for sign, text in row:
                rows.append(tag("g", sign + tag("text", words(text), x=SAMPLE + 8, y=4.5), transform=at((x, y))))
                x += _item_width(text)
        return group(rows, class_="legend", font_size=13, fill=self.theme.ink)

    def _lines(self, board: Board) -> list[tuple[str, str]]:
        items = []
        for kind in board.transports:
            if kind in _SAMPLE_WIDTH:
                sample = tag(
                    "path",
                    d="M2 0H28",
                    stroke=self.theme.transport(kind),
                    stroke_width=_SAMPLE_WIDTH[kind],
                    stroke_linecap="round",
                    stroke_dasharray="0.1 8" if kind is Transport.FERRY else None,
                )
                items.append((sample, kind.name.lower()))
        return items

    def _pieces(self, scene: Scene) -> list[tuple[str, str]]:
        theme, items = self.theme, []
        for piece in sorted(scene.pieces, key=lambda piece: (_ORDER.index(piece.kind), piece.index)):
            if piece.kind == "hidden":
                ring = tag("circle", cx=15, r=7, fill="none", stroke=theme.ink, stroke_width=5)
                hatch = tag("circle", cx=15, r=7, fill="none", stroke=f"url(#{hatch_id(theme)})", stroke_width=3)
                items.append((ring + hatch, "last seen"))
            else:
                look = look_of(piece, theme)
                items.append((self._lettered(look), look.name))
        return items

    def _marks(self, scene: Scene) -> list[tuple[str, str]]:
        offer, danger = self.theme.offer, self.theme.danger
        items = []
        if scene.choices:
            ring = tag("circle", cx=15, r=8, fill="none", stroke=offer, stroke_width=3, stroke_dasharray="5 3")
            items.append((ring, "may be chosen"))
        if scene.danger:
            disc = tag("circle", cx=15, r=8, fill=danger, fill_opacity="0.22", stroke=danger, stroke_width=1.8)
            cross = tag("path", d="M12 -3l6 6m0 -6l-6 6", stroke=danger, stroke_width=2)
            items.append((disc + cross, "danger"))
        return items

    def _belief(self, scene: Scene) -> list[tuple[str, str]]:
        weights = [weight for weight in scene.belief.values() if weight > 0]
        if not weights:
            n = len(set(scene.candidates))
            return [(self._glow(EVEN_GLOW), f"candidates: {n}")] if n else []
        most = max(weights)
        shares = [1.0] if min(weights) == most else [1.0, 0.25, 0.0625]
        texts = [f"{'belief ' if share == 1 else ''}{percent(most * share)}" for share in shares]
        return [
            (self._glow(STRONGEST_GLOW * math.sqrt(share)), text) for share, text in zip(shares, texts, strict=True)
        ]

    def _glow(self, opacity: float) -> str:
        return tag("circle", cx=15, r=10, fill=self.theme.belief, opacity=f"{opacity:.3g}")

    def _lettered(self, look: PieceLook) -> str:
        disc = tag("circle", cx=15, r=9, fill=look.colour, stroke=self.theme.piece_rim, stroke_width=1.2)
        text = words(look.letter)
        return disc + tag(
            "text", text, x=15, y=4, font_size=11, font_weight=700, text_anchor="middle", fill=look.on_colour
        )


def percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def _item_width(text: str) -> float:
    return SAMPLE + 8 + 7.2 * len(text) + 20
