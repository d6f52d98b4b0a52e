"""One table of Scotland Yard: board, rounds, tickets, start places, order; a preset names its source."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, SupportsIndex

import numpy as np

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.boards.reference import board_from_json, board_to_json
from manhunt.core.errors import BadConfig, ManhuntError, one_of, unknown
from manhunt.core.game import Size, expect_keys
from manhunt.core.short_repr import config_repr
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, TICKET_FOR, Tickets


class ScotlandYardOrder(Enum):
    """Paragraph 10: which detective moves next."""

    ANY = "any"
    SEATED = "seated"


def _is_whole(value: object) -> bool:
    """An int or one of NumPy's, but no bool."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _whole(key: str, value: object) -> int:
    if not _is_whole(value):
        raise BadConfig(f"{key} must be a whole number, not {value!r}")
    assert isinstance(value, SupportsIndex)
    return int(value)


def _each(key: str, value: object, what: str) -> tuple[Any, ...]:
    """The members of any list; a text or a mapping is none."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise BadConfig(f"{key} must be a list of {what}, not {value!r}")
    return tuple(value)


def rounds_of(n_rounds: int, shown: Iterable[int]) -> tuple[bool, ...]:
    """The travel log's slots, True where Mr X shows himself; `shown` counts from 1."""
    marked = {_whole("shown", r) for r in _each("shown", shown, "round numbers such as [3, 8, 13]")}
    if _whole("rounds", n_rounds) < 1:
        raise BadConfig(f"{n_rounds} rounds; a game needs at least one")
    if strange := sorted(r for r in marked if not 1 <= r <= n_rounds):
        raise BadConfig(f"round {strange[0]} cannot be shown; rounds are counted from 1 to {n_rounds}")
    return tuple(r in marked for r in range(1, n_rounds + 1))


STANDARD_ROUNDS = rounds_of(24, (3, 8, 13, 18, 24))
MRX_TICKETS = Tickets(taxi=4, bus=3, underground=3, secret=5, double=2)
DETECTIVE_TICKETS = Tickets(taxi=11, bus=8, underground=4)


@dataclass(frozen=True, slots=True)
class ScotlandYardConfig:
    """The options of a game. An empty list of start places means any node."""

    board: Board
    """The map."""
    rounds: tuple[bool, ...] = STANDARD_ROUNDS
    """The slots of the travel log: True where Mr X shows himself. `rounds[0]` is round 1."""
    n_detectives: int = 5
    """How many detectives there are, from 1 to 5."""
    mrx_tickets: Tickets = MRX_TICKETS
    """What Mr X has at the start."""
    detective_tickets: Tickets = DETECTIVE_TICKETS
    """What each detective has at the start."""
    mrx_starts: tuple[str, ...] = ()
    """Labels of the nodes from which Mr X's start is drawn; empty means any node."""
    detective_starts: tuple[str, ...] = ()
    """Labels of the nodes from which the detectives' starts are drawn; empty means any node."""
    order: ScotlandYardOrder = ScotlandYardOrder.ANY
    """Which detective moves next: any who has not moved in this turn, or the first of them who can move."""
    preset: str = "custom"
    """The preset that the options began with."""

    def __repr__(self) -> str:
        return config_repr(self)

    def __post_init__(self) -> None:
        check_board(self.board)
        object.__setattr__(self, "rounds", parse_rounds(self.rounds))
        object.__setattr__(self, "n_detectives", _whole("n_detectives", self.n_detectives))
        if not 1 <= self.n_detectives <= len(DETECTIVES):
            what = "no detectives" if self.n_detectives == 0 else f"{self.n_detectives} detectives"
            raise BadConfig(f"{what}; from 1 to {len(DETECTIVES)} can play")
        object.__setattr__(self, "mrx_tickets", parse_tickets("Mr X", self.mrx_tickets, is_detective=False))
        held = parse_tickets("a detective", self.detective_tickets, is_detective=True)
        object.__setattr__(self, "detective_tickets", held)
        _check_starts(self)

    @property
    def n_rounds(self) -> int:
        """How many rounds the game has."""
        return len(self.rounds)

    @property
    def shown_rounds(self) -> tuple[int, ...]:
        """The rounds in which Mr X shows himself, counted from 1."""
        return tuple(i for i, shown in enumerate(self.rounds, 1) if shown)

    @property
    def source(self) -> str:
        """Where the numbers come from."""
        return SOURCES[self.preset]


def check_board(board: Board | None) -> None:
    if board is None:
        raise BadConfig("no board; give one with transports, such as load_board('london')")
    if not isinstance(board, Board):
        raise BadConfig(f"{board!r} is not a board; give one with transports, such as load_board('london')")
    if board.n_nodes == 0:
        raise BadConfig(f"board {board.name} is empty; it needs at least one node")
    if strange := [t for t in board.transports if t not in TICKET_FOR]:
        kinds = ", ".join(t.name.lower() for t in TICKET_FOR)
        raise BadConfig(f"board {board.name} has {strange[0].name.lower()} edges; Scotland Yard needs {kinds}")
    if odd := [label for label in board.labels if label.startswith(":")]:
        raise BadConfig(f"board {board.name}: label {odd[0]!r} begins with a colon, which moves cannot be written with")


def parse_rounds(rounds: object) -> tuple[bool, ...]:
    """The travel log's slots from any list of bools; bools of NumPy will do."""
    if isinstance(rounds, bool) or _is_whole(rounds):
        what = "one True (shown) or False (hidden) for each round, as from rounds_of(24, (3, 8, 13, 18, 24))"
        raise BadConfig(f"rounds is {rounds!r}; give {what}")
    slots = () if rounds is None else _each("rounds", rounds, "True (shown) and False (hidden)")
    if not slots:
        raise BadConfig("no rounds; the travel log needs at least one")
    if not all(isinstance(shown, bool | np.bool_) for shown in slots):
        raise BadConfig("rounds must be a list of True (shown) and False (hidden)")
    return tuple(bool(shown) for shown in slots)


def parse_tickets(who: str, value: object, *, is_detective: bool) -> Tickets:
    """Paragraph 5: tickets from themselves or a mapping by name or Ticket, where what is not named is 0.

    Bare numbers are taken for a detective alone, as (taxi, bus, underground); Mr X's five are written in different
    orders by different tables.
    """
    if isinstance(value, Mapping):
        counts = {str(key): count for key, count in value.items()}
        if strange := [name for name in counts if name not in Tickets._fields]:
            raise BadConfig(f"{who}: {unknown('ticket', strange[0], Tickets._fields)}")
        held = Tickets(**counts)
    elif isinstance(value, Tickets):
        held = value
    elif is_detective and isinstance(value, list | tuple | np.ndarray) and len(value) == 3:
        held = Tickets(*value)
    else:
        example = "{'taxi': 11, 'bus': 8}" if is_detective else "{'taxi': 4, 'secret': 5, 'double': 2}"
        raise BadConfig(f"{who}: tickets need names, as {example} or Tickets(taxi=4), not {value!r}")
    named = zip(Tickets._fields, held, strict=True)
    return Tickets(*(_count(who, name, count, is_detective=is_detective) for name, count in named))


def _count(who: str, name: str, count: object, *, is_detective: bool) -> int:
    if not _is_whole(count):
        raise BadConfig(f"{who} has {count!r} {name} tickets; a count is a whole number")
    number = _whole(name, count)
    if number < 0:
        raise BadConfig(f"{who} has {number} {name} tickets; a count is 0 or more")
    if is_detective and number and name in ("secret", "double"):
        raise BadConfig(f"{who} has {number} {name} tickets; detectives have only taxi, bus and underground")
    return number


def _check_starts(config: ScotlandYardConfig) -> None:
    for name, starts in (("mrx_starts", config.mrx_starts), ("detective_starts", config.detective_starts)):
        for label in starts:
            if label not in config.board.labels:
                raise BadConfig(f"{name}: no node {label!r} on board {config.board.name}")
        if len(set(starts)) < len(starts):
            raise BadConfig(f"{name} names a node twice: {one_of(starts, 20)}")
    shared = set(config.mrx_starts or config.board.labels) & set(config.detective_starts)
    needed = config.n_detectives + bool(shared)
    if config.detective_starts and len(config.detective_starts) < needed:
        raise BadConfig(f"detective_starts has {len(config.detective_starts)} places; the draw needs {needed}")


_MRX_STANDARD = "35 45 51 71 78 104 106 127 132 166 170 172"
_DETECTIVES_STANDARD = "26 29 50 53 91 94 103 112 117 123 138 141 155 174"
_ONE_DRAW = "13 26 29 34 50 53 91 94 103 112 117 132 138 141 155 174 197 198"
_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "standard": {
        "mrx_tickets": MRX_TICKETS,
        "detective_tickets": DETECTIVE_TICKETS,
        "mrx_starts": tuple(_MRX_STANDARD.split()),
        "detective_starts": tuple(_DETECTIVES_STANDARD.split()),
        "order": ScotlandYardOrder.ANY,
    },
    "ravensburger": {
        "detective_tickets": Tickets(taxi=10, bus=8, underground=4),
        "mrx_starts": tuple(_ONE_DRAW.split()),
        "detective_starts": tuple(_ONE_DRAW.split()),
        "order": ScotlandYardOrder.SEATED,
    },
}
PRESETS = tuple(_PRESETS)
SOURCES: Mapping[str, str] = {
    "standard": "rule book of Scotland Yard, paragraph 4: the numbers of the coursework model",
    "ravensburger": "rule book of Scotland Yard, paragraph 4: the printed game of Ravensburger",
    "custom": "set up freely",
}
DEFAULT_BOARD = "london"
_OPTIONS = frozenset(
    {"n_detectives", "rounds", "shown", "mrx_tickets", "detective_tickets", "mrx_starts", "detective_starts", "order"}
)


def make_config(preset: str | None = None, board: Board | str = DEFAULT_BOARD, **options: Any) -> ScotlandYardConfig:
    """A preset on a board, with what differs from it.

    `rounds` is a number (with `shown`, the rounds counted from 1) or a list of bools; tickets are `Tickets` or a
    mapping by name, for detectives also three numbers (taxi, bus, underground). The presets' start places belong to
    London; on another board the pieces start anywhere.
    """
    name = preset or "standard"
    if name not in SOURCES:
        raise BadConfig(unknown("preset", str(name), _PRESETS))
    for option in options:
        if option not in _OPTIONS:
            raise BadConfig(unknown("option of scotland_yard", option, sorted(_OPTIONS)))
    place = load_board(board) if isinstance(board, str) else board
    values = dict(_PRESETS.get(name, {}))
    if place is not None and place != load_board(DEFAULT_BOARD):
        values = {key: value for key, value in values.items() if not key.endswith("_starts")}
    n_detectives = _whole("n_detectives", options.get("n_detectives", 5))
    if name == "ravensburger":
        values["mrx_tickets"] = MRX_TICKETS._replace(secret=n_detectives)
    values.update({key: _typed(key, value) for key, value in options.items() if key not in ("rounds", "shown")})
    rounds = _rounds(options.get("rounds"), options.get("shown"))
    return ScotlandYardConfig(board=place, preset=name, **{**values, "rounds": rounds, "n_detectives": n_detectives})


def _rounds(rounds: object, shown: Iterable[int] | None) -> tuple[bool, ...]:
    if rounds is None and shown is None:
        return STANDARD_ROUNDS
    if rounds is None or _is_whole(rounds):
        n_rounds = len(STANDARD_ROUNDS) if rounds is None else _whole("rounds", rounds)
        return rounds_of(n_rounds, [r for r in (3, 8, 13, 18, 24) if r <= n_rounds] if shown is None else shown)
    if shown is not None or isinstance(rounds, bool | str | Mapping) or not isinstance(rounds, Iterable):
        raise BadConfig("rounds is a number (with shown, the rounds Mr X shows himself in) or a list of True and False")
    return parse_rounds(rounds)


def _typed(key: str, value: Any) -> Any:
    if key == "order" and not isinstance(value, ScotlandYardOrder):
        return parse_order(value)
    if key.endswith("_starts"):
        return tuple(str(label) for label in _each(key, value, 'labels such as ["104", "117"]'))
    return value


def parse_order(value: object) -> ScotlandYardOrder:
    try:
        return ScotlandYardOrder(value)
    except ValueError:
        raise BadConfig(unknown("order", str(value), [order.value for order in ScotlandYardOrder])) from None


def config_to_json(config: ScotlandYardConfig) -> dict[str, Any]:
    return {
        "board": board_to_json(config.board),
        "preset": config.preset,
        "n_detectives": config.n_detectives,
        "order": config.order.value,
        "rounds": config.n_rounds,
        "shown": list(config.shown_rounds),
        "mrx_tickets": config.mrx_tickets._asdict(),
        "detective_tickets": config.detective_tickets._asdict(),
        "mrx_starts": list(config.mrx_starts),
        "detective_starts": list(config.detective_starts),
    }


def config_from_json(data: Mapping[str, Any]) -> ScotlandYardConfig:
    expect_keys(data, _OPTIONS | {"board", "preset"}, "config of scotland_yard")
    if "board" not in data:
        raise BadConfig("config of scotland_yard: 'board' is missing")
    options = {key: value for key, value in data.items() if key not in ("board", "preset")}
    try:
        return make_config(data.get("preset"), board_from_json(data["board"]), **options)
    except ManhuntError:
        raise
    except (TypeError, ValueError) as error:
        raise BadConfig(f"config of scotland_yard: {error}") from None


def size_of(config: ScotlandYardConfig) -> Size:
    """A double move has two steps, each by its own or a secret ticket."""
    board = config.board
    n_steps = 1 + max((len(board.steps(node)) for node in board.nodes()), default=0)
    plies = len(config.rounds) * (1 + config.n_detectives)
    return Size(config.n_detectives, len(config.rounds), (2 * n_steps) ** 2, plies=plies)
