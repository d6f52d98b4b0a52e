"""The truth of a Scotland Yard game, with the questions one may ask of it."""

from __future__ import annotations

from dataclasses import dataclass

from manhunt.core.errors import IllegalAction, ManhuntError, one_of
from manhunt.core.game import Sighting
from manhunt.core.ids import Node, Seat
from manhunt.core.short_repr import line_repr
from manhunt.games.scotland_yard.rules.actions import Piece, ScotlandYardAction, Ticket, Tickets, parse_piece
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One slot of the travel log; `node` is set in shown rounds only."""

    ticket: Ticket
    node: Node | None = None


def last_sighting(log: tuple[LogEntry, ...]) -> Sighting | None:
    """Where Mr X last showed himself, and in which round."""
    for round_ in range(len(log), 0, -1):
        node = log[round_ - 1].node
        if node is not None:
            return Sighting(node, round_)
    return None


@dataclass(frozen=True, slots=True)
class ScotlandYardState:
    """Places, tickets, the travel log, and who still moves in this turn.

    `pieces` are the detectives in seat order, `pursuers` their nodes; `tickets` has Mr X first, then the detectives in
    the same order. `waiting` lists the detectives who have not moved this turn; if it is empty, Mr X moves. `free`
    means that the pieces were placed by hand, so Mr X need not have started on one of the config's places.
    """

    config: ScotlandYardConfig
    quarry: Node
    pieces: tuple[Piece, ...]
    pursuers: tuple[Node, ...]
    tickets: tuple[Tickets, ...]
    log: tuple[LogEntry, ...] = ()
    waiting: tuple[Piece, ...] = ()
    free: bool = True

    @property
    def round(self) -> int:
        """The number of filled slots in the travel log."""
        return len(self.log)

    @property
    def rounds_left(self) -> int:
        """Rounds that are still to come."""
        return len(self.config.rounds) - len(self.log)

    @property
    def players(self) -> tuple[Piece, ...]:
        """All pieces in the game, Mr X first."""
        return (Piece.MRX, *self.pieces)

    def tickets_of(self, piece: Piece | str) -> Tickets:
        """The tickets of a piece."""
        return self.tickets[self.seat_of(piece)]

    def find_tickets(self, piece: Piece | str) -> Tickets | None:
        """The tickets of a piece; None if it is not in this game."""
        return self.tickets_of(piece) if parse_piece(piece) in self.players else None

    def place_of(self, piece: Piece | str) -> str:
        """The label of a detective's node; Mr X's place is not public (`quarry` has it)."""
        seat = self.seat_of(piece)
        if seat == 0:
            raise ManhuntError("the place of Mr X is not public; the truth is state.quarry")
        return self.config.board.label(self.pursuers[seat - 1])

    def find_place(self, piece: Piece | str) -> str | None:
        """The label of a detective's node; None if they are not in this game, and for Mr X."""
        return self.place_of(piece) if parse_piece(piece) in self.pieces else None

    def seat_of(self, piece: Piece | str) -> int:
        """0 for Mr X, else the detective's number in seat order, counted from 1."""
        try:
            return self.players.index(parse_piece(piece))
        except ValueError:
            raise ManhuntError(f"{piece} is not in this game; pieces: {one_of(map(str, self.players))}") from None

    @property
    def available_moves(self) -> tuple[ScotlandYardAction, ...]:
        """All moves offered now, in the order of the rules; empty when there is a winner."""
        from manhunt.games.scotland_yard.rules.rules import legal_actions

        return legal_actions(self)

    @property
    def offered(self) -> tuple[str, ...]:
        """The available moves in notation."""
        from manhunt.games.scotland_yard.rules.notation import format_action

        return tuple(format_action(self.config, move) for move in self.available_moves)

    def advance(self, move: ScotlandYardAction | str) -> ScotlandYardState:
        """The state after a move, given as itself or in notation; IllegalAction if it is not offered."""
        from manhunt.games.scotland_yard.rules.notation import parse_action
        from manhunt.games.scotland_yard.rules.rules import apply_action, taken_for_label

        if isinstance(move, str):
            return apply_action(self, parse_action(self.config, move))
        try:
            return apply_action(self, move)
        except IllegalAction as error:
            raise IllegalAction(f"{error}{taken_for_label(self, move)}") from None

    @property
    def winner(self) -> frozenset[Piece]:
        """Mr X, or all detectives; empty while the game goes on."""
        from manhunt.games.scotland_yard.rules.rules import winner

        return winner(self)

    def __repr__(self) -> str:
        from manhunt.games.scotland_yard.rules.notation import format_state

        return line_repr(self, format_state)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view
        from manhunt.games.scotland_yard.rules.views import view

        return draw_view(view(self, Seat.EVADER))
