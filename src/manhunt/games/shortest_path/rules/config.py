"""A game of Adversarial Shortest Path: the graph, its two ends, the cost rule and the thinking time."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.boards.catalog import load_board
from manhunt.boards.contest import contest_ends
from manhunt.boards.reference import board_from_json, board_to_json
from manhunt.core.errors import BadConfig, unknown
from manhunt.core.game import Size, expect_keys
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules.costs import hops_to
from manhunt.games.shortest_path.rules.labels import check_labels

MOST_NODES = 1_000
MOST_EDGES = 10_000
THINKING_SECONDS = 120.0


class Rule(Enum):
    """Paragraphs 2 and 6: by how much a raise multiplies the cost of an edge."""

    SQRT = "sqrt"
    """1 + the larger square root of its ends' hops to the target."""
    DOUBLE = "double"
    """2, whatever the edge."""


@dataclass(frozen=True, slots=True)
class ShortestPathConfig:
    """The options of a game: paragraphs 1, 5 and 6. The thinking time is for the referee; the rules ignore it."""

    board: Board
    """The graph."""
    source: Node
    """Where the traveller starts."""
    target: Node
    """Where the traveller wants to go."""
    rule: Rule = Rule.SQRT
    """By how much a raise multiplies the cost of an edge."""
    thinking_seconds: float = THINKING_SECONDS
    """Seconds that each player may think in the whole game; the rules themselves ignore it."""

    def __post_init__(self) -> None:
        board = self.board
        if board.n_nodes > MOST_NODES or len(board.edges) > MOST_EDGES:
            size = f"{board.n_nodes} nodes and {len(board.edges)} edges"
            raise BadConfig(f"board {board.name} is too large: {size} (max {MOST_NODES} nodes and {MOST_EDGES} edges)")
        if self.source == self.target:
            raise BadConfig(f"source and target are both {board.label(self.source)}; they must be two nodes")
        for word, node in (("source", self.source), ("target", self.target)):
            if not board.neighbours(node):
                raise BadConfig(f"the {word} {board.label(node)} has no edges; give a node that has some")
        if hops_to(board, self.target)[self.source] is None:
            ends = f"{board.label(self.source)} to {board.label(self.target)}"
            raise BadConfig(f"no path from {ends} on board {board.name}; source and target must be connected")
        if len({(edge.a, edge.b) for edge in board.edges}) < len(board.edges):
            raise BadConfig(f"board {board.name} joins two nodes twice; use a board with plain edges")
        if not (self.thinking_seconds > 0 and math.isfinite(self.thinking_seconds)):
            raise BadConfig(f"thinking_seconds is {self.thinking_seconds}; it must be a number above 0")
        check_labels(board)

    @property
    def move_limit(self) -> int:
        """Paragraph 5: the moves of each side, empty ones included."""
        return 2 * self.board.n_nodes


PRESETS = ("sqrt", "double")
SOURCES: Mapping[str, str] = {
    "sqrt": "rule book of Adversarial Shortest Path, paragraph 2 (course contest of 2017)",
    "double": "rule book of Adversarial Shortest Path, paragraph 6 (course contest of 2016)",
}
DEFAULT_BOARD = "contest:24:44:separation=5:cut=3:seed=1"
_KEYS = frozenset({"board", "source", "target", "rule", "thinking_seconds"})


def make_config(preset: str | None = None, board: Board | str = DEFAULT_BOARD, **options: Any) -> ShortestPathConfig:
    """A preset (the cost rule) on a board; contest graphs know their source and target, others must be told."""
    if preset is not None and preset not in PRESETS:
        raise BadConfig(unknown("preset", preset, PRESETS))
    for option in options:
        if option not in _KEYS:
            raise BadConfig(unknown("option of shortest_path", option, sorted(_KEYS)))
    place = simple_board(board if isinstance(board, Board) else load_board(board))
    usual = contest_ends(place) or (None, None)
    ends = []
    for word, label in zip(("source", "target"), usual, strict=True):
        given = options.get(word, label)
        if given is None:
            raise BadConfig(f"no {word}; give the label of a node of board {place.name}")
        ends.append(place.node(given))
    rule = parse_rule(options.get("rule", preset or Rule.SQRT))
    if preset is not None and rule.value != preset:
        raise BadConfig(f"rule {rule.value} contradicts the preset {preset}; give one of them")
    return ShortestPathConfig(
        place, ends[0], ends[1], rule, _seconds(options.get("thinking_seconds", THINKING_SECONDS))
    )


def parse_rule(rule: Rule | str) -> Rule:
    if isinstance(rule, Rule):
        return rule
    try:
        return Rule(rule)
    except ValueError:
        raise BadConfig(unknown("cost rule", str(rule), [r.value for r in Rule])) from None


def simple_board(board: Board) -> Board:
    """The same board, with parallel transports made one plain edge."""
    pairs = {(edge.a, edge.b) for edge in board.edges}
    if len(pairs) == len(board.edges):
        return board
    edges = [(board.label(a), board.label(b), None) for a, b in sorted(pairs)]
    places = None if board.positions is None else dict(zip(board.labels, board.positions, strict=True))
    return build_board(f"{board.name}-plain", edges, board.labels, places)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadConfig(f"thinking_seconds must be a number, not {value!r}")
    return float(value)


def config_to_json(config: ShortestPathConfig) -> dict[str, Any]:
    label = config.board.label
    return {
        "board": board_to_json(config.board),
        "source": label(config.source),
        "target": label(config.target),
        "rule": config.rule.value,
        "thinking_seconds": config.thinking_seconds,
    }


def config_from_json(data: Mapping[str, Any]) -> ShortestPathConfig:
    expect_keys(data, _KEYS, "config of shortest_path")
    if "board" not in data:
        raise BadConfig("config of shortest_path: 'board' is missing")
    options = {key: value for key, value in data.items() if key != "board"}
    return make_config(None, board_from_json(data["board"]), **options)


def size_of(config: ShortestPathConfig) -> Size:
    return Size(plies=2 * config.move_limit)
