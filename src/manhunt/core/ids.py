"""Names for things that would otherwise be bare numbers."""

from enum import Enum, IntEnum
from typing import NewType

Node = NewType("Node", int)
"""0-based index of a node on its board; text, JSON and the command line use labels instead."""


class Side(Enum):
    """The two camps."""

    EVADER = "evader"
    PURSUERS = "pursuers"

    @property
    def other(self) -> "Side":
        """The opposite camp."""
        return Side.PURSUERS if self is Side.EVADER else Side.EVADER


class Seat(Enum):
    """A decision maker, or somebody who watches; one seat may command several pieces."""

    EVADER = "evader"
    PURSUERS = "pursuers"
    CHANCE = "chance"
    SPECTATOR = "spectator"

    @property
    def side(self) -> Side | None:
        """The camp of a playing seat; None for chance and spectators."""
        return _SIDE_OF.get(self)


_SIDE_OF = {Seat.EVADER: Side.EVADER, Seat.PURSUERS: Side.PURSUERS}

PLAYERS = (Seat.EVADER, Seat.PURSUERS)
EVERYBODY = frozenset({Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR})


class Transport(IntEnum):
    """The kind of an edge. PLAIN marks boards whose edges have no kind."""

    TAXI = 0
    BUS = 1
    UNDERGROUND = 2
    FERRY = 3
    PLAIN = 4
