"""The whole screen: a header, the picture, notes beside or below it, the last moves, a footer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from manhunt.cli.screen import COLOURS
from manhunt.cli.terminal.contract import AnyScreen
from manhunt.core.game import View

NOTES_WIDTH = (38, 56)
LEAST_ROWS = 6


def compose(
    console: Console,
    screen: AnyScreen,
    view: View,
    *,
    log: Sequence[str] = (),
    footer: Sequence[Text] = (),
    corner: str = "",
    losing: Sequence[Any] = (),
    spare: int = 0,
) -> RenderableType:
    """Fill the console's size; `spare` rows at the bottom stay free (for typing)."""
    columns, rows = console.size
    beside = min(max(columns // 3, NOTES_WIDTH[0]), NOTES_WIDTH[1])
    is_wide = columns >= screen.beside_from
    notes = [_fit(note, beside if is_wide else columns) for note in screen.notes(view)]
    head = _header(screen.header(view), corner, columns)
    room = rows - 1 - len(footer) - spare
    if is_wide:
        notes = notes[: max(room, LEAST_ROWS)]
        picture = screen.picture(view, columns - beside - 2, max(room, LEAST_ROWS), losing)
        recent = _recent(log, room - len(notes) - 1)
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=columns - beside - 2, no_wrap=True)
        grid.add_column(width=beside)
        grid.add_row(picture, Group(*notes, Text(""), *recent))
        return Group(head, grid, *footer)
    n_log = 2 if rows >= 24 else 1
    recent = _recent(log, n_log)
    recent += [Text("")] * (n_log - len(recent))
    notes = notes[: max(room - n_log - LEAST_ROWS, 0)]
    picture = screen.picture(view, columns, max(room - len(notes) - n_log, LEAST_ROWS), losing)
    return Group(head, picture, *notes, *recent, *footer)


def _recent(log: Sequence[str], n: int) -> list[Text]:
    lines = log[-n:] if n > 0 else ()
    return [Text(line, style="quiet", overflow="ellipsis", no_wrap=True) for line in lines]


def keys_line(*pairs: tuple[str, str]) -> Text:
    """`N one move   R round`, with the keys set off."""
    line = Text(no_wrap=True, overflow="ellipsis")
    for key, meaning in pairs:
        line.append(f" {key} ", "bold reverse").append(f" {meaning}   ", "quiet")
    return line


def _header(title: str, corner: str, columns: int) -> Text:
    gap = columns - len(title) - len(corner)
    line = Text(title, style="bold", no_wrap=True, overflow="ellipsis")
    return line.append(" " * gap + corner, f"not bold {COLOURS['quiet']}") if corner and gap > 1 else line


def _fit(text: Text, width: int) -> Text:
    copy = text.copy()
    copy.truncate(width, overflow="ellipsis")
    copy.no_wrap = True
    return copy
