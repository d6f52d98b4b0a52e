"""What a game puts on its board: pieces, offers, belief, arrows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from manhunt.boards.board import Board
from manhunt.errors import ManhuntError
from manhunt.ids import Node

PieceKind = Literal["quarry", "hidden", "pursuer"]


@dataclass(frozen=True)
class Piece:
    """One piece; `hidden` is the quarry where it was last seen. Pursuers take colour and letter by index."""

    node: Node
    kind: PieceKind
    index: int = 0
    letter: str | None = None
    text: str = ""
    name: str = ""
    """What the piece is called, where that is not by its colour or number."""


@dataclass(frozen=True)
class Chip:
    """One field of the strip under a board; `kind` names a colour of the theme, `marked` gives it a strong rim."""

    above: str
    text: str = ""
    below: str = ""
    kind: str = ""
    marked: bool = False


@dataclass(frozen=True)
class Overlay:
    """One state as it should be seen; everything is optional.

    `belief` maps nodes to probabilities, `candidates` are nodes without weights, `last_seen` is a node with a
    text beside it ("round 3"), `arrows` go from node to node, `strip` is a row of fields under the board, and
    `caption` stands below it line by line.
    """

    pieces: tuple[Piece, ...] = ()
    offers: tuple[Node, ...] = ()
    candidates: tuple[Node, ...] = ()
    belief: Mapping[Node, float] = field(default_factory=dict)
    danger: tuple[Node, ...] = ()
    last_seen: tuple[Node, str] | None = None
    arrows: tuple[tuple[Node, Node], ...] = ()
    strip: tuple[Chip, ...] = ()
    caption: tuple[str, ...] = ()

    def all_pieces(self) -> tuple[Piece, ...]:
        """The pieces, with the last sighting as a hidden one."""
        if self.last_seen is None:
            return self.pieces
        node, text = self.last_seen
        return (Piece(node, "hidden", text=text), *self.pieces)

    def check(self, board: Board) -> None:
        """Refuse nodes that the board does not have and weights that are no probabilities."""
        nodes = [*self.offers, *self.candidates, *self.belief, *self.danger]
        nodes += [piece.node for piece in self.all_pieces()]
        nodes += [node for arrow in self.arrows for node in arrow]
        for node in nodes:
            if not 0 <= node < board.n_nodes:
                last = board.n_nodes - 1
                raise ManhuntError(f"cannot draw node {node} on {board.name}; its nodes are 0 to {last}")
        for node, weight in self.belief.items():
            if not 0 <= weight <= 1 + 1e-9:
                raise ManhuntError(f"belief at {board.label(node)} is {weight}; expected a number from 0 to 1")


NOTHING = Overlay()
