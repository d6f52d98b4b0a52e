"""Text for Scotland Yard: moves such as `T46`, `2:T46,B58`, `R:T46`, and the one-line position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from manhunt.core.errors import BadBoard, BadText
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules.actions import Double, Piece, ScotlandYardAction, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig

if TYPE_CHECKING:
    from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState
    from manhunt.games.scotland_yard.rules.views import ScotlandYardView

_PIECE_OF = {piece.letter: piece for piece in Piece}
_TICKET_OF = {ticket.letter: ticket for ticket in Ticket if ticket is not Ticket.DOUBLE}
_HOW = "write T46 for Mr X, 2:T46,B58 for his double move, R:T46 for red; tickets are T B U S"


def format_action(config: ScotlandYardConfig, action: ScotlandYardAction) -> str:
    if isinstance(action, Double):
        steps = ((action.ticket1, action.mid), (action.ticket2, action.to))
        text = "2:" + ",".join(_format_step(config, *step) for step in steps)
    else:
        text = _format_step(config, action.ticket, action.to)
    return text if action.piece is Piece.MRX else f"{action.piece.letter}:{text}"


def parse_action(config: ScotlandYardConfig, text: str) -> ScotlandYardAction:
    """The inverse of `format_action`; small letters will do for pieces and tickets."""
    head, body = text[:2].upper(), text[2:]
    if head == "2:":
        first, comma, second = body.partition(",")
        if not comma:
            raise BadText(f"{text!r} has one step, a double move two; {_HOW}")
        return Double(Piece.MRX, *_parse_step(config, first, text), *_parse_step(config, second, text))
    if head[1:] == ":" and head[0] in _PIECE_OF:
        return Single(_PIECE_OF[head[0]], *_parse_step(config, body, text))
    return Single(Piece.MRX, *_parse_step(config, text, text))


def _format_step(config: ScotlandYardConfig, ticket: Ticket, node: Node) -> str:
    # A move that is not on the board must still be printable in an error.
    known = 0 <= node < config.board.n_nodes
    return ticket.letter + (config.board.label(node) if known else f"?{node}")


def _parse_step(config: ScotlandYardConfig, step: str, text: str) -> tuple[Ticket, Node]:
    ticket = _TICKET_OF.get(step[:1].upper())
    if ticket is None or len(step) < 2:
        raise BadText(f"{text!r} is not a move; {_HOW}")
    try:
        return ticket, config.board.node(step[1:])
    except BadBoard as error:
        raise BadText(f"{text!r}: {error}") from None


def format_position(state: ScotlandYardState, *, reveal: bool) -> str:
    """One line: `turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=T,B58,S`; without `reveal` Mr X's place is left out.

    Tickets are taxi, bus, underground (and secret, double); the length of the log is the round; `drawn` tells that
    Mr X began on one of the config's start places.
    """
    quarry = state.quarry if reveal else None
    return _line(
        state.config, quarry, state.pieces, state.pursuers, state.tickets, state.log, state.waiting, state.free
    )


def format_state(state: ScotlandYardState) -> str:
    return format_position(state, reveal=True)


def format_view(view: ScotlandYardView) -> str:
    tickets = (view.mrx_tickets, *(d.tickets for d in view.detectives))
    pieces = tuple(d.piece for d in view.detectives)
    return _line(view.config, view.quarry, pieces, view.pursuers, tickets, view.log, view.waiting, view.free)


def _line(
    config: ScotlandYardConfig,
    quarry: Node | None,
    pieces: Sequence[Piece],
    pursuers: Sequence[Node],
    tickets: Sequence[Tickets],
    log: Iterable[LogEntry],
    waiting: Sequence[Piece],
    free: bool,
) -> str:
    label = config.board.label
    turn = ",".join(piece.letter for piece in waiting) or "X"
    place = "" if quarry is None else f"@{label(quarry)}"
    parts = [f"turn={turn}", f"X{place}={_counts(tickets[0])}"]
    for piece, node, held in zip(pieces, pursuers, tickets[1:], strict=True):
        parts.append(f"{piece.letter}@{label(node)}={_counts(held[:3])}")
    entries = (e.ticket.letter + ("" if e.node is None else label(e.node)) for e in log)
    parts.append(f"log={','.join(entries) or '-'}")
    return " ".join(parts if free else [*parts, "drawn"])


def _counts(tickets: Sequence[int]) -> str:
    return ",".join(map(str, tickets))
