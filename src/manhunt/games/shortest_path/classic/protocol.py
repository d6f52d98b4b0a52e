"""The classic wire protocol of Adversarial Shortest Path: words and their decoding, no I/O.

Paragraph numbers are those of the rule book.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from manhunt.boards.build import build_board
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.reading import parse_json
from manhunt.games.shortest_path.rules.config import ShortestPathConfig, make_config

MOST_BYTES = 64 * 1024
"""Paragraph 12: a longer object is an error."""
MOST_UPDATE_BYTES = 1_000
"""Paragraph 11: an old client reads an update with one receive of 1,024 bytes."""
LONGEST_NAME = 40
_BLANKS = b" \t\r\n"
_OPENING, _CLOSING, _QUOTE, _BACKSLASH = b"{[", b"}]", ord('"'), ord("\\")


class BadClassicMessage(ManhuntError):
    """What came over the wire is no object of this protocol."""


class Role(IntEnum):
    """Paragraph 8: the `type` of a client."""

    PLAYER = 0
    ADVERSARY = 1

    @property
    def seat(self) -> Seat:
        return Seat.EVADER if self is Role.PLAYER else Seat.PURSUERS

    @property
    def word(self) -> str:
        return self.name.lower()

    @property
    def called(self) -> str:
        """The side, for people."""
        return "traveller" if self is Role.PLAYER else "adversary"


class Decoder:
    """Paragraph 7: objects one after the other without framing, in pieces or several at once.

    Every byte is looked at once, however small the pieces are.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._object = bytearray()
        self._depth = 0
        self._in_string = False
        self._escaped = False

    @property
    def pending(self) -> bool:
        """Whether an object has begun and not ended."""
        return bool(self._object)

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        """The objects that become complete, each as soon as it is; BadClassicMessage where the bytes are none."""
        for byte in data:
            if not self._object:
                if byte in _BLANKS:
                    continue
                if byte != _OPENING[0]:
                    raise BadClassicMessage(f"expected an object that begins with {{, found {bytes([byte])!r}")
            self._object.append(byte)
            if len(self._object) > self._most_bytes:
                raise BadClassicMessage(f"an object is longer than {self._most_bytes} bytes")
            self._track(byte)
            if self._depth == 0:
                text = bytes(self._object)
                self._object.clear()
                yield _load(text)

    def _track(self, byte: int) -> None:
        if self._escaped:
            self._escaped = False
        elif self._in_string:
            self._in_string = byte != _QUOTE
            self._escaped = byte == _BACKSLASH
        elif byte == _QUOTE:
            self._in_string = True
        elif byte in _OPENING:
            self._depth += 1
        elif byte in _CLOSING:
            self._depth -= 1


def _load(text: bytes) -> dict[str, Any]:
    try:
        value = parse_json(text.decode("utf-8"), "it")
    except (UnicodeDecodeError, BadText) as error:
        raise BadClassicMessage(f"{shortened(repr(text), 60)} is not a JSON object: {error}") from None
    assert isinstance(value, dict), "it begins with a brace"
    return value


WATCHER = 2
"""The `type` of a client that only looks on; old servers refuse it."""


@dataclass(frozen=True, slots=True)
class ClassicHello:
    """The first message of a client. With `lines` it reads line by line and needs no waits."""

    name: str
    role: Role | None
    """None: it watches."""
    lines: bool = False
    game: int | None = None
    """The number of the game to watch."""


def parse_hello(message: dict[str, Any]) -> ClassicHello:
    """Paragraphs 8 and 11; and those who watch."""
    name, kind, framing = message.get("name"), message.get("type"), message.get("framing")
    if not isinstance(name, str):
        raise BadClassicMessage(f"the first message needs a text 'name', found {shortened(repr(name), 40)}")
    if isinstance(kind, bool) or not isinstance(kind, int) or kind not in (*Role, WATCHER):
        known = "0 (player), 1 (adversary) or 2 (watcher)"
        raise BadClassicMessage(f"'type' must be {known}, not {shortened(repr(kind), 40)}")
    if framing not in (None, "lines"):
        raise BadClassicMessage(f"'framing' must be \"lines\" or left out, not {shortened(repr(framing), 40)}")
    name = shortened(name, LONGEST_NAME) or "-"
    if kind == WATCHER:
        return ClassicHello(name, None, True, _game_number(message.get("game")))
    return ClassicHello(name, Role(kind), framing == "lines")


def _game_number(value: object) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise BadClassicMessage(f"'game' must be the number of a game or left out, not {shortened(repr(value), 40)}")
    return value


_MOVE_KEYS = {Role.PLAYER: ("start_node", "end_node"), Role.ADVERSARY: ("node_1", "node_2")}


def parse_move(role: Role, message: dict[str, Any]) -> tuple[str, str]:
    """Paragraph 10: the two node names of a move; whether there is such an edge is not asked here."""
    ends = []
    for key in _MOVE_KEYS[role]:
        value = message.get(key)
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise BadClassicMessage(
                f"a {role.word}'s move needs a node's name as {key!r}, found {shortened(repr(value), 40)}"
            )
        ends.append(str(value))
    return ends[0], ends[1]


def layout(config: ShortestPathConfig) -> dict[str, Any]:
    """Paragraph 9."""
    board = config.board
    graph = {board.label(node): [board.label(to) for to in board.neighbours(node)] for node in board.nodes()}
    return {"start_node": board.label(config.source), "end_node": board.label(config.target), "graph": graph}


def opening(
    config: ShortestPathConfig, number: int, names: Mapping[Role, str], bounds: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What a watcher is told first: the layout, and what both sides knew before."""
    words = {"game": number, **{role.word: name for role, name in names.items()}, "rule": config.rule.value}
    return {**words, "time": config.thinking_seconds, **_certain(bounds), **layout(config)}


def parse_opening(message: Mapping[str, Any]) -> ShortestPathConfig:
    """The game that a watcher is told of; a layout without a rule is one of the first rule."""
    graph = message.get("graph")
    ends = [message.get(key) for key in ("start_node", "end_node")]
    if not (isinstance(graph, dict) and all(isinstance(end, str) for end in ends)):
        raise BadClassicMessage(
            f"expected a layout with start_node, end_node and graph, found {shortened(str(message), 60)}"
        )
    pairs = {(a, b) if a < b else (b, a) for a, near in graph.items() for b in near}
    board = build_board("served", [(a, b, None) for a, b in sorted(pairs)], graph)
    rule, seconds = message.get("rule", "sqrt"), message.get("time")
    time = {} if seconds is None else {"thinking_seconds": seconds}
    return make_config(None, board, source=ends[0], target=ends[1], rule=rule, **time)


def closing(number: int, outcome: str, bounds: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a watcher is told last."""
    return {"game": number, "outcome": outcome, **_certain(bounds)}


def _certain(bounds: Mapping[str, Any] | None) -> dict[str, Any]:
    return {} if bounds is None else {"bounds": bounds}


_COST_KEY = {Role.PLAYER: "add_cost", Role.ADVERSARY: "new_cost"}


def update(
    role: Role, edge: tuple[str, str], position: str, cost: float, *, done: bool = False, error: bool = False
) -> dict[str, Any]:
    """Paragraph 10: what both are told of a move; the cost of an empty one is 0."""
    ends = [shortened(end, LONGEST_NAME) for end in edge]
    return {"done": done, "edge": ends, "error": error, "position": position, _COST_KEY[role]: cost}


def failure(role: Role, position: str, **why: str) -> dict[str, Any]:
    """Paragraphs 10 and 12: this side ended the game by an error, a `reason`; or nobody did, and there is a `message`.

    Both keys are ours; bots that do not know them lose nothing.
    """
    return {"done": True, "edge": 0, "error": True, "position": position, _COST_KEY[role]: 0, **why}


def refusal(reason: str) -> dict[str, Any]:
    """Paragraph 8: the answer to somebody who gets no seat."""
    return {"done": True, "error": True, "message": reason}


def encode(message: dict[str, Any]) -> bytes:
    """Paragraph 7: one object, and a newline that readers of objects skip."""
    return json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


def shortened(text: str, most: int) -> str:
    """The text with signs that can be printed, cut where it is long."""
    clean = "".join(sign if sign.isprintable() else "?" for sign in text[: most + 1])
    return clean if len(clean) <= most else f"{clean[: most - 3]}..."
