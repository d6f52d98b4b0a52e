"""Back and forth through the positions of a game with single keys, for everything that shows one in the terminal.

`PositionCursor` is where one is, without a terminal. `step_with_keys` is the loop around it: it reads keys, moves the
cursor and asks for a picture; whoever calls it draws.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from manhunt.cli.terminal.keys import END, RESIZED, Keys
from manhunt.cli.terminal.line_input import LineInput, read_line

QUIT = ("q", END)
LONGEST_NUMBER = 9
BAR = (("N", "next"), ("B", "back"), ("R", "round"), ("A", "play on"), ("?", "all keys"), ("Q", "quit"))
BAR_RUNNING = (("any key", "pause"), ("Q", "quit"))
KEY_HELP = (
    ("N  B", "next move, back one move; also arrow keys"),
    ("R  P", "next round, round before; also arrow keys"),
    ("G", "go to a round: type its number, then Enter"),
    ("S  E", "to the start, to the newest position"),
    ("A", "play on to the end; any key pauses"),
    ("Q", "quit"),
)
"""Keys and what they do, for a help screen."""


class Positions(Protocol):
    """The positions of a game, numbered from 0."""

    @property
    def n(self) -> int:
        """How many there are so far, at least one."""

    def grow(self) -> bool:
        """Make one more, where a game is being played; False if there will be no more."""

    def round_of(self, i: int) -> int: ...


@dataclass
class FixedPositions:
    """Those of a game that is over: the round of each."""

    rounds: tuple[int, ...]

    @property
    def n(self) -> int:
        return len(self.rounds)

    def grow(self) -> bool:
        return False

    def round_of(self, i: int) -> int:
        return self.rounds[i]


class PositionCursor:
    """The position that is shown, `at`. Its moves stay between the start and the end."""

    def __init__(self, positions: Positions, at: int = 0) -> None:
        self.positions, self.at = positions, at

    @property
    def is_newest(self) -> bool:
        return self.at == self.positions.n - 1

    def forward(self) -> bool:
        """One position on; False at the end."""
        if self.is_newest and not self.positions.grow():
            return False
        self.at += 1
        return True

    def back(self) -> None:
        self.at = max(0, self.at - 1)

    def next_round(self) -> None:
        number = self._round
        while self.forward() and self._round <= number:
            pass

    def previous_round(self) -> None:
        """To the beginning of this round, or of the one before."""
        self.back()
        number = self._round
        while self.at and self.positions.round_of(self.at - 1) >= number:
            self.at -= 1

    def to_round(self, number: int) -> bool:
        """To the first position of a round, or as far as the game goes; False if it has no such round."""
        self.at = 0
        while self._round < number:
            if not self.forward():
                return False
        return True

    def to_start(self) -> None:
        self.at = 0

    def to_newest(self) -> None:
        self.at = self.positions.n - 1

    @property
    def _round(self) -> int:
        return self.positions.round_of(self.at)


MOVES: Mapping[str, Callable[[PositionCursor], object]] = {
    "n": PositionCursor.forward,
    "right": PositionCursor.forward,
    " ": PositionCursor.forward,
    "b": PositionCursor.back,
    "left": PositionCursor.back,
    "r": PositionCursor.next_round,
    "down": PositionCursor.next_round,
    "p": PositionCursor.previous_round,
    "up": PositionCursor.previous_round,
    "s": PositionCursor.to_start,
    "home": PositionCursor.to_start,
    "e": PositionCursor.to_newest,
    "end": PositionCursor.to_newest,
}


@dataclass(frozen=True)
class Shown:
    """What is to be drawn beside the position: the keys at the bottom, and what one is told or asked there."""

    keys: tuple[tuple[str, str], ...] = BAR
    note: str = ""
    prompt: str = ""
    line: LineInput | None = None
    """Typing in progress, behind the prompt."""


def step_with_keys(
    cursor: PositionCursor,
    keys: Keys,
    draw: Callable[[Shown], object],
    *,
    help_screen: Callable[[], object],
    pace_seconds: float = 0.25,
    more: Mapping[str, Callable[[], object]] | None = None,
    bar: tuple[tuple[str, str], ...] = BAR,
) -> None:
    """Until Q or the end of input.

    `draw` shows the position at `cursor.at`; `help_screen` shows all keys (`show_help`)
    until one of them is pressed. `more` are
    further keys, in lower case, and what they do before the position is drawn again.
    """
    more = more or {}
    note = ""
    while True:
        draw(Shown(bar, note))
        key = keys.read() or END
        note = ""
        if key in QUIT:
            return
        if key in MOVES:
            MOVES[key](cursor)
        elif key in more:
            more[key]()
        elif key == "?":
            help_screen()
        elif key == "g":
            note = _go_to_round(cursor, keys, draw, bar)
        elif key == "a" and _run_on(cursor, keys, draw, pace_seconds):
            return


def _go_to_round(
    cursor: PositionCursor, keys: Keys, draw: Callable[[Shown], object], bar: tuple[tuple[str, str], ...]
) -> str:
    """Ask for a round and go there; what there is to say about it."""
    try:
        text = read_line(keys, LineInput(), lambda line: draw(Shown(bar, prompt="go to round: ", line=line))).strip()
    except EOFError:
        return ""
    if not text:
        return ""
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        return f"{text[:40]!r} is not a round number"
    return "" if cursor.to_round(int(text)) else f"there is no round {int(text)}; this is the end"


def _run_on(cursor: PositionCursor, keys: Keys, draw: Callable[[Shown], object], pace_seconds: float) -> bool:
    """Move after move until the end or a key; True when the key quits."""
    shown = Shown(BAR_RUNNING)
    while True:
        began = time.monotonic()
        if not cursor.forward():
            return False
        draw(shown)
        while True:
            key = keys.read(max(0.0, pace_seconds - (time.monotonic() - began)))
            if key != RESIZED:
                break
            draw(shown)
        if key is not None:
            return key in QUIT
