"""What a seat can submit in Pursuit."""

from dataclasses import dataclass

from manhunt.core.ids import Node


@dataclass(frozen=True, slots=True, order=True)
class PursuitMove:
    """One piece goes to a node (its own, if it stays or has to). `piece` is None for the quarry."""

    to: Node
    piece: int | None = None


@dataclass(frozen=True, slots=True, order=True)
class JointMove:
    """All detectives go at once; entry i is where detective i goes."""

    to_all: tuple[Node, ...]


PursuitAction = PursuitMove | JointMove
"""One move, or where all detectives go at once."""
