"""The loop behind `play`: offer moves, read one line, answer what cannot be read, until the end or Q."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from manhunt.agents.base import find_action
from manhunt.cli.screen import console, print_json
from manhunt.cli.terminal.contract import Adviser, AnyScreen
from manhunt.cli.terminal.options import Begun
from manhunt.cli.terminal.plain import JsonTeller, PlainTeller, opening_line, result_lines, told
from manhunt.errors import BadText, ManhuntError
from manhunt.games.base import View
from manhunt.games.registry import make_game

MOST_OFFERS = 40
HELP = "type a number (#2), a node or the move as written; q quits"


@dataclass(frozen=True, slots=True)
class Offer:
    """One legal action as it is shown; `wins` is None where nobody was asked."""

    number: int
    action: Any
    notation: str
    words: str
    wins: bool | None

    def __str__(self) -> str:
        verdict = {None: "", True: " wins", False: " loses"}[self.wins]
        return f"#{self.number} {self.notation}{verdict}"


class Desk(Protocol):
    """Where the person sits: a terminal, a pipe, or a program that speaks JSON."""

    def seat(self) -> AbstractContextManager[object]: ...

    def ask(self, offers: Sequence[Offer], error: str | None) -> str:
        """One line from the person; EOFError at the end of input."""

    def leave(self) -> None:
        """The game is over or given up."""


def play_at(desk: Desk, begun: Begun) -> None:
    with desk.seat():
        _play(desk, begun)
    desk.leave()


def _play(desk: Desk, begun: Begun) -> None:
    game = begun.game
    game.finish()
    while not game.over:
        offers = make_offers(begun.screen, game.view, begun.adviser)
        action = _choose(desk, game.view, offers)
        if action is None:
            return
        game.submit(action)
        game.finish()


def _choose(desk: Desk, view: View, offers: Sequence[Offer]) -> Any | None:
    """An action of the person; None when there will be none."""
    error = None
    while True:
        try:
            text = desk.ask(offers, error).strip()
        except EOFError:
            return None
        if text.lower() in ("q", "quit"):
            return None
        try:
            return parse_choice(view, offers, text)
        except ManhuntError as reason:
            error = str(reason)


def make_offers(screen: AnyScreen, view: View, adviser: Adviser | None) -> list[Offer]:
    verdicts = adviser(view) if adviser is not None else {}
    write = make_game(view.game).format_action
    return [
        Offer(i, action, write(view.config, action), screen.describe(view, action), verdicts.get(action))
        for i, action in enumerate(view.legal, 1)
    ]


def parse_choice(view: View, offers: Sequence[Offer], text: str) -> Any:
    """The action meant by an offer's number, a notation or a destination; a number that could be two is refused."""
    if text in ("", "?", "h", "help"):
        raise BadText(HELP)
    number = text.removeprefix("#")
    by_number = offers[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(offers) else None
    if text.startswith("#"):
        if by_number is None:
            raise BadText(f"there is no move {text}; the numbers are #1 to #{len(offers)}")
        return by_number.action
    by_name = _by_name(view, text)
    if by_number is None:
        if by_name is None:
            return find_action(view, text)
        return by_name
    if by_name is not None and by_name != by_number.action:
        other = next(offer for offer in offers if offer.action == by_name)
        raise BadText(f"{text} could be #{text} ({by_number.notation}) or {other.notation}; type one of these")
    return by_number.action


def _by_name(view: View, text: str) -> Any | None:
    for spelling in (text, text.upper(), text.lower()):
        try:
            return find_action(view, spelling)
        except ManhuntError:
            continue
    return None


class TerminalDesk:
    """Draws the position over the whole screen and reads a line below it."""

    def __init__(self, begun: Begun) -> None:
        self.begun = begun
        self.console = console()
        with suppress(ImportError):
            import readline  # noqa: F401 (line editing for input)

    def seat(self) -> AbstractContextManager[object]:
        return self.console.screen(hide_cursor=False)

    def ask(self, offers: Sequence[Offer], error: str | None) -> str:
        from rich.text import Text

        from manhunt.cli.terminal.frame import compose

        screen, view = self.begun.screen, self.begun.game.view
        footer = [self._offers(offers), Text(error or HELP, "danger" if error else "quiet", no_wrap=True)]
        footer[1].truncate(self.console.width, overflow="ellipsis")
        height = len(footer[0].wrap(self.console, self.console.width)) - 1
        picture = compose(
            self.console,
            screen,
            view,
            log=[line for events in self.begun.game.events for line in told(screen, events)],
            footer=footer,
            corner=f"seed {self.begun.seed}",
            losing=[offer.action for offer in offers if offer.wins is False],
            spare=height + 1,
        )
        self.console.clear()
        self.console.print(picture)
        return input(f"{screen.prompt(view)} ")

    def leave(self) -> None:
        self.console.print(opening_line(self.begun), style="quiet")
        rows = min(16, max(self.console.height - 6, 6))
        self.console.print(self.begun.screen.picture(self.begun.game.view, self.console.width, rows))
        self.console.print("\n".join(result_lines(self.begun)), markup=False)

    def _offers(self, offers: Sequence[Offer]) -> Any:
        from rich.text import Text

        line = Text()
        for offer in offers[:MOST_OFFERS]:
            # Spaces that do not break keep an offer on one line.
            text = str(offer).replace(" ", "\u00a0")
            line.append(text, "danger" if offer.wins is False else "bold offer").append("   ")
        if len(offers) > MOST_OFFERS:
            line.append(f"... {len(offers)} in all", "quiet")
        return line


class PlainDesk:
    """Plain lines out, one line in; for pipes and for `--no-viz`."""

    def __init__(self, begun: Begun, read: Callable[[str], str] = input) -> None:
        self.begun = begun
        self.teller = PlainTeller(begun)
        self.read = read

    def seat(self) -> AbstractContextManager[object]:
        return nullcontext()

    def ask(self, offers: Sequence[Offer], error: str | None) -> str:
        screen, view = self.begun.screen, self.begun.game.view
        self.teller.catch_up()
        if error is None:
            more = [f"... {len(offers)} in all"] if len(offers) > MOST_OFFERS else []
            print(f"{screen.header(view)}: {'  '.join([*map(str, offers[:MOST_OFFERS]), *more])}")
        else:
            print(error)
        typed = False
        try:
            text = self.read(f"{screen.prompt(view)} ")
            typed = sys.stdin.isatty()
            return text
        finally:
            if not typed:
                print()  # nobody pressed Enter on this screen

    def leave(self) -> None:
        self.teller.catch_up()
        print("\n".join(result_lines(self.begun)))


class JsonDesk:
    """Events, offers and errors as JSON lines; moves come as lines of notation."""

    def __init__(self, begun: Begun, read: Callable[[str], str] = input) -> None:
        self.teller = JsonTeller(begun)
        self.read = read

    def seat(self) -> AbstractContextManager[object]:
        return nullcontext()

    def ask(self, offers: Sequence[Offer], error: str | None) -> str:
        self.teller.catch_up()
        if error is not None:
            print_json({"t": "error", "text": error})
        print_json({"t": "your turn", "legal": [offer.notation for offer in offers], **_verdicts(offers)})
        return self.read("")

    def leave(self) -> None:
        self.teller.catch_up()
        self.teller.outcome()


def _verdicts(offers: Sequence[Offer]) -> dict[str, Any]:
    if any(offer.wins is None for offer in offers):
        return {}
    return {"wins": [offer.wins for offer in offers]}
