"""The options of a game of Night Chase, and its presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manhunt import Board, load_board
from manhunt.boards import board_from_json, board_to_json
from manhunt.core import BadConfig, Size, expect_keys, unknown

SIGHT = {"standard": 1, "blind": 0, "moonlight": 2}
PRESETS = tuple(SIGHT)
SOURCES = dict.fromkeys(PRESETS, "README of Night Chase, paragraphs 1 to 7")
NUMBERS = {"hunters": 1, "rounds": 1, "sight": 0}  # the options, and the smallest value of each
MINIATURES = {
    "tiny": {"board": "path:5", "hunters": 1, "rounds": 2},
    "small": {"board": "grid:3x3", "hunters": 1, "rounds": 3},
}


@dataclass(frozen=True, slots=True)
class Config:
    board: Board
    hunters: int = 2
    rounds: int = 20
    sight: int = 1
    preset: str = "standard"

    def __post_init__(self) -> None:
        for name, least in NUMBERS.items():
            value = getattr(self, name)
            if type(value) is not int or value < least:
                raise BadConfig(f"{name} must be a whole number of {least} or more, not {value!r}")
        if self.hunters >= self.board.n_nodes:
            raise BadConfig(f"{self.hunters} hunters are too many for {self.board.name}: {self.board.n_nodes} nodes")


def make_config(preset: str | None = None, board: Board | str = "grid:6x6", **options: Any) -> Config:
    name = preset or "standard"
    if name not in SIGHT:
        raise BadConfig(unknown("preset", name, SIGHT))
    for option in options:
        if option not in NUMBERS:
            raise BadConfig(unknown("option of night_chase", option, NUMBERS))
    place = board if isinstance(board, Board) else load_board(board)
    return Config(place, preset=name, **{"sight": SIGHT[name], **options})


def config_to_json(config: Config) -> dict[str, Any]:
    numbers = {name: getattr(config, name) for name in NUMBERS}
    return {"board": board_to_json(config.board), "preset": config.preset, **numbers}


def config_from_json(data: Mapping[str, Any]) -> Config:
    expect_keys(data, frozenset({"board", "preset", *NUMBERS}), "config of night_chase")
    if "board" not in data:
        raise BadConfig("config of night_chase: 'board' is missing")
    return make_config(**{**data, "board": board_from_json(data["board"])})


def size_of(config: Config) -> Size:
    steps = max((len(config.board.neighbours(node)) for node in config.board.nodes()), default=0)
    return Size(config.hunters, config.rounds, steps + 1, plies=config.rounds * (1 + config.hunters))
