"""What one seat sees at one moment, as plain data: web page, SVG, film, replay file and terminal render it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node, Seat
from manhunt.core.outcome import Outcome

PieceKind = Literal["quarry", "hidden", "pursuer", "target"]


@dataclass(frozen=True, slots=True)
class ScenePiece:
    """One piece; `hidden` marks where the quarry was last seen. Pursuers get colour and letter by their index."""

    node: Node
    kind: PieceKind
    index: int = 0
    letter: str = ""
    name: str = ""
    text: str = ""
    """Text beside the piece: `round 3`."""

    @property
    def key(self) -> str:
        """A key that stays the same for this piece in all scenes of a game."""
        return f"{self.kind}-{self.index}"


@dataclass(frozen=True, slots=True)
class SceneOffer:
    """A legal action, or a group of them that the game's page lets people choose from.

    `picks` are the labels (nodes, cards, piles) to choose one after the other; `to` are the nodes that pieces go to;
    `more` is further JSON for the page.
    """

    action: str
    """The action in notation; empty for a group."""
    words: str
    picks: tuple[str, ...] = ()
    to: tuple[Node, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StripField:
    """One field of the strip under a board; `kind` names a colour of the theme, `marked` gives it a strong rim."""

    above: str
    text: str = ""
    below: str = ""
    kind: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class RowCard:
    """A card of the row on the table, with a note on it and small cards under it; `?` is unknown."""

    text: str
    is_up: bool
    note: str = ""
    under: tuple[str, ...] = ()
    is_strong: bool = False
    """Whether it has a strong rim."""


@dataclass(frozen=True, slots=True)
class CardPile:
    name: str
    size: int
    lines: tuple[str, ...]
    """What stands beside it, the first in bold."""


@dataclass(frozen=True, slots=True)
class PadCell:
    """One number of the notepad. `kind` names a colour of the theme; `chance` shades a number that is open."""

    text: str
    words: str
    kind: str = ""
    is_crossed: bool = False
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table with cards: a row, piles, lines with a name (hands), a notepad of numbers, and notes with a heading."""

    row: tuple[RowCard, ...]
    piles: tuple[CardPile, ...]
    lines: tuple[tuple[str, str], ...]
    pad: tuple[PadCell, ...]
    legend: tuple[PadCell, ...]
    """What the pad's colours mean."""
    notes: tuple[str, ...]
    notes_title: str


@dataclass(frozen=True)
class Scene:
    """One moment as one seat sees it, on a board or on a card table.

    `belief` maps nodes to probabilities, `candidates` are nodes without weights, `danger` are nodes to warn about,
    `arrows` go from node to node, `strip` is a row of fields under the board, and `caption` has the lines below it.
    """

    title: str
    round: int = 0
    turn: Seat | None = None
    outcome: Outcome | None = None
    turn_words: str = ""
    """Who acts now, or how the game ended."""
    ending: str = ""
    """The outcome in words."""
    board: Any = None
    """A `boards.Board`."""
    table: CardTable | None = None
    pieces: tuple[ScenePiece, ...] = ()
    offers: tuple[SceneOffer, ...] = ()
    candidates: tuple[Node, ...] = ()
    belief: Mapping[Node, float] = field(default_factory=dict)
    danger: tuple[Node, ...] = ()
    arrows: tuple[tuple[Node, Node], ...] = ()
    worse: tuple[tuple[Node, Node], ...] = ()
    """Arrows of a judged move, in red; `better` has what was better, in green."""
    better: tuple[tuple[Node, Node], ...] = ()
    strip: tuple[StripField, ...] = ()
    caption: tuple[str, ...] = ()
    page: Mapping[str, Any] = field(default_factory=dict)
    """JSON for the game's own page alone; its `marks` are added to those of the scene."""

    @property
    def choices(self) -> tuple[Node, ...]:
        """The nodes that pieces may go to."""
        return tuple(sorted({node for offer in self.offers for node in offer.to}))

    @property
    def last_seen(self) -> ScenePiece | None:
        """The mark where a hidden quarry was seen last; None without one."""
        return next((piece for piece in self.pieces if piece.kind == "hidden"), None)

    def moves_since(self, before: Scene) -> tuple[tuple[Node, Node], ...]:
        """Arrows for the pieces that have moved since an earlier scene."""
        places = {piece.key: piece.node for piece in before.pieces}
        pairs = [(places.get(piece.key), piece.node) for piece in self.pieces if piece.kind != "hidden"]
        return tuple((a, b) for a, b in pairs if a is not None and a != b)

    def check(self) -> None:
        """Refuse nodes that are not on the board, and weights that are not probabilities."""
        nodes = [*self.choices, *self.candidates, *self.belief, *self.danger]
        nodes += [piece.node for piece in self.pieces]
        nodes += [node for arrow in (*self.arrows, *self.worse, *self.better) for node in arrow]
        for node in nodes:
            if not 0 <= node < self.board.n_nodes:
                last = self.board.n_nodes - 1
                raise ManhuntError(f"cannot draw node {node} on {self.board.name}; its nodes are 0 to {last}")
        for node, weight in self.belief.items():
            if not 0 <= weight <= 1 + 1e-9:
                raise ManhuntError(f"belief at {self.board.label(node)} is {weight}; expected a number from 0 to 1")
