"""One line of typing, edited key by key, so that the screen around it can be drawn again at any time."""

from __future__ import annotations

from collections.abc import Callable

from manhunt.cli.terminal.keys import END, RESIZED, Keys

ENTER = ("\n", "\r")


class LineInput:
    """What is typed so far, and where the cursor is; earlier lines come back with the arrow keys up and down."""

    def __init__(self, history: list[str] | None = None) -> None:
        self.text, self.at = "", 0
        self.history = [] if history is None else history
        self._back = 0
        """How many lines ago the line that is shown was typed; 0 for the one being typed."""

    def press(self, key: str) -> bool:
        """Whether the line is complete."""
        if key in ENTER:
            if self.text and self.history[-1:] != [self.text]:
                self.history.append(self.text)
            return True
        if key in _EDITS:
            self.text, self.at = _EDITS[key](self.text, self.at)
        elif key in ("up", "down"):
            self._recall(self._back + (1 if key == "up" else -1))
        elif len(key) == 1 and key.isprintable():
            self.text, self.at = self.text[: self.at] + key + self.text[self.at :], self.at + 1
        return False

    def _recall(self, back: int) -> None:
        if 0 <= back <= len(self.history):
            self._back = back
            self.text = self.history[-back] if back else ""
            self.at = len(self.text)


def read_line(keys: Keys, line: LineInput, draw: Callable[[LineInput], object]) -> str:
    """The line that somebody types; `draw` shows it after every key and in a window of another size.

    EOFError at the end of input.
    """
    draw(line)
    while True:
        key = keys.read_typed()
        if key == END:
            raise EOFError
        if key is not None:
            if key != RESIZED and line.press(key):
                return line.text
            draw(line)


def _word_before(text: str, at: int) -> tuple[str, int]:
    kept = text[:at].rstrip()
    start = kept.rfind(" ") + 1
    return text[:start] + text[at:], start


_EDITS: dict[str, Callable[[str, int], tuple[str, int]]] = {
    "\x7f": lambda text, at: (text[: max(at - 1, 0)] + text[at:], max(at - 1, 0)),
    "\x08": lambda text, at: (text[: max(at - 1, 0)] + text[at:], max(at - 1, 0)),
    "delete": lambda text, at: (text[:at] + text[at + 1 :], at),
    "\x15": lambda text, at: (text[at:], 0),
    "\x0b": lambda text, at: (text[:at], at),
    "\x17": _word_before,
    "left": lambda text, at: (text, max(at - 1, 0)),
    "right": lambda text, at: (text, min(at + 1, len(text))),
    "home": lambda text, at: (text, 0),
    "\x01": lambda text, at: (text, 0),
    "end": lambda text, at: (text, len(text)),
    "\x05": lambda text, at: (text, len(text)),
}
