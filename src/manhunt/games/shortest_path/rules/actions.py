"""What a seat can submit in Adversarial Shortest Path; who is to move tells what an edge is named for."""

from dataclasses import dataclass

from manhunt.core.ids import Node


@dataclass(frozen=True, slots=True, order=True)
class OnEdge:
    """An edge: the traveller goes along it from `start` to `to`; the adversary raises it, in either direction."""

    start: Node
    to: Node


@dataclass(frozen=True, slots=True)
class EmptyMove:
    """An empty move: nothing changes and it costs nothing, but it counts as a move."""


ShortestPathAction = OnEdge | EmptyMove
"""An edge, or an empty move."""
