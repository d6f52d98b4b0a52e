"""A row of small fields under a board: what is known of each round, slot by slot."""

from __future__ import annotations

from manhunt.core.scene import StripField
from manhunt.draw.look import DARK_INK, LIGHT_INK, Theme
from manhunt.draw.markup import SIDE, at, group, tag, words

WIDTH, HEIGHT, GAP = 30.0, 26.0, 4.0
ROW = 64.0


class Strip:
    """Fields from left to right, wrapped into rows; empty without fields."""

    def __init__(self, theme: Theme, fields: tuple[StripField, ...], width: float) -> None:
        self.theme, self.fields = theme, fields
        fits = max(1, int((width - 2 * SIDE + GAP) // (WIDTH + GAP)))
        n_rows = -(-len(fields) // fits)
        self.per_row = -(-len(fields) // n_rows) if fields else 1
        self.height = ROW * n_rows + 6 if fields else 0.0

    def draw(self, top: float) -> str:
        rows = []
        for i, field in enumerate(self.fields):
            place = at(self.place(i, top))
            rows.append(tag("g", self._field(field), class_="slot", data_slot=field.above, transform=place))
        return group(rows, class_="strip", text_anchor="middle")

    def place(self, i: int, top: float) -> tuple[float, float]:
        """The upper left corner of a field's rim."""
        row, column = divmod(i, self.per_row)
        return SIDE + column * (WIDTH + GAP), top + ROW * row + 18

    def _field(self, field: StripField) -> str:
        theme, middle = self.theme, WIDTH / 2
        fill = getattr(theme, field.kind) if field.kind else "none"
        rim = tag(
            "rect",
            width=WIDTH,
            height=HEIGHT,
            rx=5,
            fill=fill,
            stroke=theme.ink if field.marked else theme.line,
            stroke_width=2.4 if field.marked else 1.2,
        )
        parts = [tag("text", words(field.above), x=middle, y=-6, font_size=11, fill=theme.quiet), rim]
        if field.text:
            ink = on_colour(fill) if field.kind else theme.quiet
            weight = 700 if field.kind else 400
            parts.append(
                tag("text", words(field.text), x=middle, y=18.5, font_size=15, font_weight=weight, fill=ink),
            )
        if field.below:
            parts.append(
                tag("text", words(field.below), x=middle, y=HEIGHT + 15, font_size=13, font_weight=700, fill=theme.ink)
            )
        return "".join(parts)


def on_colour(colour: str) -> str:
    """Dark or light text, whichever is easier to read on a colour such as #D9A514."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    bright = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return DARK_INK if bright > 0.18 else LIGHT_INK
