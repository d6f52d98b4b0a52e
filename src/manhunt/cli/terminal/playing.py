"""The loop behind `play`: offer moves, read one line, answer what cannot be read, until the end or Q."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from manhunt.cli.screen import COLOURS, console, print_json, say
from manhunt.cli.terminal.contract import Adviser, AnyScreen, Item, Submenu
from manhunt.cli.terminal.help_screen import TYPED
from manhunt.cli.terminal.line_input import LineInput, read_line
from manhunt.cli.terminal.options import Begun, turns_text
from manhunt.cli.terminal.plain import JsonTeller, PlainTeller, event_lines, hint_lines, opening_line, result_lines
from manhunt.core.errors import BadText, ManhuntError, one_of
from manhunt.core.game import View
from manhunt.core.registry import make_game
from manhunt.draw.scenes import scene_of

if TYPE_CHECKING:
    from manhunt.cli.terminal.keys import Keys

MOST_OFFERS = 40
LONGEST_NUMBER = 10
PLAIN_COLUMNS = 120
BACK = ("b", "back")
TAKE_BACK = ("u", "undo")
ASKS_HELP = ("?", "h", "help")


class MovePrompt(Protocol):
    """Where the person sits: a terminal, a pipe, or a program that speaks JSON."""

    has_menus: bool
    """Whether many actions are offered step by step."""

    def seat(self) -> AbstractContextManager[object]: ...

    def ask(self, offers: Sequence[Item], error: str | None, note: str | None) -> str:
        """One line from the person, after an error or a note on the last one; EOFError at the end of input."""

    def help(self) -> None:
        """Show what `?` shows; EOFError at the end of input."""

    def go_back(self) -> None:
        """The person's last turn was taken back."""

    def leave(self) -> None:
        """The game is over or given up."""


def play_with(prompt: MovePrompt, begun: Begun) -> None:
    with prompt.seat():
        _play(prompt, begun)
    begun.show()
    prompt.leave()


def _play(prompt: MovePrompt, begun: Begun) -> None:
    game = begun.game
    game.finish()
    note = None
    while not game.over:
        begun.show()
        chosen = _choose(prompt, begun, note)
        note = None
        if chosen is Other.TAKE_BACK:
            begun.take_back()
            prompt.go_back()
            note = f"taken back; {turns_text(begun.n_taken_back)} in all, which the record will mention"
        elif isinstance(chosen, Other):
            return
        else:
            for action in chosen:
                game.submit(action)
        game.finish()


class Other(Enum):
    """What may be chosen instead of actions."""

    TAKE_BACK = "take back"
    LEAVE = "leave"


def _choose(prompt: MovePrompt, begun: Begun, note: str | None) -> Sequence[Any] | Other:
    """What the person does with one line."""
    view = begun.game.view
    path: tuple[Any, ...] = ()
    offers, error = _offers(prompt, begun, path), None
    while True:
        try:
            text = prompt.ask(offers, error, note).strip()
            if is_help := text.lower() in ASKS_HELP:
                prompt.help()
        except EOFError:
            return Other.LEAVE
        if text.lower() in ("q", "quit"):
            return Other.LEAVE
        error, note = None, (None if text else begun.screen.help) or begun.screen.respond(view, text)
        if is_help or note is not None:
            continue
        try:
            if text.lower() in TAKE_BACK:
                begun.game.check_take_back()
                return Other.TAKE_BACK
            if actions := begun.screen.expand(view, text):
                return actions
            chosen = Submenu(()) if path and text.lower() in BACK else parse_choice(view, offers, text)
        except ManhuntError as reason:
            error = str(reason)
            continue
        if not isinstance(chosen, Submenu):
            return (chosen,)
        path = chosen.path
        offers = _offers(prompt, begun, path)


def _offers(prompt: MovePrompt, begun: Begun, path: tuple[Any, ...]) -> list[Item]:
    return make_offers(begun.screen, begun.game.view, begun.adviser, path if prompt.has_menus else None)


def make_offers(
    screen: AnyScreen, view: View, adviser: Adviser | None, path: tuple[Any, ...] | None = ()
) -> list[Item]:
    """What is offered after the choices of `path`; without a path all legal actions."""
    verdicts = adviser(view) if adviser is not None else {}
    menu = screen.menu(view, path) if path is not None else ()
    if menu:
        return [Item(i, *entry) for i, entry in enumerate(menu, 1)]
    write = make_game(view.game).format_action
    words = {offer.action: offer.words for offer in scene_of(view).offers}
    texts = [write(view.config, action) for action in view.legal]
    return [
        Item(i, action, text, words.get(text, text), verdicts.get(action))
        for i, (action, text) in enumerate(zip(view.legal, texts, strict=True), 1)
    ]


def parse_choice(view: View, offers: Sequence[Item], text: str) -> Any:
    """The action meant by an offer's number, a notation or a destination; a number that could be two is refused."""
    number = text.removeprefix("#")
    is_number = number.isdecimal() and len(number) < LONGEST_NUMBER
    by_number = offers[int(number) - 1] if is_number and 1 <= int(number) <= len(offers) else None
    if text.startswith("#"):
        if by_number is None:
            raise BadText(f"there is no move {text}; the numbers are #1 to #{len(offers)}")
        return by_number.action
    named = _named(view, offers, text)
    meant = [*([by_number.action] if by_number is not None else []), *named]
    if not meant:
        raise BadText(f"{text!r} is not legal now; legal: {one_of(offer.notation for offer in offers)}")
    if any(action != meant[0] for action in meant):
        words = [f"#{text} ({by_number.notation})"] if by_number is not None else []
        words += [offer.notation for offer in offers if offer.action in named]
        raise BadText(f"{text} could be {' or '.join(words)}; type one of these")
    return meant[0]


def _named(view: View, offers: Sequence[Item], text: str) -> list[Any]:
    """The action written like this, offered now or not, or the offers that lead to this node."""
    for names in ([offer.notation for offer in offers], [offer.words for offer in offers]):
        meant = [o.action for o, name in zip(offers, names, strict=True) if name.lower() == text.lower()]
        if meant:
            return meant
    game = make_game(view.game)
    parse, board = game.parse_action, view.config.board if game.capabilities.board else None
    for spelling in (text, text.upper(), text.lower()):
        with suppress(ManhuntError):
            action = parse(view.config, spelling)
            if action in view.legal:
                return [action]
        leading = [
            o.action for o in offers if board and hasattr(o.action, "to") and board.label(o.action.to) == spelling
        ]
        if leading:
            return leading
    return []


class TerminalPrompt:
    """Draws the position over the whole screen and reads a line below it."""

    has_menus = True

    def __init__(self, begun: Begun) -> None:
        from manhunt.cli.terminal.painter import Painter

        self.begun = begun
        self.console = console()
        self.painter = Painter(self.console)
        self.history: list[str] = []
        self.keys: Keys | None = None

    @contextmanager
    def seat(self) -> Iterator[None]:
        with self.begun.output.held(), self.painter.seat(has_cursor=True) as self.keys:
            self._wait_for_agents()
            yield

    def _wait_for_agents(self) -> None:
        """What is seen until the person's first turn."""
        from rich.text import Text

        self.begun.show()
        self.painter.paint(Text(f"{opening_line(self.begun)}\n\nthe agents are playing ...", "quiet"))

    def ask(self, offers: Sequence[Item], error: str | None, note: str | None) -> str:
        assert self.keys is not None
        hints = hint_lines(self.begun.hint()) if self.begun.has_hint else ["Hint: thinking ..."]
        prompt = f"{self.begun.screen.prompt(self.begun.game.view)} "

        def draw(line: LineInput) -> None:
            self.painter.paint(self._picture(offers, hints, error, note), prompt, line)

        typing = LineInput(self.history)
        if not self.begun.has_hint:
            draw(typing)
            hints = hint_lines(self.begun.hint())
        return read_line(self.keys, typing, draw)

    def _picture(self, offers: Sequence[Item], hints: Sequence[str], error: str | None, note: str | None) -> Any:
        from rich.text import Text

        from manhunt.cli.terminal.frame import compose

        screen, view = self.begun.screen, self.begun.game.view
        rows = screen.offer_rows(view, offers, self.console.width) or [self._offers(offers)]
        rows = [*(Text(line) for line in hints), *rows]
        footer = [*rows, Text(error or note or screen.help, "danger" if error else "quiet", no_wrap=True)]
        footer[-1].truncate(self.console.width, overflow="ellipsis")
        height = sum(len(row.wrap(self.console, self.console.width)) - 1 for row in rows)
        return compose(
            self.console,
            screen,
            view,
            log=[line for events in self.begun.game.events for line in event_lines(screen, events)],
            footer=footer,
            corner=self._corner(),
            losing=[offer.action for offer in offers if offer.wins is False],
            spare=height + 1,
        )

    def _corner(self) -> str:
        n = self.begun.n_taken_back
        return f"took back {n}" if n else self.begun.seed_text

    def help(self) -> None:
        from manhunt.cli.terminal.help_screen import show_help

        assert self.keys is not None
        show_help(self.painter, self.keys, self.begun.screen, self.begun.game.view, (*self.begun.screen.typed, *TYPED))

    def go_back(self) -> None:
        """The next picture shows it."""

    def leave(self) -> None:
        """The last position and the result stay on the screen."""
        self.console.print(opening_line(self.begun), style="quiet")
        rows = min(16, max(self.console.height - 6, 6))
        self.console.print(self.begun.screen.picture(self.begun.game.view, self.console.width, rows))
        self.console.print("\n".join(result_lines(self.begun)), markup=False)

    def _offers(self, offers: Sequence[Item]) -> Any:
        from rich.text import Text

        line = Text()
        for offer in offers[:MOST_OFFERS]:
            # Spaces that do not break keep an offer on one line.
            text = str(offer).replace(" ", "\u00a0")
            line.append(text, "danger" if offer.wins is False else f"bold {COLOURS['offer']}").append("   ")
        if len(offers) > MOST_OFFERS:
            line.append(f"... {len(offers)} in all", "quiet")
        return line


class PlainPrompt:
    """Plain lines out, one line in; for pipes and for `--no-viz`."""

    has_menus = True

    def __init__(self, begun: Begun, read: Callable[[str], str] = input) -> None:
        self.begun = begun
        self.teller = PlainTeller(begun)
        self.read = read
        self.briefed: View | None = None

    def seat(self) -> AbstractContextManager[object]:
        return nullcontext()

    def help(self) -> None:
        from manhunt.cli.terminal.help_screen import help_lines

        screen = self.begun.screen
        say("\n".join(help_lines(screen, self.begun.game.view, (*screen.typed, *TYPED))))

    def go_back(self) -> None:
        self.teller.go_back()

    def ask(self, offers: Sequence[Item], error: str | None, note: str | None) -> str:
        screen, view = self.begun.screen, self.begun.game.view
        self.teller.catch_up()
        if error or note:
            say(error or note or "")
        if not error and (note is None or view is not self.briefed):
            briefing = [*screen.briefing(view), *hint_lines(self.begun.hint())] if view is not self.briefed else []
            say("\n".join([*briefing, *self._offers(offers)]))
            self.briefed = view
        typed = False
        try:
            text = self.read(f"{screen.prompt(view)} ")
            typed = sys.stdin.isatty()
            return text
        finally:
            if not typed:
                say("")  # nobody pressed Enter on this screen

    def leave(self) -> None:
        self.teller.catch_up()
        say("\n".join(result_lines(self.begun)))

    def _offers(self, offers: Sequence[Item]) -> list[str]:
        screen, view = self.begun.screen, self.begun.game.view
        rows = [row.plain.rstrip() for row in screen.offer_rows(view, offers, PLAIN_COLUMNS)]
        if rows:
            return [screen.header(view), *rows]
        more = [f"... {len(offers)} in all"] if len(offers) > MOST_OFFERS else []
        return [f"{screen.header(view)}: {'  '.join([*map(str, offers[:MOST_OFFERS]), *more])}"]


class JsonPrompt:
    """Events, offers and errors as JSON lines; moves come as lines of notation."""

    has_menus = False

    def __init__(self, begun: Begun, read: Callable[[str], str] = input) -> None:
        self.begun = begun
        self.teller = JsonTeller(begun)
        self.read = read

    def seat(self) -> AbstractContextManager[object]:
        return nullcontext()

    def help(self) -> None:
        from manhunt.cli.terminal.help_screen import help_lines

        screen = self.begun.screen
        text = "\n".join(help_lines(screen, self.begun.game.view, (*screen.typed, *TYPED)))
        print_json({"t": "note", "text": text})

    def go_back(self) -> None:
        self.teller.go_back()

    def ask(self, offers: Sequence[Item], error: str | None, note: str | None) -> str:
        self.teller.catch_up()
        if error is not None:
            print_json({"t": "error", "text": error})
        if note is not None:
            print_json({"t": "note", "text": note})
        hint = self.begun.hint()
        more = _verdicts(offers) | ({} if hint is None else {"hint": hint})
        print_json({"t": "your turn", "legal": [offer.notation for offer in offers], **more})
        return self.read("")

    def leave(self) -> None:
        self.teller.catch_up()
        self.teller.outcome()


def _verdicts(offers: Sequence[Item]) -> dict[str, Any]:
    if any(offer.wins is None for offer in offers):
        return {}
    return {"wins": [offer.wins for offer in offers]}
