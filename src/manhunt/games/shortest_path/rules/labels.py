"""Two labels with a dash between them name an edge; labels may have dashes of their own."""

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache

from manhunt.boards.board import Board
from manhunt.core.errors import BadConfig, BadText
from manhunt.core.ids import Node

DASH = "-"
MOST_PLAIN = 1e6
"""Costs from here on are written with an exponent."""


def edge_text(board: Board, start: Node, to: Node) -> str:
    return f"{board.label(start)}{DASH}{board.label(to)}"


def parse_edge(board: Board, text: str) -> tuple[Node, Node]:
    """The two nodes meant; those that are joined, where a text could be split in several ways."""
    ways = list(_splits(board, text))
    joined = [(a, b) for a, b in ways if b in board.neighbours(a)]
    if joined or ways:
        return (joined or ways)[0]
    if DASH not in text:
        raise BadText(f"{text!r} is not a move; write two nodes as in {_example(board)}, or {DASH} to pass")
    raise BadText(f"{text!r} names no two nodes of board {board.name}; write an edge as in {_example(board)}")


def _splits(board: Board, text: str) -> Iterator[tuple[Node, Node]]:
    known = set(board.labels) if text.count(DASH) > 1 else board.labels
    for i, sign in enumerate(text):
        if sign == DASH and text[:i] in known and text[i + 1 :] in known:
            yield board.node(text[:i]), board.node(text[i + 1 :])


@lru_cache(maxsize=32)
def check_labels(board: Board) -> None:
    """Refuse a board on which one text would mean two edges."""
    if not any(DASH in label for label in board.labels):
        return
    meant: dict[str, tuple[Node, Node]] = {}
    for edge in board.edges:
        for start, to in ((edge.a, edge.b), (edge.b, edge.a)):
            text = edge_text(board, start, to)
            other = meant.setdefault(text, (start, to))
            if other != (start, to):
                names = " or ".join(f"{board.label(a)} to {board.label(b)}" for a, b in (other, (start, to)))
                raise BadConfig(f"on board {board.name} the move {text} could be {names}; rename a node")


def _example(board: Board) -> str:
    return edge_text(board, board.edges[0].a, board.edges[0].b) if board.edges else "257-134"


def cost_text(cost: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """A cost with as many digits as a person reads: `3.24`, `32.4`, `324`, `1.5e+15`."""
    exact = Context(prec=12).create_decimal_from_float(cost)
    if abs(cost) >= MOST_PLAIN:
        return f"{float(Context(prec=2, rounding=rounding).plus(exact)):g}"
    places = 0 if abs(cost) >= 100 else 1 if abs(cost) >= 10 else 2
    return f"{float(exact.quantize(Decimal(1).scaleb(-places), rounding)):.12g}"
