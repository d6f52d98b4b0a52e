"""A row of small fields under a board: a travel log, slot by slot."""

from __future__ import annotations

from manhunt.draw.look import Theme
from manhunt.draw.markup import at, group, tag, words
from manhunt.draw.overlay import Chip

SIDE = 24.0
WIDTH, HEIGHT, GAP = 30.0, 26.0, 4.0
ROW = 64.0


class Strip:
    """Chips from left to right, wrapped into rows; empty without chips."""

    def __init__(self, theme: Theme, chips: tuple[Chip, ...], width: float) -> None:
        self.theme, self.chips = theme, chips
        fits = max(1, int((width - 2 * SIDE + GAP) // (WIDTH + GAP)))
        n_rows = -(-len(chips) // fits)
        self.per_row = -(-len(chips) // n_rows) if chips else 1
        self.height = ROW * n_rows + 6 if chips else 0.0

    def draw(self, top: float) -> str:
        rows = []
        for i, chip in enumerate(self.chips):
            place = at(self.place(i, top))
            rows.append(tag("g", self._chip(chip), class_="slot", data_slot=chip.above, transform=place))
        return group(rows, class_="strip", text_anchor="middle", style="font-variant-numeric:tabular-nums")

    def place(self, i: int, top: float) -> tuple[float, float]:
        """The upper left corner of a chip's rim."""
        row, column = divmod(i, self.per_row)
        return SIDE + column * (WIDTH + GAP), top + ROW * row + 18

    def _chip(self, chip: Chip) -> str:
        theme, middle = self.theme, WIDTH / 2
        fill = getattr(theme, chip.kind) if chip.kind else "none"
        rim = tag(
            "rect",
            width=WIDTH,
            height=HEIGHT,
            rx=5,
            fill=fill,
            stroke=theme.ink if chip.marked else theme.line,
            stroke_width=2.4 if chip.marked else 1.2,
        )
        parts = [tag("text", words(chip.above), x=middle, y=-6, font_size=11, fill=theme.quiet), rim]
        if chip.text:
            ink = on_colour(fill) if chip.kind else theme.quiet
            weight = 700 if chip.kind else 400
            parts.append(
                tag("text", words(chip.text), x=middle, y=18.5, font_size=15, font_weight=weight, fill=ink),
            )
        if chip.below:
            parts.append(
                tag("text", words(chip.below), x=middle, y=HEIGHT + 15, font_size=13, font_weight=700, fill=theme.ink)
            )
        return "".join(parts)


def on_colour(colour: str) -> str:
    """Dark or light text, whichever is easier to read on a colour such as #D9A514."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    bright = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "#14171D" if bright > 0.18 else "#FFFFFF"
