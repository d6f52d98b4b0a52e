"""The immutable graph that every game is played on."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import accumulate
from typing import NamedTuple, Self

import numpy as np

from manhunt.core.arrays import Int64s
from manhunt.core.errors import BadBoard, one_of
from manhunt.core.ids import Node, Transport
from manhunt.core.short_repr import shorten


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """One undirected connection; a < b."""

    a: Node
    b: Node
    transport: Transport


class SimpleCSR(NamedTuple):
    indptr: Int64s
    target: Int64s


@dataclass(frozen=True)
class Board:
    """An undirected multigraph: labels, edges with their transport, and where to draw the nodes.

    Nodes are numbered in the natural order of their labels, and edges are sorted; `build_board` does both.
    Two boards are equal when labels and edges are; name and positions are for people.

    Examples:
        >>> from manhunt import load_board
        >>> board = load_board("grid:3x3")
        >>> [board.label(node) for node in board.neighbours(board.node("5"))]
        ['2', '4', '6', '8']
    """

    name: str
    """What the board is called."""
    labels: tuple[str, ...]
    """By node, what is printed on the board."""
    edges: tuple[Edge, ...]
    """All edges: `a` and `b` with a < b, and `transport`."""
    positions: tuple[tuple[float, float], ...] | None = None
    """By node, where it is drawn; None if that is unknown."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        # Cached arrays stay behind: they would come back writable.
        return type(self), (self.name, self.labels, self.edges, self.positions)

    def __repr__(self) -> str:
        return f"Board({shorten(self.name)!r}, {self.n_nodes} nodes, {len(self.edges)} edges)"

    def _repr_svg_(self) -> str:
        from manhunt.draw.svg import draw_board

        return draw_board(self)

    def _repr_html_(self) -> str:
        about = f"{self.name}: {self.n_nodes} nodes, {len(self.edges)} edges"
        return f"<figure>{self._repr_svg_()}<figcaption>{escape(about)}</figcaption></figure>"

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return len(self.labels)

    def nodes(self) -> Iterator[Node]:
        """All nodes, from 0 on."""
        return (Node(i) for i in range(self.n_nodes))

    def node(self, label: str | int) -> Node:
        """The node with this printed label."""
        try:
            return self._node_of[str(label)]
        except KeyError:
            message = f"no node {str(label)!r} on board {self.name}; nodes: {one_of(self.labels)}"
            raise BadBoard(message) from None

    def label(self, node: Node) -> str:
        """What is printed on the board at this node."""
        return self.labels[node]

    def text(self, nodes: Sequence[Node]) -> str:
        """Labels of several nodes, for messages."""
        return " ".join(self.labels[n] for n in nodes)

    def neighbours(self, node: Node) -> tuple[Node, ...]:
        """Adjacent nodes, ascending, each once however many transports lead there."""
        try:
            return self._neighbours[node]
        except TypeError:
            raise self._no_node(node) from None

    def steps(self, node: Node) -> tuple[tuple[Node, Transport], ...]:
        """Edges at a node as (other end, transport), ascending."""
        try:
            return self._steps[node]
        except TypeError:
            raise self._no_node(node) from None

    def _no_node(self, label: object) -> BadBoard:
        return BadBoard(f"{label!r} is not a node, which is a number; if it is a label, write board.node({label!r})")

    @property
    def transports(self) -> tuple[Transport, ...]:
        """The kinds of edge this board has, ascending."""
        return tuple(sorted({edge.transport for edge in self.edges}))

    @cached_property
    def hash(self) -> str:
        """SHA-256 of labels and edges: the identity of the board in records and tables."""
        lines = [" ".join(self.labels)]
        lines += [f"{self.labels[e.a]} {self.labels[e.b]} {e.transport.name.lower()}" for e in self.edges]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    @cached_property
    def simple_csr(self) -> SimpleCSR:
        """Neighbours of node v: entries indptr[v] .. indptr[v + 1] of `target`; read-only."""
        rows = self._neighbours
        return SimpleCSR(_frozen([0, *accumulate(map(len, rows))]), _frozen([to for row in rows for to in row]))

    @cached_property
    def _node_of(self) -> dict[str, Node]:
        return {label: Node(i) for i, label in enumerate(self.labels)}

    @cached_property
    def _steps(self) -> tuple[tuple[tuple[Node, Transport], ...], ...]:
        rows: list[set[tuple[Node, Transport]]] = [set() for _ in self.labels]
        for edge in self.edges:
            rows[edge.a].add((edge.b, edge.transport))
            rows[edge.b].add((edge.a, edge.transport))
        return tuple(tuple(sorted(row)) for row in rows)

    @cached_property
    def _neighbours(self) -> tuple[tuple[Node, ...], ...]:
        return tuple(tuple(sorted({to for to, _ in row})) for row in self._steps)


def _frozen(values: Sequence[int]) -> Int64s:
    array = np.array(values, dtype=np.int64)
    array.setflags(write=False)
    return array
