"""Boards from labels and edges, checked, in their one canonical order."""

import math
import re
from collections.abc import Iterable, Mapping

from manhunt.boards.board import Board, Edge
from manhunt.core.errors import BadBoard, one_of
from manhunt.core.ids import Node, Transport

Label = str | int
LONGEST_LABEL = 40
_TRANSPORT_OF = {transport.name.lower(): transport for transport in Transport}


def build_board(
    name: str,
    edges: Iterable[tuple[Label, Label, Transport | str | None]],
    nodes: Iterable[Label] = (),
    positions: Mapping[str, tuple[float, float]] | Mapping[int, tuple[float, float]] | None = None,
) -> Board:
    """A board of these edges; `nodes` may add nodes without edges. Transport None is PLAIN."""
    draft = Draft(name)
    for label in nodes:
        draft.add_node(label)
    for a, b, transport in edges:
        draft.add_edge(a, b, transport)
    for label, (x, y) in (positions or {}).items():
        draft.place(label, x, y)
    return draft.finish()


def part_of(board: Board, labels: Iterable[Label], name: str) -> Board:
    """These nodes of a board, where they are, with the edges between them."""
    kept = {board.node(label) for label in labels}
    label = board.label
    edges = [(label(e.a), label(e.b), e.transport) for e in board.edges if e.a in kept and e.b in kept]
    places = None if board.positions is None else {label(node): board.positions[node] for node in kept}
    return build_board(name, edges, map(label, kept), places)


class Draft:
    """A board under construction; every method refuses bad input with BadBoard."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._labels: dict[str, None] = {}
        self._edges: dict[tuple[str, str, Transport], None] = {}
        self._positions: dict[str, tuple[float, float]] = {}

    def has_node(self, label: Label) -> bool:
        return str(label) in self._labels

    def add_node(self, label: Label) -> None:
        self._labels[check_label(label)] = None

    def add_edge(self, a: Label, b: Label, transport: Transport | str | None = None) -> None:
        kind = parse_transport(transport)
        one, other = sorted((check_label(a), check_label(b)))
        if one == other:
            raise BadBoard(f"edge {a}-{b} joins a node to itself; an edge needs two different nodes")
        if (one, other, kind) in self._edges:
            raise BadBoard(f"edge {a}-{b} ({kind.name.lower()}) appears twice; give every edge once")
        self._labels[one] = self._labels[other] = None
        self._edges[one, other, kind] = None

    def place(self, label: Label, x: float, y: float) -> None:
        text = str(label)
        if text not in self._labels:
            known = one_of(sorted(self._labels, key=natural_key))
            raise BadBoard(f"position for {text!r}, which is not a node of {self.name}; nodes: {known}")
        if not (math.isfinite(x) and math.isfinite(y)):
            raise BadBoard(f"position of node {text} is ({x}, {y}); both must be finite numbers")
        self._positions[text] = (float(x), float(y))

    def finish(self) -> Board:
        if not self._labels:
            raise BadBoard(f"board {self.name} is empty; it needs at least one node")
        labels = tuple(sorted(self._labels, key=natural_key))
        if self._positions and len(self._positions) < len(labels):
            missing = one_of(label for label in labels if label not in self._positions)
            raise BadBoard(f"board {self.name} has positions, but none for {missing}; place all nodes or none")
        node_of = {label: Node(i) for i, label in enumerate(labels)}
        edges = []
        for one, other, kind in self._edges:
            a, b = sorted((node_of[one], node_of[other]))
            edges.append(Edge(a, b, kind))
        places = tuple(self._positions[label] for label in labels) if self._positions else None
        return Board(self.name, labels, tuple(sorted(edges)), places)


def check_label(label: Label) -> str:
    """The label as text, if it can stand in files and in notation."""
    text = str(label)
    if not text:
        raise BadBoard("a node has an empty label; a label needs at least one character")
    if len(text) > LONGEST_LABEL:
        raise BadBoard(f"label {text[:12]}... has {len(text)} characters (max {LONGEST_LABEL})")
    if "," in text or not text.isprintable() or any(sign.isspace() for sign in text):
        raise BadBoard(f"label {text!r} has a comma, white space or a control character; use letters, digits, - _ .")
    return text


def parse_transport(transport: Transport | str | None) -> Transport:
    if transport is None:
        return Transport.PLAIN
    if isinstance(transport, Transport):
        return transport
    try:
        return _TRANSPORT_OF[transport.lower()]
    except KeyError:
        raise BadBoard(f"unknown transport {transport!r}; known: {one_of(_TRANSPORT_OF)}") from None


def natural_key(label: str) -> tuple[object, ...]:
    """Sorts "2" before "10" and "a2" before "a10"; labels that are numbers come first."""
    if re.fullmatch(r"-?[0-9]+", label):
        return (((0, int(label), ""),), label)
    parts = re.split(r"([0-9]+)", label)
    numbers = tuple((0, int(part), "") if i % 2 else (1, 0, part) for i, part in enumerate(parts) if part)
    return (numbers, label)
