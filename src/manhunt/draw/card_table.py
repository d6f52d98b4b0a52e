"""A card table as SVG: the row of cards, piles and hands, the notepad of all numbers, and notes below."""

from __future__ import annotations

import textwrap

from manhunt.core.scene import CardPile, CardTable, PadCell, RowCard
from manhunt.draw.look import LIGHT_INK, Theme
from manhunt.draw.markup import SIDE, at, document, group, heading, num, tag, words
from manhunt.draw.strip import on_colour

WIDTH, LEAST_WIDTH = 1000, 480
TOP = 62.0
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 54.0, 74.0, 14.0
SMALL_WIDTH, SMALL_HEIGHT = 25.0, 20.0
CELL_HEIGHT, CELL_GAP = 36.0, 6.0
COLUMNS = 14
PILE_GAP = 190


def draw_table(table: CardTable, title: str, theme: Theme, width: float | None = None) -> str:
    drawing = TableDrawing(theme, max(width or WIDTH, LEAST_WIDTH))
    drawing.add_row(table.row)
    drawing.add_piles(table.piles)
    for name, text in table.lines:
        drawing.add_line(name, text)
    drawing.top += 4
    drawing.add_pad(table.pad)
    drawing.add_legend(table.legend)
    drawing.add_notes(table.notes_title, table.notes)
    size = drawing.width, drawing.top
    return document([heading(title, theme), *drawing.parts], title, theme, size, "manhunt-table")


class TableDrawing:
    """One drawing under way; every part is drawn at `top`, which then moves down."""

    def __init__(self, theme: Theme, width: float) -> None:
        self.theme, self.width, self.top = theme, width, TOP
        self.parts: list[str] = []

    def _text(self, x: float, y: float, text: str, size: float = 13, **more: str | float | None) -> str:
        given = {"fill": self.theme.quiet, **more}
        return tag("text", words(text), x=x, y=y, font_size=size, **given)

    def add_row(self, cards: tuple[RowCard, ...]) -> None:
        fits = max(1, int((self.width - 2 * SIDE + CARD_GAP) // (CARD_WIDTH + CARD_GAP)))
        for first in range(0, len(cards), fits):
            line, rows = cards[first : first + fits], []
            for i, card in enumerate(line):
                place = at((SIDE + i * (CARD_WIDTH + CARD_GAP), self.top))
                rows.append(tag("g", self._card(card), class_="card", data_position=str(first + i), transform=place))
            self.parts.append(group(rows, class_="row", text_anchor="middle"))
            n_lines = -(-max(len(card.under) for card in line) // 2)
            self.top += CARD_HEIGHT + 12 + n_lines * (SMALL_HEIGHT + 3) + 10

    def _card(self, card: RowCard) -> str:
        """A card with the small ones below it; a face-down one is dark, with its number if it is known."""
        theme, middle = self.theme, CARD_WIDTH / 2
        fill = theme.surface if card.is_up else theme.secret
        ink = theme.ink if card.is_up else on_colour(theme.secret)
        rim = theme.offer if card.is_strong else theme.quiet if card.is_up else theme.piece_rim
        faint = None if card.is_up or card.text == "?" else "0.8"
        shape = {"width": CARD_WIDTH, "height": CARD_HEIGHT, "rx": 7.0, "stroke_width": 3.0 if card.is_strong else 1.5}
        parts = [
            tag("rect", **shape, fill=fill, stroke=rim),
            self._text(middle, CARD_HEIGHT / 2 + 9, card.text, 26, font_weight=700, fill=ink, opacity=faint),
        ]
        if card.note:
            parts.append(self._text(middle, CARD_HEIGHT - 7, card.note, 10, fill=ink, opacity="0.75"))
        return "".join([*parts, *(self._small(i, text, card.is_up) for i, text in enumerate(card.under))])

    def _small(self, i: int, text: str, is_up: bool) -> str:
        line, column = divmod(i, 2)
        x, y = column * (SMALL_WIDTH + 4), CARD_HEIGHT + 6 + line * (SMALL_HEIGHT + 3)
        bright = is_up and text != "?"
        fill = self.theme.surface if bright else self.theme.secret
        ink = self.theme.ink if bright else on_colour(self.theme.secret)
        shape = {"width": SMALL_WIDTH, "height": SMALL_HEIGHT, "rx": 4.0, "stroke_width": 1.0}
        box = tag("rect", **shape, fill=fill, stroke=self.theme.quiet)
        return tag("g", box + self._text(SMALL_WIDTH / 2, 15, text, fill=ink), class_="small", transform=at((x, y)))

    def add_piles(self, piles: tuple[CardPile, ...]) -> None:
        for i, pile in enumerate(piles):
            place = at((SIDE + i * PILE_GAP, self.top + 16))
            self.parts.append(group(self._pile(pile), class_="pile", data_pile=pile.name, transform=place))
        if piles:
            self.top += 92

    def _pile(self, pile: CardPile) -> list[str]:
        theme, shape = self.theme, {"width": 40.0, "height": 52.0, "rx": 5.0}
        cards = [
            tag("rect", x=3 * k, y=-3 * k, **shape, fill=theme.secret, stroke=theme.paper, stroke_width=1.2)
            for k in range(min(pile.size, 4))
        ]
        empty = tag("rect", **shape, fill="none", stroke=theme.quiet, stroke_dasharray="4 3")
        first, *others = pile.lines
        name = self._text(60, 14, first, 15, fill=theme.ink, font_weight=600)
        return [*(cards or [empty]), name, *(self._text(60, 33 + 17 * i, line) for i, line in enumerate(others))]

    def add_line(self, name: str, text: str) -> None:
        signs = max(20, int((self.width - 2 * SIDE - 90) / 7.8))
        self.parts.append(self._text(SIDE, self.top + 6, name, 15, fill=self.theme.ink, font_weight=600))
        for line in textwrap.wrap(text, signs):
            self.parts.append(self._text(SIDE + 90, self.top + 6, line, 15, fill=self.theme.ink))
            self.top += 24

    def add_pad(self, pad: tuple[PadCell, ...]) -> None:
        width = (self.width - 2 * SIDE + CELL_GAP) / COLUMNS - CELL_GAP
        rows = []
        for i, cell in enumerate(pad):
            line, column = divmod(i, COLUMNS)
            place = at((SIDE + column * (width + CELL_GAP), self.top + line * (CELL_HEIGHT + CELL_GAP)))
            rows.append(tag("g", self._cell(cell, width), class_="cell", data_number=cell.text, transform=place))
        self.parts.append(group(rows, class_="notepad", text_anchor="middle"))
        self.top += -(-len(pad) // COLUMNS) * (CELL_HEIGHT + CELL_GAP) + 8

    def _cell(self, cell: PadCell, width: float) -> str:
        theme, chance, middle = self.theme, cell.chance, width / 2
        fill, ink = self._colours(cell)
        shape = {"width": width, "height": CELL_HEIGHT, "rx": 5.0}
        title = f"{cell.text}: {cell.words}" if chance is None else f"{cell.text}: {chance:.0%}"
        parts = [tag("title", words(title)), tag("rect", **shape, fill=fill, stroke=theme.line, stroke_width=1.2)]
        if chance is not None:
            shade = f"{0.08 + 0.82 * min(max(chance, 0.0), 1.0):.2f}" if chance > 0 else "0"
            ink = LIGHT_INK if chance > 0.5 else theme.ink
            parts.append(tag("rect", **shape, fill=theme.belief, fill_opacity=shade))
            parts.append(self._text(middle, 32, f"{chance:.0%}", 10, fill=ink))
        strike, y = "line-through" if cell.is_crossed else None, 24 if chance is None else 19
        parts.append(self._text(middle, y, cell.text, 15, font_weight=600, fill=ink, text_decoration=strike))
        return "".join(parts)

    def _colours(self, cell: PadCell) -> tuple[str, str]:
        theme = self.theme
        if cell.kind:
            colour: str = getattr(theme, cell.kind)
            return colour, on_colour(colour)
        return (theme.paper, theme.quiet) if cell.is_crossed else (theme.surface, theme.ink)

    def add_legend(self, cells: tuple[PadCell, ...]) -> None:
        x, rows, shape = SIDE, list[str](), {"width": 14.0, "height": 14.0, "rx": 3.0}
        for cell in cells:
            fill, _ = self._colours(cell)
            box = tag("rect", x=x, y=self.top, **shape, fill=fill, stroke=self.theme.line)
            line = f"M{num(x + 3)} {num(self.top + 7)}h8"
            strike = tag("path", d=line, stroke=self.theme.quiet, stroke_width=1.5) if cell.is_crossed else ""
            rows.append(box + strike + self._text(x + 20, self.top + 12, cell.words))
            x += 34 + 7.0 * len(cell.words)
        if rows:
            self.parts.append(group(rows, class_="legend"))
            self.top += 28

    def add_notes(self, title: str, notes: tuple[str, ...]) -> None:
        self.parts.append(self._text(SIDE, self.top + 12, title, 15, fill=self.theme.ink, font_weight=600))
        for line in notes or ("none yet",):
            self.parts.append(self._text(SIDE + 90, self.top + 12, line, 15, fill=self.theme.ink))
            self.top += 22
        self.top += 14
