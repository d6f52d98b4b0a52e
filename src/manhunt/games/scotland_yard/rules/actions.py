"""Pieces, tickets, and what a seat can submit in Scotland Yard."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from manhunt.core.errors import BadText, unknown
from manhunt.core.ids import Node, Transport


class Piece(IntEnum):
    """Mr X, and the detectives by their colours."""

    MRX = 0
    RED = 1
    GREEN = 2
    BLUE = 3
    WHITE = 4
    YELLOW = 5

    @property
    def is_detective(self) -> bool:
        """Whether it is not Mr X."""
        return self is not Piece.MRX

    @property
    def letter(self) -> str:
        """`X` for Mr X, else the colour's initial."""
        return self.name[0] if self else "X"

    def __str__(self) -> str:
        return self.name.lower() if self else "Mr X"


DETECTIVES = tuple(Piece)[1:]
"""The detectives' pieces in the order of seats."""


class Ticket(IntEnum):
    """What is paid. SECRET pays for any transport; DOUBLE is paid in addition to the two tickets of a double move."""

    TAXI = 0
    BUS = 1
    UNDERGROUND = 2
    SECRET = 3
    DOUBLE = 4

    @property
    def letter(self) -> str:
        """How notation writes it: `T`, `B`, `U`, `S`, `D`."""
        return self.name[0]

    def __str__(self) -> str:
        return self.name.lower()


TICKET_FOR = {
    Transport.TAXI: Ticket.TAXI,
    Transport.BUS: Ticket.BUS,
    Transport.UNDERGROUND: Ticket.UNDERGROUND,
    Transport.FERRY: Ticket.SECRET,
}


PIECE_OF = {piece.name.lower(): piece for piece in Piece}
TICKET_OF = {str(ticket): ticket for ticket in Ticket}
"""Pieces and tickets by their names in events and setups."""


def parse_piece(name: Piece | str) -> Piece:
    """A piece from itself or its name: `red`, `mrx`; capitals and the blank of `Mr X` do not matter."""
    if isinstance(name, Piece):
        return name
    key = name.lower().replace(" ", "") if isinstance(name, str) else ""
    if key not in PIECE_OF:
        raise BadText(unknown("piece", str(name), PIECE_OF))
    return PIECE_OF[key]


def parse_ticket(name: Ticket | str) -> Ticket:
    """A ticket from itself or its name: `taxi`."""
    if isinstance(name, Ticket):
        return name
    key = name.lower() if isinstance(name, str) else ""
    if key not in TICKET_OF:
        raise BadText(unknown("ticket", str(name), TICKET_OF))
    return TICKET_OF[key]


class Tickets(NamedTuple):
    """How many tickets of each kind a piece has; `tickets[Ticket.BUS]` is `tickets.bus`."""

    taxi: int = 0
    bus: int = 0
    underground: int = 0
    secret: int = 0
    double: int = 0

    def plus(self, ticket: Ticket, n: int = 1) -> Tickets:
        """The tickets with n added to one kind."""
        counts = list(self)
        counts[ticket] += n
        return Tickets(*counts)


@dataclass(frozen=True, slots=True, order=True)
class Single:
    """One piece goes along one edge.

    `to` is a `Node`, counted from 0, and not the number that is printed on the board: `Single(piece, ticket, 46)` goes
    to the station with the label 47. Write `board.node(46)`, or `single(board, piece, ticket, 46)` of `model.py`.
    """

    piece: Piece
    ticket: Ticket
    to: Node


@dataclass(frozen=True, slots=True, order=True)
class Double:
    """Mr X goes along two edges; `mid` is where the first one leads. These are nodes, not labels, as in `Single`."""

    piece: Piece
    ticket1: Ticket
    mid: Node
    ticket2: Ticket
    to: Node


ScotlandYardAction = Single | Double
"""A single move of any piece, or a double move of Mr X."""
