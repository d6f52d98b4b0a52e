"""The whole terminal as one picture, drawn over the last one without clearing it, so that nothing flickers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.control import Control
from rich.segment import Segment, Segments
from rich.text import Text

from manhunt.cli.terminal.keys import Keys, raw_keys
from manhunt.cli.terminal.line_input import LineInput


class Painter:
    """Paints on the other screen of the terminal while its `seat` lasts."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @contextmanager
    def seat(self, *, has_cursor: bool) -> Iterator[Keys]:
        """The screen and its keys; a new size of the window is the key RESIZED."""
        with self.console.screen(hide_cursor=not has_cursor), raw_keys(resizes=True) as keys:
            yield keys

    def paint(self, picture: RenderableType, prompt: str = "", line: LineInput | None = None) -> None:
        """The picture; with a line, that one below it behind its prompt. What is too high loses its upper part."""
        columns, rows = self.console.size
        room = rows if line is None else rows - 1
        options = self.console.options.update(width=columns, height=None)
        drawn = self.console.render_lines(picture, options, pad=True)
        if len(drawn) > room:
            drawn = [*drawn[:1], *drawn[1 - room :]] if room > 1 else drawn[:room]
        row, column = len(drawn), 0
        if line is not None:
            text, column = _window(prompt, line, columns)
            drawn.append(list(self.console.render(Text(text.ljust(columns), no_wrap=True, end=""), options)))
        drawn += [[Segment(" " * columns)]] * (rows - len(drawn))
        out: list[Segment] = []
        for i, segments in enumerate(drawn):
            out += segments if i == 0 else [Segment.line(), *segments]
        self.console.print(Control.home(), Segments(out), end="")
        if line is not None:
            self.console.control(Control.move_to(column, row))


def _window(prompt: str, line: LineInput, columns: int) -> tuple[str, int]:
    """Prompt and line as far as they fit, and the column of the cursor; of a long line the part around the cursor."""
    prompt = prompt if cell_len(prompt) < columns // 2 else ""
    room = columns - cell_len(prompt) - 1
    first = max(0, line.at - room)
    return f"{prompt}{line.text[first : first + room]}", cell_len(prompt) + line.at - first
