"""The Marshal's notes in Fugitive as a picture: one line a position, one column a card, the steps between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from manhunt.draw.look import Theme, theme_of
from manhunt.draw.markup import document, group, heading, num, tag, words

COLUMN, LINE, RADIUS = 25.0, 70.0, 10.5
LEFT, TOP, FOOT = 96.0, 88.0, 48.0
CROWDED = 600
"""With more edges than this each is drawn fainter."""
Edge = tuple[int, int, int]
"""A step from a card to a card, and the position that it starts from."""


def draw_notes(
    layers: Sequence[Collection[int]],
    edges: Iterable[Edge],
    last: int,
    face_up: Mapping[int, int] | None = None,
    *,
    shares: Sequence[Sequence[float]] | None = None,
    theme: str | Theme = "light",
    title: str = "The Marshal's notes",
) -> str:
    """Cards that each position may be, position 0 first; `shares[position][card]` colours them by probability."""
    drawing = NotesDrawing(theme_of(theme) if isinstance(theme, str) else theme, last, face_up or {}, shares)
    return drawing.document(layers, list(edges), title)


class NotesDrawing:
    def __init__(
        self, theme: Theme, last: int, face_up: Mapping[int, int], shares: Sequence[Sequence[float]] | None
    ) -> None:
        self.theme, self.last, self.face_up, self.shares = theme, last, face_up, shares

    def document(self, layers: Sequence[Collection[int]], edges: Sequence[Edge], title: str) -> str:
        theme = self.theme
        width, height = LEFT + COLUMN * (self.last + 1) + 24, TOP + LINE * (len(layers) - 1) + RADIUS + FOOT
        parts = [
            heading(title, theme),
            group([self._column(card) for card in range(self.last + 1)], text_anchor="middle"),
            group([self._name(position, len(cards)) for position, cards in enumerate(layers)]),
            group([self._edge(edge) for edge in edges], fill="none", stroke=theme.plain, **_stroke(len(edges))),
            group([self._node(i, card, cards) for i, cards in enumerate(layers) for card in sorted(cards)]),
            tag("text", words(self._foot()), x=24, y=height - 14, font_size=13, fill=theme.quiet),
        ]
        label = f"{title}: {len(layers) - 1} positions"
        return document(parts, label, theme, (width, height), "manhunt-notes", aria_label=label)

    def _foot(self) -> str:
        text = "circles: what a position may be; lines: steps that its sprint cards allow; filled: face up or certain"
        return text if self.shares is None else f"{text}; the darker, the likelier"

    def _place(self, position: int, card: int) -> tuple[float, float]:
        return LEFT + COLUMN * (card + 0.5), TOP + LINE * position

    def _column(self, card: int) -> str:
        x, _ = self._place(0, card)
        return tag("text", str(card), x=x, y=TOP - 24, font_size=10, fill=self.theme.quiet)

    def _name(self, position: int, n_cards: int) -> str:
        _, y = self._place(position, 0)
        name = "start" if position == 0 else f"position {position}"
        count = "" if n_cards == 1 else f"{n_cards} cards"
        lines = [tag("text", name, x=24, y=y + (0 if count else 4), font_size=13, fill=self.theme.ink)]
        if count:
            lines.append(tag("text", count, x=24, y=y + 15, font_size=11, fill=self.theme.quiet))
        return "".join(lines)

    def _edge(self, edge: Edge) -> str:
        before, card, position = edge
        (x1, y1), (x2, y2) = self._place(position, before), self._place(position + 1, card)
        y1, y2 = y1 + RADIUS, y2 - RADIUS
        bend = 0.2 * (y2 - y1)
        path = f"M{num(x1)} {num(y1)}C{num(x1)} {num(y1 + bend)} {num(x2)} {num(y2 - bend)} {num(x2)} {num(y2)}"
        return tag("path", d=path)

    def _node(self, position: int, card: int, cards: Collection[int]) -> str:
        x, y = self._place(position, card)
        theme = self.theme
        certain = len(cards) == 1
        share = 1.0 if certain else self.shares[position][card] if self.shares is not None else 0.0
        fill = theme.ink if position in self.face_up else theme.belief
        dark = position in self.face_up or share > 0.6
        back = tag("circle", cx=x, cy=y, r=RADIUS, fill=theme.surface, stroke=theme.ink, stroke_width=1.2)
        front = tag("circle", cx=x, cy=y, r=RADIUS - 0.6, fill=fill, fill_opacity=f"{share:.3f}") if share else ""
        colour = theme.surface if dark else theme.ink
        text = tag("text", str(card), x=x, y=y + 3.7, font_size=10.5, text_anchor="middle", fill=colour)
        return tag("g", back + front + text, data_position=str(position), data_card=str(card))


def _stroke(n_edges: int) -> dict[str, str | float | None]:
    return {"stroke_width": 1.0, "stroke_opacity": "0.55" if n_edges <= CROWDED else "0.25"}
