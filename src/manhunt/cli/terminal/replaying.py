"""The loop behind `replay` in a terminal: one key, another moment, one redraw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from rich.live import Live
from rich.text import Text

from manhunt.cli.screen import console
from manhunt.cli.terminal.contract import AnyScreen, make_screen
from manhunt.cli.terminal.frame import compose, keys_line
from manhunt.cli.terminal.keys import END, Keys, raw_keys
from manhunt.cli.terminal.plain import in_round
from manhunt.core.errors import ManhuntError
from manhunt.play.hindsight import Hindsight
from manhunt.play.replay import Moment, Replay

QUIT = ("q", END)
KEYS = (("N", "turn"), ("B", "back"), (". ,", "ply"), ("R", "round"), ("G", "go to"), ("S", "seat"), ("Q", "quit"))
ENTER, ERASE = ("\r", "\n"), ("\x7f", "\b")
MOST_TYPED = 8


def replay_in_terminal(moment: Moment) -> None:
    """Until Q, or the end of input; how the game ended stays on the screen afterwards."""
    out = console()
    make_screen(moment.past.game.name)  # a game without one is refused before the screen is taken
    with Live(console=out, screen=True, auto_refresh=False) as live, raw_keys() as keys:
        _Replaying(moment, live, keys).run()
    out.print(f"{moment.past.record.about}\nResult: {Replay(moment.past).ending}.", markup=False)


class _Followed:
    """The game's screen for one seat, brought to a ply: what it knows comes from the events before."""

    def __init__(self, moment: Moment) -> None:
        self.past, self.seat, self.ply = moment.past, moment.seat, 0
        self.screen: AnyScreen = make_screen(self.past.game.name)
        self.screen.open(self.past.view(0, self.seat))
        self._hear(0)

    def to(self, ply: int) -> None:
        """On to a ply that is not behind."""
        for each in range(self.ply + 1, ply + 1):
            self._hear(each)
        self.ply = ply

    def _hear(self, ply: int) -> None:
        seat = self.seat or self.screen.truth_seat
        self.screen.hear([event.seen_by(seat) for event in self.past.happened[ply]])


class _Replaying:
    def __init__(self, moment: Moment, live: Live, keys: Keys) -> None:
        self.moment, self.live, self.keys = moment, live, keys
        self.followed = _Followed(moment)
        self.typed: str | None = None
        """A ply or round that is being typed."""
        self.note = ""

    @property
    def past(self) -> Hindsight:
        return self.moment.past

    @cached_property
    def acts(self) -> Mapping[str, Callable[[], Moment]]:
        acts: dict[str, Callable[[], Moment]] = {
            ".": lambda: self.moment.step(),
            ",": lambda: self.moment.step(-1),
            "r": lambda: self.moment.in_round(self.past.round_to_play(self.moment.ply) + 1),
            "s": self._next_seat,
            "home": lambda: self.moment.at(0),
            "end": lambda: self.moment.at(self.past.last),
        }
        acts |= dict.fromkeys(("n", " ", "right", *ENTER), lambda: self.moment.turn())
        return acts | dict.fromkeys(("b", "left", *ERASE), lambda: self.moment.turn(-1))

    def run(self) -> None:
        while True:
            self._redraw()
            key = self._key()
            self.note = ""
            if key == END or (key in QUIT and self.typed is None):
                return
            if self.typed is not None:
                self._type(key)
            elif key == "g":
                self.typed = ""
            elif key in self.acts:
                self.moment = self.acts[key]()

    def _next_seat(self) -> Moment:
        seats = list(self.past.tracks.values())
        if len(seats) == 1:
            self.note = "Everybody sees everything in this game."
        return self.moment.seen_by(seats[(seats.index(self.moment.seat) + 1) % len(seats)])

    def _type(self, key: str) -> None:
        """One more key of `12` or `r3`; Enter goes there."""
        assert self.typed is not None
        if key in ENTER:
            self.moment, self.typed = self._meant(self.typed), None
        elif key in ERASE:
            self.typed = self.typed[:-1] if self.typed else None
        elif key in QUIT:
            self.typed = None
        elif (key.isdecimal() or (key == "r" and not self.typed)) and len(self.typed) < MOST_TYPED:
            self.typed += key

    def _meant(self, text: str) -> Moment:
        number = text.removeprefix("r")
        if not number:
            return self.moment
        try:
            return self.moment.in_round(int(number)) if text.startswith("r") else self.moment.at(int(number))
        except ManhuntError as error:
            self.note = str(error)
            return self.moment

    def _key(self) -> str:
        """The next key; while waiting, the screen follows the window's size."""
        size = self.live.console.size
        while True:
            key = self.keys.read(0.25)
            if key is not None:
                return key
            if self.live.console.size != size:
                size = self.live.console.size
                self._redraw()

    def _redraw(self) -> None:
        moment = self.moment
        if self.followed.seat is not moment.seat or self.followed.ply > moment.ply:
            self.followed = _Followed(moment)
        self.followed.to(moment.ply)
        foot = keys_line(*KEYS)
        if self.typed is not None:
            foot = Text(f"Go to ply: {self.typed}_  (a number, or r and a round; Enter goes there)")
        elif self.note:
            foot = Text(self.note, style="danger")
        where = Text(f"{moment.where}, {moment.shown}", style="bold")
        log, screen = self._log(), self.followed.screen
        picture = compose(self.live.console, screen, moment.view, log=log, footer=[where, foot])
        self.live.update(picture, refresh=True)

    def _log(self) -> Sequence[str]:
        """The last turns in words, up to where we are."""
        moment, lines = self.moment, list[str]()
        room = self.live.console.size.height
        while len(lines) < room:
            lines[:0] = [in_round(moment.round, words) if moment.ply else words for words in moment.words]
            if not moment.ply:
                break
            moment = moment.at(moment.first)
        ending = [f"Result: {Replay(moment.past).ending}."] if self.moment.ply == moment.past.last else []
        return [*lines, *ending]
