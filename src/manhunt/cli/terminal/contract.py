"""What a game brings to the terminal: its own options, its picture, its words. Everything else is shared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from manhunt.errors import ManhuntError, unknown
from manhunt.games.base import Setup, View, ViewT
from manhunt.ids import Seat

if TYPE_CHECKING:
    import argparse

    from rich.text import Text

Adviser = Callable[[View], Mapping[Any, bool]]
"""For each legal action whether it wins for the seat that acts."""

_HOME = {
    "pursuit": "manhunt.cli.terminal.pursuit:PursuitScreen",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game's own options come to. `agents` are specs that the options imply (a policy file, say)."""

    config: Any
    setup: Setup | None = None
    agents: Mapping[Seat, str] = field(default_factory=dict)


class Screen(ABC, Generic[ViewT]):
    """One game in the terminal. It is given views, never the truth; its module must be cheap to import."""

    game: ClassVar[str]
    words: ClassVar[Mapping[str, Seat]]
    """The seats by the words of the command line: `--as mrx`, `--agent-mrx`."""
    truth_seat: ClassVar[Seat] = Seat.EVADER
    """The seat that sees most; `--reveal` shows what it sees."""
    examples: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Command lines for the help of each command."""

    @abstractmethod
    def add_options(self, parser: argparse.ArgumentParser, command: str) -> None:
        """Declare the options that only this game has."""

    @abstractmethod
    def set_up(self, options: argparse.Namespace, seed: int) -> Setting: ...

    def adviser(self, options: argparse.Namespace, opening: ViewT) -> Adviser | None:
        """Who knows which moves win, if that was asked for; `opening` is the first view of the person's seat."""
        return None

    @abstractmethod
    def header(self, view: ViewT) -> str:
        """Round and turn, in one line."""

    @abstractmethod
    def picture(self, view: ViewT, columns: int, rows: int, losing: Sequence[Any] = ()) -> Text:
        """The position in at most so many columns and rows; `losing` are actions to warn of."""

    @abstractmethod
    def notes(self, view: ViewT) -> list[Text]:
        """Lines beside the picture: who stands where."""

    @abstractmethod
    def prompt(self, view: ViewT) -> str:
        """The question to the person whose turn it is."""

    @abstractmethod
    def describe(self, view: ViewT, action: Any) -> str:
        """An offered action in a few words."""

    @abstractmethod
    def tell(self, event: Mapping[str, Any]) -> str | None:
        """An event in a few words; None for one that says nothing to a person."""

    @abstractmethod
    def ending(self, view: ViewT) -> str:
        """Who won, and how."""


AnyScreen = Screen[Any]


def screen_names() -> tuple[str, ...]:
    return tuple(_HOME)


def make_screen(game: str) -> AnyScreen:
    if game not in _HOME:
        raise ManhuntError(unknown("game", game, _HOME))
    module, _, attribute = _HOME[game].partition(":")
    screen: AnyScreen = getattr(import_module(module), attribute)()
    return screen
