"""A card table drawn with characters: the row as boxes, the notepad as numbers, shaded where chances are known."""

from __future__ import annotations

from rich.text import Text

from manhunt.cli.screen import COLOURS
from manhunt.core.scene import CardTable, PadCell

COLUMNS = 14
CARD = 6
_CHANCES = ((0.0, "no"), (0.1, "hardly"), (0.4, "maybe"), (1.0, "sure"))
_SHADE = (0xB0, 0x6A, 0xC4)
_KINDS = {"secret": "bold reverse", "offer": f"bold {COLOURS['offer']}"}


def draw_cards(table: CardTable, columns: int, rows: int, shaded: str = "") -> Text:
    """The newest cards of the row that fit, and the notepad; `shaded` says what its chances are about."""
    row, pad = _row(table, columns), _pad(table, shaded)
    room = max(rows - len(pad) - 1, 4)
    lines = [*row[-(room - room % 4) :], Text(""), *pad] if len(row) > room else [*row, Text(""), *pad]
    return Text("\n").join(lines[:rows])


def _row(table: CardTable, columns: int) -> list[Text]:
    """Cards as boxes with the small ones below; four lines for each row of them."""
    below = [_under(card.under) or (card.note if len(card.note) < CARD else "") for card in table.row]
    widths = [max(CARD, len(text) + 1) for text in below]
    lines: list[Text] = []
    i = 0
    while i < len(below):
        four, used = [Text(), Text(), Text(), Text()], 0
        while i < len(below) and (used == 0 or used + widths[i] <= columns):
            card, width = table.row[i], widths[i]
            style = _KINDS["offer"] if card.is_up else "belief"
            for text, part in zip(four, ("┌──┐", f"│{card.text:>2}│", "└──┘"), strict=False):
                text.append(part, style).append(" " * (width - 4))
            four[3].append(f"{below[i]:<{width}}", "quiet")
            used += width
            i += 1
        lines += four
    return lines


def _under(cards: tuple[str, ...]) -> str:
    """`+4+9`, or `+2?` for two cards that are not known."""
    return f"+{len(cards)}?" if "?" in cards else "".join(f"+{card}" for card in cards)


def _pad(table: CardTable, shaded: str) -> list[Text]:
    lines: list[Text] = []
    for i, cell in enumerate(table.pad):
        if i % COLUMNS == 0:
            lines.append(Text())
        if cell.chance is not None:
            lines[-1].append(f"{cell.text:>3} ", _shade(cell.chance))
        else:
            lines[-1].append(" " * (3 - len(cell.text))).append(cell.text, _style(cell)).append(" ")
    if any(cell.chance is not None for cell in table.pad):
        scale = Text()
        for chance, word in _CHANCES:
            scale.append(f" {word} ", _shade(chance))
        lines.append(scale.append(f" {shaded}", "quiet"))
    legend = Text()
    for cell in table.legend:
        legend.append(cell.words, _style(cell)).append("   ")
    return [*lines, legend]


def _style(cell: PadCell) -> str:
    if cell.is_crossed:
        return f"strike {COLOURS['quiet']}"
    return _KINDS.get(cell.kind, cell.kind)


def _shade(chance: float) -> str:
    """A background from nothing to the belief's colour."""
    if chance <= 0:
        return "quiet"
    share = 0.15 + 0.85 * min(chance, 1.0)
    red, green, blue = (round(20 + share * (full - 20)) for full in _SHADE)
    return f"#FFFFFF on #{red:02X}{green:02X}{blue:02X}"
