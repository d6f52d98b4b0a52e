"""Everything about a game of Scotland Yard but Mr X's node, followed event by event; with a node it is a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manhunt.errors import BadConfig
from manhunt.games.base import View
from manhunt.games.scotland_yard.actions import Piece, Ticket, Tickets
from manhunt.games.scotland_yard.config import Config
from manhunt.games.scotland_yard.rules import passed_over
from manhunt.games.scotland_yard.state import Entry, State
from manhunt.games.scotland_yard.views import View as ScotlandYardView
from manhunt.ids import Node

PIECE_OF = {piece.name.lower(): piece for piece in Piece}
TICKET_OF = {str(ticket): ticket for ticket in Ticket}


class PublicState:
    """What all seats know, from a view and the events that follow it."""

    config: Config
    pieces: tuple[Piece, ...]
    pursuers: list[Node]
    tickets: list[Tickets]
    log: list[Entry]
    waiting: tuple[Piece, ...]
    free: bool

    def __init__(self, view: View) -> None:
        if not isinstance(view, ScotlandYardView):
            raise BadConfig(f"this belief is about scotland_yard, not about {view.game}")
        self.config = view.config
        self.pieces = tuple(d.piece for d in view.detectives)
        self.pursuers = [d.node for d in view.detectives]
        self.tickets = [view.mrx_tickets, *(d.tickets for d in view.detectives)]
        self.log = list(view.log)
        self.waiting = view.waiting
        self.free = view.free

    @property
    def mrx_tickets(self) -> Tickets:
        return self.tickets[0]

    def update(self, event: Mapping[str, Any]) -> None:
        kind = event.get("t")
        if kind == "moved":
            self._detective_moved(PIECE_OF[event["piece"]], TICKET_OF[event["ticket"]], event["to"])
        elif kind == "double":
            self.tickets[0] = self.tickets[0].plus(Ticket.DOUBLE, -1)
        elif kind == "logged":
            ticket, label = TICKET_OF[event["ticket"]], event["at"]
            self.tickets[0] = self.tickets[0].plus(ticket, -1)
            self.log.append(Entry(ticket, None if label is None else self.config.board.node(label)))
            self.waiting = self.pieces
        elif kind == "turn" and event["movers"] == ["mrx"]:
            self.waiting = ()

    def _detective_moved(self, piece: Piece, ticket: Ticket, label: str) -> None:
        seat = self.pieces.index(piece)
        self.pursuers[seat] = self.config.board.node(label)
        self.tickets[0] = self.tickets[0].plus(ticket)
        self.tickets[seat + 1] = self.tickets[seat + 1].plus(ticket, -1)
        self.waiting = tuple(p for p in self.waiting if p is not piece)

    def state(self, quarry: Node) -> State:
        """The state with Mr X on this node; a seat that does not know better cannot tell it from the true one."""
        return passed_over(
            State(
                self.config,
                quarry,
                self.pieces,
                tuple(self.pursuers),
                tuple(self.tickets),
                tuple(self.log),
                self.waiting,
                self.free,
            )
        )
