"""What a bot's author writes."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from manhunt.protocol.messages import Clock, Info, New, Option

View = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]


class Bot(ABC):
    """A bot in Python: write `choose`, the rest is optional. `choose` may be an `async def`."""

    name: ClassVar[str] = "bot"
    version: ClassVar[str] = ""
    games: ClassVar[Sequence[str]] = ()
    """The games that it plays; empty means all."""
    seats: ClassVar[Sequence[str]] = ()
    """`evader`, `pursuers`; none means both."""
    options: ClassVar[Sequence[Option]] = ()

    def __init__(self) -> None:
        self.rng = Random()
        """Seeded anew before every move: take all chance from here, and the same game goes the same way again."""
        self.game: New | None = None
        """The game being played: its name, config, board, the seat, options."""
        self._thoughts: list[Info] = []

    @abstractmethod
    def choose(self, view: View, legal: Sequence[str], clock: Clock) -> str | Awaitable[str] | None:
        """Return one of `legal`, or None to resign. `view` is what the seat knows; `clock.move` is the time for this
        move in seconds.

        `legal` is empty if there are more legal actions than fit into a message.
        """

    def start(self, game: New) -> None:
        """A new game begins."""

    def observe(self, events: Events, view: View | None) -> None:
        """What has happened since the last call; `view` is None after the end of the game."""

    def option(self, name: str) -> Any:
        """The value of one of your options in this game."""
        default = next(option.default for option in self.options if option.name == name)
        return default if self.game is None else self.game.options.get(name, default)

    def tell(
        self,
        *,
        value: float | None = None,
        confidence: float | None = None,
        line: Sequence[str] = (),
        text: str = "",
        **counters: float,
    ) -> None:
        """Comment on your next move; the comment is sent with it. `value` is the evader's, from -1 to 1."""
        self._thoughts.append(Info(value, confidence, list(line), text, counters))

    def take_thoughts(self) -> list[Info]:
        """What `tell` has collected since the last call; `run` sends it just before the move."""
        thoughts, self._thoughts = self._thoughts, []
        return thoughts
