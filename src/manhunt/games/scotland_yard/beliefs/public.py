"""Everything about a game of Scotland Yard but Mr X's node, followed event by event; with a node it is a state."""

from collections.abc import Mapping
from typing import Any

from manhunt.core.errors import BadConfig
from manhunt.core.game import View
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules.actions import PIECE_OF, TICKET_OF, Piece, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.rules import passed_over
from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState
from manhunt.games.scotland_yard.rules.views import ScotlandYardView


class PublicState:
    """What all seats know, from a view and the events that follow it."""

    config: ScotlandYardConfig
    pieces: tuple[Piece, ...]
    pursuers: list[Node]
    tickets: list[Tickets]
    log: list[LogEntry]
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

    def fits(self, view: ScotlandYardView) -> bool:
        """Whether the events so far led to this view."""
        return len(self.log) == len(view.log) and tuple(self.pursuers) == view.pursuers

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
            self.log.append(LogEntry(ticket, None if label is None else self.config.board.node(label)))
            self.waiting = self.pieces
        elif kind == "turn" and event["movers"] == ["mrx"]:
            self.waiting = ()

    def _detective_moved(self, piece: Piece, ticket: Ticket, label: str) -> None:
        seat = self.pieces.index(piece)
        self.pursuers[seat] = self.config.board.node(label)
        self.tickets[0] = self.tickets[0].plus(ticket)
        self.tickets[seat + 1] = self.tickets[seat + 1].plus(ticket, -1)
        self.waiting = tuple(p for p in self.waiting if p is not piece)

    def state(self, quarry: Node) -> ScotlandYardState:
        """The state with Mr X on this node; a seat that does not know better cannot tell it from the true one."""
        places, tickets, log = tuple(self.pursuers), tuple(self.tickets), tuple(self.log)
        state = ScotlandYardState(self.config, quarry, self.pieces, places, tickets, log, self.waiting, self.free)
        return passed_over(state)
