"""The switches of the Pursuit family; a preset is a config that names its source."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.boards.reference import board_from_json, board_to_json
from manhunt.core.errors import BadConfig, unknown
from manhunt.core.game import Size, expect_keys
from manhunt.core.ids import Side
from manhunt.core.short_repr import config_repr


class PursuitOrder(Enum):
    """How the detectives take their turns within a round."""

    IN_ORDER = "in-order"
    ANY = "any"
    AT_ONCE = "at-once"


class PlacementRule(Enum):
    """Where the pieces come from when no places are given."""

    DEALT = "dealt"
    """Chance puts them on different nodes."""
    CHOSEN = "chosen"
    """The detectives choose first, then the quarry."""


class Visibility(Enum):
    """When the detectives see the quarry."""

    ALWAYS = "always"
    ROUNDS = "rounds"
    SIGHT = "sight"


@dataclass(frozen=True, slots=True)
class PursuitConfig:
    """One game of the family; the defaults are the preset `seed`. Paragraph numbers are those of the rule book."""

    board: Board
    """The graph."""
    n_detectives: int = 2
    """How many detectives there are."""
    max_rounds: int | None = 15
    """Mr X wins if he is free after this round; None means no limit."""
    preset: str = "seed"
    """The preset that the options began with."""
    first: Side = Side.EVADER
    """Who moves first in a round."""
    quarry_may_stay: bool = False
    """Whether Mr X may stay where he is."""
    detectives_may_stay: bool = False
    """Whether a detective may stay where they are."""
    may_share: bool = False
    """Whether several detectives may be on one node."""
    order: PursuitOrder = PursuitOrder.IN_ORDER
    """How the detectives take their turns: one after the other, in any order, or all at once."""
    may_step_onto: bool = False
    """Whether Mr X may step onto a detective, who then catches him."""
    reach_hops: int = 0
    """A detective catches Mr X on the same node (0), or also on a neighbouring one (1)."""
    placement: PlacementRule = PlacementRule.DEALT
    """Where the pieces start: dealt at random, or chosen by the players."""
    visibility: Visibility = Visibility.ALWAYS
    """When the detectives see Mr X: always, in `reveal_rounds`, or within `sight_hops`."""
    reveal_rounds: tuple[int, ...] = ()
    """With visibility `rounds`: the rounds in which the detectives see him, counted from 1."""
    sight_hops: int = 1
    """With visibility `sight`: how far a detective sees, in edges."""

    def __repr__(self) -> str:
        return config_repr(self)

    def __post_init__(self) -> None:
        if self.n_detectives < 1:
            raise BadConfig(f"{self.n_detectives} detectives; at least 1 is needed")
        if self.max_rounds is not None and self.max_rounds < 1:
            raise BadConfig(f"max_rounds is {self.max_rounds}; it must be 1 or more")
        if self.reach_hops not in (0, 1):
            raise BadConfig(f"reach_hops is {self.reach_hops}; it must be 0 (same node) or 1 (also a neighbour)")
        if self.sight_hops < 0:
            raise BadConfig(f"sight_hops is {self.sight_hops}; it must be 0 or more")
        if self.visibility is Visibility.ROUNDS and not all(r >= 1 for r in self.reveal_rounds):
            raise BadConfig(f"reveal_rounds {self.reveal_rounds}: rounds are counted from 1")
        if not self.may_share and self.n_detectives > self.board.n_nodes - 1:
            room = f"board {self.board.name} has room for {self.board.n_nodes - 1}"
            raise BadConfig(f"{self.n_detectives} detectives do not fit beside the quarry; {room}")

    @property
    def interchangeable(self) -> bool:
        """Whether it makes no difference which of two or more detectives stands on which of their nodes.

        This holds if they may share nodes. If they move at once without sharing, only their destinations must differ.
        If they move in any order without sharing, it holds if they may stay: a detective who waits for another to leave
        moves later, and detectives who wait for each other in a circle all stay instead.
        """
        free = self.may_share or self.order is PursuitOrder.AT_ONCE
        return self.n_detectives > 1 and (free or (self.order is PursuitOrder.ANY and self.detectives_may_stay))


_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "seed": {},
    "cops-and-robbers": {
        "max_rounds": None,
        "first": Side.PURSUERS,
        "quarry_may_stay": True,
        "detectives_may_stay": True,
        "may_share": True,
        "order": PursuitOrder.AT_ONCE,
        "placement": PlacementRule.CHOSEN,
    },
}
SOURCES: Mapping[str, str] = {
    "seed": "rule book of Pursuit, paragraphs 1 to 8 (simplified Scotland Yard)",
    "cops-and-robbers": "the textbook game of Nowakowski and Winkler, and of Quilliot",
}
PRESETS = tuple(_PRESETS)
DEFAULT_BOARD = "top-right-20"
_ENUMS: Mapping[str, type[Enum]] = {
    "first": Side,
    "order": PursuitOrder,
    "placement": PlacementRule,
    "visibility": Visibility,
}
_KINDS: Mapping[str, type] = {f.name: type(f.default) for f in fields(PursuitConfig) if type(f.default) in (bool, int)}
_SWITCHES = frozenset(f.name for f in fields(PursuitConfig)) - {"board", "preset"}


def make_config(preset: str | None = None, board: Board | str = DEFAULT_BOARD, **options: Any) -> PursuitConfig:
    """A preset on a board, with what differs from it."""
    name = preset or "seed"
    if name not in _PRESETS:
        raise BadConfig(unknown("preset", name, _PRESETS))
    for option in options:
        if option not in _SWITCHES:
            raise BadConfig(unknown("option of pursuit", option, sorted(_SWITCHES)))
    place = board if isinstance(board, Board) else load_board(board)
    values = {**_PRESETS[name], **{key: _typed(key, value) for key, value in options.items()}}
    return PursuitConfig(board=place, preset=name, **values)


def _typed(key: str, value: Any) -> Any:
    enum = _ENUMS.get(key)
    if enum is not None and not isinstance(value, enum):
        try:
            return enum(value)
        except ValueError:
            raise BadConfig(unknown(key, str(value), [str(e.value) for e in enum])) from None
    kind = _KINDS.get(key)
    if kind is bool and not isinstance(value, bool):
        raise BadConfig(f"{key} must be true or false, not {value!r}")
    if (
        kind is int
        and (isinstance(value, bool) or not isinstance(value, int))
        and not (value is None and key == "max_rounds")
    ):
        raise BadConfig(f"{key} must be a whole number, not {value!r}")
    if key == "reveal_rounds":
        if not isinstance(value, list | tuple) or not all(type(r) is int for r in value):
            raise BadConfig(f"reveal_rounds must be a list of whole numbers, not {value!r}")
        return tuple(value)
    return value


def config_to_json(config: PursuitConfig) -> dict[str, Any]:
    """Board, preset, and the switches that differ from the preset."""
    usual = {f.name: f.default for f in fields(PursuitConfig)} | dict(_PRESETS[config.preset])
    out: dict[str, Any] = {"board": board_to_json(config.board), "preset": config.preset}
    for name in sorted(_SWITCHES):
        value = getattr(config, name)
        if value != usual[name] or name in ("n_detectives", "max_rounds"):
            out[name] = _plain(value)
    return out


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def config_from_json(data: Mapping[str, Any]) -> PursuitConfig:
    expect_keys(data, _SWITCHES | {"board", "preset"}, "config of pursuit")
    if "board" not in data:
        raise BadConfig("config of pursuit: 'board' is missing")
    options = {key: value for key, value in data.items() if key not in ("board", "preset")}
    return make_config(data.get("preset"), board_from_json(data["board"]), **options)


def size_of(config: PursuitConfig) -> Size:
    """All detectives who move at once have the product of their choices."""
    board, n = config.board, config.n_detectives
    n_steps = 1 + max((len(board.steps(node)) for node in board.nodes()), default=0)
    choices = n_steps**n if config.order is PursuitOrder.AT_ONCE else n_steps * n
    at_once, chosen = config.order is PursuitOrder.AT_ONCE, config.placement is PlacementRule.CHOSEN
    plies = (1 + n) * chosen + (config.max_rounds or 0) * (2 if at_once else 1 + n)
    endless = config.max_rounds is None
    return Size(n, config.max_rounds or 0, choices, endless=endless, plies=0 if endless else plies)
