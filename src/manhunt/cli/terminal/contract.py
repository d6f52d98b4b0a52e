"""What a game brings to the terminal: its own options, its picture, its words. Everything else is shared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from manhunt.core.errors import ManhuntError
from manhunt.core.game import Setup, View, ViewT
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from rich.text import Text

    from manhunt.analysis.seat_log import SeatLog
    from manhunt.core.agent import Agent
    from manhunt.play.clock import TimeControl

Adviser = Callable[[View], Mapping[Any, bool]]
"""For each legal action whether it wins for the seat that acts."""


@dataclass(frozen=True, slots=True)
class Team:
    """A seat that a person shares with an agent."""

    mine: Callable[[Any], tuple[Any, ...]]
    """The person's part of a view's legal actions; empty when the agent is to move."""
    partner: Callable[[Agent], Agent]
    """The agent as it plays the other part."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game's own options come to. `agents` are specs that the options imply (a policy file, say)."""

    config: Any
    setup: Setup | None = None
    agents: Mapping[Seat, str] = field(default_factory=dict)
    team: Team | None = None
    time_control: TimeControl | None = None
    """The agents' thinking time; a person may think as long as they like."""
    small: bool = False
    """Whether everything in it is quick also with kernels that are not compiled."""


@dataclass(frozen=True, slots=True)
class Submenu:
    """Stands for several actions that are better chosen in a second step; `path` is what was chosen so far."""

    path: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to choose: an action, or a way to more of them; `wins` is None where nobody was asked."""

    number: int
    action: Any | Submenu
    notation: str
    words: str
    wins: bool | None = None

    def __str__(self) -> str:
        verdict = {None: "", True: " wins", False: " loses"}[self.wins]
        return f"#{self.number} {self.notation}{verdict}"


class Screen(ABC, Generic[ViewT]):
    """One game in the terminal. It is given views, never the truth; its module must be cheap to import."""

    game: str
    words: Mapping[str, Seat] = {}
    """The seats by the words of the command line: `--as evader`, `--agent-evader`."""
    parts: Mapping[str, Seat] = {}
    """More words for `--as`: a part of a seat, whose other parts an agent plays."""
    default_agent: str = "random"
    default_agents: Mapping[str, str] = {}
    """By word of the command line, where it is another one."""
    opponents: Mapping[str, str] = {}
    """By word of the command line: who plays against a person, where that is not the default agent."""
    beside_from: int = 112
    """The least number of columns for notes at the right of the picture instead of below it."""
    truth_seat: Seat = Seat.EVADER
    """The seat that sees most; `--reveal` shows what it sees."""
    examples: Mapping[str, Sequence[str]] = {}
    """Command lines for the help of each command."""
    help: str = "type a number (#2), a node or the move as written; u takes back, ? is help"
    """One line; `?` shows the rest."""
    rules: str = ""
    """The rules in some sentences for somebody who never played; without it the game's summary."""
    legend: Sequence[tuple[str, str]] = ()
    """What is on the screen, for `?`: a sign and its meaning."""
    notation: Sequence[tuple[str, str]] = ()
    """Moves as they are written, for `?`; without them some that are legal now."""
    typed: Sequence[tuple[str, str]] = ()
    """What else can be typed, for `?`."""
    beside_record: frozenset[str] = frozenset()
    """Options of this game that are no rules: they may be given for a game that goes on from a record."""

    @abstractmethod
    def add_options(self, parser: argparse.ArgumentParser, command: str) -> None:
        """Declare the options that only this game has."""

    @abstractmethod
    def set_up(self, options: argparse.Namespace, seed: int) -> Setting: ...

    def set_up_again(self, options: argparse.Namespace, config: Any, setup: Setup) -> Setting:
        """The same for a game that was begun before."""
        return Setting(config, setup)

    def follow(self, options: argparse.Namespace) -> bool:
        """Watch a game that is played elsewhere to its end, if the options ask for one; whether they do."""
        return False

    def topics(self, options: argparse.Namespace) -> tuple[str, ...]:
        """What the options ask for beyond the usual, as topics of `core.warm`."""
        return ()

    def adviser(self, options: argparse.Namespace, opening: ViewT) -> Adviser | None:
        """Who knows which moves win, if that was asked for; `opening` is the first view of the person's seat."""
        return None

    def hint(self, log: SeatLog) -> Mapping[str, Any]:
        """What a strong agent would do in this turn, as the web page says it; made from what the seat was told.

        JSON with `words`; there may be `alternatives`, each with `words`, too.
        """
        from manhunt.analysis.insights import insight_of

        return insight_of("hint", log, {})

    def prepare(self, options: argparse.Namespace, opening: ViewT) -> None:
        """Work that is done before the game begins, when everything that was asked for is known to be right."""

    def bounds(self) -> Mapping[str, Any] | None:
        """Certified bounds on the value of the start, as JSON for the record; None where nobody worked them out."""
        return None

    def promise(self) -> str | None:
        """What is certain about the game before it begins."""
        return None

    def verdict(self, view: ViewT) -> str | None:
        """How far from the best a game was that is over."""
        return None

    def open(self, view: ViewT) -> None:
        """A game begins; this is what the seat that is shown knows."""

    def hear(self, events: Sequence[Mapping[str, Any]]) -> None:
        """What happened since, as that seat may see it."""

    def menu(self, view: ViewT, path: tuple[Any, ...]) -> Sequence[tuple[Any | Submenu, str, str]]:
        """What to choose from after the choices of `path`, with its notation and the word that will do for it here.

        Nothing means all legal actions.
        """
        return ()

    def offer_rows(self, view: ViewT, items: Sequence[Item], columns: int) -> list[Text]:
        """The offers for a person, in groups, at most so wide; nothing means one after the other."""
        return []

    def expand(self, view: ViewT, text: str) -> Sequence[Any]:
        """The actions that a line stands for, one after the other, all of them legal in that order.

        Nothing means that the line is one action as written. A ManhuntError says what is wrong with it.
        """
        return ()

    def save_pictures(self, views: Sequence[ViewT], path: Path, theme: str) -> None:
        """All positions of a game as a film, or the last one as a picture."""
        from manhunt.draw.pictures import save_scenes
        from manhunt.draw.scenes import scene_of

        save_scenes([scene_of(view) for view in views], path, theme)

    def respond(self, view: ViewT, text: str) -> str | None:
        """The answer to something typed that is no action; None if it means nothing here."""
        return None

    def facts(self, view: ViewT) -> Sequence[tuple[str, str]]:
        """What is known, with the name of each fact."""
        return ()

    def briefing(self, view: ViewT) -> list[str]:
        """What a person needs to know before a move, where there is no picture."""
        return [f"{name}: {text}" for name, text in self.facts(view)]

    def notes(self, view: ViewT) -> list[Text]:
        """Lines beside the picture."""
        from rich.text import Text

        return [Text().append(f"{name:<10}", "quiet").append(text) for name, text in self.facts(view)]

    @abstractmethod
    def picture(self, view: ViewT, columns: int, rows: int, losing: Sequence[Any] = ()) -> Text:
        """The position in at most so many columns and rows; `losing` are actions to warn of."""

    def header(self, view: ViewT) -> str:
        """Round and turn, in one line."""
        from manhunt.draw.scenes import scene_of

        return scene_of(view).title

    def prompt(self, view: ViewT) -> str:
        """The question to the person whose turn it is."""
        from manhunt.draw.scenes import scene_of

        return f"{capital(scene_of(view).turn_words)}:"

    def tell(self, event: Mapping[str, Any]) -> str | None:
        """An event in a few words; None for one that says nothing to a person."""
        from manhunt.play.event_words import event_words

        return event_words(self.game, event)

    def ending(self, view: ViewT) -> str:
        """Who won, and how."""
        from manhunt.draw.scenes import scene_of

        scene = scene_of(view)
        return f"{scene.ending} in round {scene.round}"


def capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


AnyScreen = Screen[Any]


def make_screen(game: str) -> AnyScreen:
    """The game's own screen, or the one for all games on a board."""
    kit = kit_of(game)
    if kit.has("screen"):
        screen: AnyScreen = kit.part("screen")()
        return screen
    if not kit.game.capabilities.board:
        raise ManhuntError(f"{game} has no screen for the terminal")
    from manhunt.cli.terminal.board_screen import BoardScreen

    return BoardScreen(game)
