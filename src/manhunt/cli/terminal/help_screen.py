"""What `?` shows: the rules of a game in short, what is on its screen, how moves are written, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from manhunt.cli.terminal.contract import AnyScreen, capital
from manhunt.core.game import View
from manhunt.core.registry import kit_of

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from manhunt.cli.terminal.keys import Keys
    from manhunt.cli.terminal.painter import Painter

HEADING = 9
"""Columns of the headings."""
WIDEST = 100
"""Longer lines are hard to read."""
N_EXAMPLES = 2
TYPED = (
    ("?", "this help"),
    ("u", "take back your last turn"),
    ("q", "leave the game"),
)
"""What can be typed in every game, besides moves."""

Rows = Sequence[tuple[str, str]]


def help_parts(screen: AnyScreen, view: View, keys: Rows) -> list[tuple[str, str | Rows]]:
    """Heading and text, or heading and rows of a sign and its meaning."""
    parts: list[tuple[str, str | Rows]] = [("Rules", screen.rules or _summary(screen.game))]
    if screen.legend:
        parts.append(("Screen", screen.legend))
    if notation := screen.notation or _examples(view):
        parts.append(("Moves", notation))
    return [*parts, ("Keys", keys)]


def help_picture(screen: AnyScreen, view: View, keys: Rows, console: Console) -> list[Text]:
    """For a terminal; the meanings of signs stand in one column."""
    from rich.text import Text

    parts = help_parts(screen, view, keys)
    columns = min(console.width, WIDEST)
    signs = 2 + max(len(sign) for _, content in parts if not isinstance(content, str) for sign, _ in content)
    lines = [Text(f"{kit_of(screen.game).title}: help", "bold")]
    for heading, content in parts:
        head = heading
        for sign, meaning in [("", content)] if isinstance(content, str) else content:
            width = 0 if isinstance(content, str) else signs
            for i, part in enumerate(Text(meaning).wrap(console, max(columns - HEADING - width, 20))):
                line = Text().append(f"{head:<{HEADING}}", "bold")
                line.append(f"{sign if i == 0 else '':<{width}}", "offer").append(part.plain.rstrip())
                lines.append(line)
                head = ""
    return lines


def help_lines(screen: AnyScreen, view: View, keys: Rows) -> list[str]:
    """The same as plain lines."""
    lines = []
    for heading, content in help_parts(screen, view, keys):
        if isinstance(content, str):
            lines.append(f"{heading}: {content}")
        else:
            lines += [f"{heading}:", *(f"  {sign}: {meaning}" for sign, meaning in content)]
    return lines


def show_help(painter: Painter, keys: Keys, screen: AnyScreen, view: View, rows: Rows) -> None:
    """Page by page until a key on the last one; EOFError at the end of input."""
    from rich.console import Group

    from manhunt.cli.terminal.frame import keys_line
    from manhunt.cli.terminal.keys import END, RESIZED

    at = 0
    while True:
        pages = pages_of(help_picture(screen, view, rows, painter.console), painter.console.height)
        at = min(at, len(pages) - 1)
        is_last = at == len(pages) - 1
        bar = keys_line(("any key", "back to the game" if is_last else f"next page ({at + 1} of {len(pages)})"))
        painter.paint(Group(*pages[at], bar))
        key = keys.read()
        if key == END:
            raise EOFError
        if key != RESIZED:
            if is_last:
                return
            at += 1


def pages_of(lines: Sequence[Text], rows: int) -> list[list[Text]]:
    """As many lines as fit on a screen, and one more for what to press."""
    room = max(rows - 1, 3)
    return [list(lines[i : i + room]) for i in range(0, len(lines), room)]


def _summary(game: str) -> str:
    text = capital(kit_of(game).summary)
    return text if text.endswith(".") else f"{text}."


def _examples(view: View) -> list[tuple[str, str]]:
    """Some of the moves that are legal now, in different words."""
    from manhunt.draw.scenes import scene_of

    found: dict[str, str] = {}
    for offer in scene_of(view).offers:
        if offer.words != offer.action:
            found.setdefault(offer.words, offer.action)
    return [(action, words) for words, action in list(found.items())[:N_EXAMPLES]]
