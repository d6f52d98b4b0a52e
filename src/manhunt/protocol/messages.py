"""The words of the bot protocol: every message is a JSON object on a line of its own, `t` tells which.

The manager (manhunt) leads and the bot answers. Unknown keys are ignored on both sides, so that later versions can add
some. The JSON Schema in `schema.py` is made from these definitions.
"""

from enum import Enum
from typing import Annotated, Any

from msgspec import Meta, Struct

PROTOCOL = 1
"""The version of the protocol; it grows when an old bot would misunderstand a message."""
MOST_LEGAL = 20_000
"""Longer lists of legal actions are left out of `go`; the bot gets their number and makes the notation itself."""
MOST_LINE_BYTES = 64 * 1024
"""The longest line that a bot may write, its newline not counted."""
MOST_TURN_BYTES = 1024 * 1024
"""What a bot may write between two moves, `info` lines included."""
LONGEST_NAME = 80

Text = Annotated[str, Meta(max_length=4096)]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Names = Annotated[list[Name], Meta(max_length=100)]
Seconds = float | None
"""None is as long as one likes."""
Value = Annotated[float, Meta(ge=-1, le=1)]


class Clock(Struct, frozen=True):
    """The time that the seat may use now, in seconds, and its parts; without the grace for transport."""

    move: Seconds = None
    """For this move: the smaller of bank and cap."""
    bank: Seconds = None
    """What is left for the rest of the game, without future increments."""
    increment: float = 0.0
    """What every move adds to the bank."""
    cap: Seconds = None
    """The most for any one move."""


class BoardGraph(Struct, frozen=True):
    """The graph: labels of the nodes, edges as [a, b, transport]."""

    name: str
    """The board's name."""
    nodes: list[str]
    """All labels; a label is a string, also where it looks like a number."""
    edges: list[tuple[str, str, str]]
    """Every connection once, as [a, b, transport]; it can be used both ways. The transport is taxi, bus, underground,
    ferry, or plain where the board has no kinds."""


class FromManager(Struct, frozen=True, tag_field="t"):
    """Whatever manhunt says to a bot."""


class Greeting(FromManager, tag="hello", frozen=True):
    """The first message; the bot answers with its own `hello`."""

    protocol: int
    """The version of the protocol; answer with the one that you speak."""
    program: str
    """Who asks, for your log."""


class New(FromManager, tag="new", frozen=True):
    """A game starts; a game that was still going on is over."""

    game: str
    """The game's name."""
    config: dict[str, Any]
    """The options of this game, as in a record."""
    seat: str
    """Yours: `evader` or `pursuers`."""
    board: BoardGraph | None = None
    """Null for games without a board."""
    options: dict[str, Any] = {}
    """Values for the options in your `hello`."""


class Observe(FromManager, tag="observe", frozen=True):
    """All that happened since the last one, and what the seat knows now.

    A hidden event is its number `v` alone. After the end of a game there is no view.
    """

    events: list[dict[str, Any]]
    """In the order in which they happened; what they are depends on the game and the seat."""
    view: dict[str, Any] | None
    """What your seat knows now; null after the end of a game."""
    clock: Clock = Clock()
    """Your time."""


class Go(FromManager, tag="go", frozen=True):
    """Answer with a `move` that has the same n.

    All chance comes from the seed, below 2**32: with the same messages a bot shall say the same again.
    """

    n: int
    """The number of this question, counted from 1 in every game."""
    seed: int
    """Below 2**32, new in every `go`; it says nothing about the deal."""
    n_legal: int
    """How many moves are legal."""
    legal: list[str] | None
    """They, in notation; null where there are too many to list."""
    clock: Clock = Clock()
    """Your time."""


class ManagerError(FromManager, tag="error", frozen=True):
    """What the bot did wrong, for its log; the manager goes on as the rules of the match say."""

    what: str
    """In words."""


class ManagerBye(FromManager, tag="bye", frozen=True):
    """No more games: leave within some seconds."""


class OptionType(Enum):
    """What values an option takes."""

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    TEXT = "text"
    CHOICE = "choice"


class Option(Struct, frozen=True):
    """Something that a tournament may set in `new`; low and high are for numbers, choices for CHOICE."""

    name: Name
    type: OptionType
    default: bool | int | float | Text
    low: float | None = None
    high: float | None = None
    choices: Names = []


class FromBot(Struct, frozen=True, tag_field="t"):
    """Whatever a bot says."""


class Hello(FromBot, tag="hello", frozen=True):
    """Who the bot is; no games means all games, no seats means both."""

    protocol: int
    name: Name
    version: Text = ""
    games: Names = []
    seats: Names = []
    options: Annotated[list[Option], Meta(max_length=100)] = []


class Info(FromBot, tag="info", frozen=True):
    """Thoughts, at any time after `new`; the last before a move is kept. The value is the evader's."""

    value: Value | None = None
    confidence: Annotated[float, Meta(ge=0, le=1)] | None = None
    line: list[Text] = []
    text: Text = ""
    counters: dict[str, float] = {}


class Move(FromBot, tag="move", frozen=True):
    """The answer to the `go` of the same n; the action in notation."""

    n: int
    action: Text


class Resign(FromBot, tag="resign", frozen=True):
    """In place of a move: the game is given up."""


class BotError(FromBot, tag="error", frozen=True):
    """The bot cannot go on; counts as a crash."""

    what: Text


class BotBye(FromBot, tag="bye", frozen=True):
    """The bot leaves; before it was told to, that counts as a crash."""


ManagerMessage = Greeting | New | Observe | Go | ManagerError | ManagerBye
BotMessage = Hello | Info | Move | Resign | BotError | BotBye
