"""What a seat can submit in Pursuit."""

from dataclasses import dataclass

from manhunt.core.ids import Node


@dataclass(frozen=True, slots=True, order=True)
class PursuitMove:
    """One piece goes to a node (its own node if it stays). `piece` is None for the quarry."""

    to: Node
    piece: int | None = None


@dataclass(frozen=True, slots=True, order=True)
class JointMove:
    """All detectives move at once; entry i is where detective i goes."""

    to_all: tuple[Node, ...]


PursuitAction = PursuitMove | JointMove
"""One piece's move, or a joint move of all detectives."""
