"""Text for Scotland Yard: moves such as `T46`, `2:T46,B58`, `R:T46`, and the one-line position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from manhunt.errors import BadBoard, BadText, one_of
from manhunt.games.scotland_yard.actions import DETECTIVES, Action, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.config import Config
from manhunt.ids import Node

if TYPE_CHECKING:
    from manhunt.games.scotland_yard.state import Entry, State
    from manhunt.games.scotland_yard.views import View

_PIECE_OF = {piece.letter: piece for piece in Piece}
_TICKET_OF = {ticket.letter: ticket for ticket in Ticket if ticket is not Ticket.DOUBLE}
_HOW = "write T46 for Mr X, 2:T46,B58 for his double move, R:T46 for red; tickets are T B U S"


def format_action(config: Config, action: Action) -> str:
    if isinstance(action, Double):
        steps = ((action.ticket1, action.mid), (action.ticket2, action.to))
        text = "2:" + ",".join(_format_step(config, *step) for step in steps)
    else:
        text = _format_step(config, action.ticket, action.to)
    return text if action.piece is Piece.MRX else f"{action.piece.letter}:{text}"


def parse_action(config: Config, text: str) -> Action:
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


def _format_step(config: Config, ticket: Ticket, node: Node) -> str:
    # A move that is not on the board must still be printable in an error.
    known = 0 <= node < config.board.n_nodes
    return ticket.letter + (config.board.label(node) if known else f"?{node}")


def _parse_step(config: Config, step: str, text: str) -> tuple[Ticket, Node]:
    ticket = _TICKET_OF.get(step[:1].upper())
    if ticket is None or len(step) < 2:
        raise BadText(f"{text!r} is no move; {_HOW}")
    try:
        return ticket, config.board.node(step[1:])
    except BadBoard as error:
        raise BadText(f"{text!r}: {error}") from None


def format_position(state: State, *, reveal: bool) -> str:
    """One line: `turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=T,B58,S`; without `reveal` Mr X's place is left out.

    Tickets are taxi, bus, underground (and secret, double); the length of the log is the round; `drawn` tells that
    Mr X began on one of the config's start places.
    """
    quarry = state.quarry if reveal else None
    return _line(
        state.config, quarry, state.pieces, state.pursuers, state.tickets, state.log, state.waiting, state.free
    )


def format_state(state: State) -> str:
    return format_position(state, reveal=True)


def format_view(view: View) -> str:
    tickets = (view.mrx_tickets, *(d.tickets for d in view.detectives))
    pieces = tuple(d.piece for d in view.detectives)
    return _line(view.config, view.quarry, pieces, view.pursuers, tickets, view.log, view.waiting, view.free)


def _line(
    config: Config,
    quarry: Node | None,
    pieces: Sequence[Piece],
    pursuers: Sequence[Node],
    tickets: Sequence[Tickets],
    log: Iterable[Entry],
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


def parse_position(config: Config, text: str, quarry: Node | None = None) -> State:
    """The inverse of `format_position`; a line without Mr X's place needs his node."""
    words = text.split()
    free = words[-1:] != ["drawn"]
    parts = words if free else words[:-1]
    if len(parts) < 4 or not parts[0].startswith("turn=") or not parts[-1].startswith("log="):
        raise BadText(f"{text!r} is no position; expected turn=X X@104=4,3,3,5,2 R@117=11,8,4 log=-")
    mrx, *detectives = (_parse_place(config, part) for part in parts[1:-1])
    if mrx[0] is not Piece.MRX:
        raise BadText(f"position: {parts[1]!r} stands where Mr X's tickets are expected, as in X@104=4,3,3,5,2")
    place = quarry if mrx[1] is None else mrx[1]
    if place is None:
        raise BadText("position: the place of Mr X is not in it; give his node")
    pieces = tuple(piece for piece, _, _ in detectives)
    _check_detectives(config, pieces, [node for _, node, _ in detectives])
    pursuers = tuple(node for _, node, _ in detectives if node is not None)
    log = _parse_log(config, parts[-1].removeprefix("log="))
    waiting = _parse_turn(pieces, parts[0].removeprefix("turn="))
    if waiting and not log:
        raise BadText(f"position: {parts[0]} with an empty log; Mr X moves first, so it must be turn=X")
    from manhunt.games.scotland_yard.rules import passed_over
    from manhunt.games.scotland_yard.state import State

    tickets = (mrx[2], *(held for _, _, held in detectives))
    return passed_over(State(config, place, pieces, pursuers, tickets, log, waiting, free))


def _parse_place(config: Config, part: str) -> tuple[Piece, Node | None, Tickets]:
    head, _, counts = part.rpartition("=")
    letter, at, label = head.partition("@")
    piece, numbers = _PIECE_OF.get(letter), counts.split(",")
    wanted = 5 if piece is Piece.MRX else 3
    if piece is None or len(numbers) != wanted or not all(n.isascii() and n.isdigit() for n in numbers):
        raise BadText(f"position: {part!r} is no piece; expected X@104=4,3,3,5,2 or R@117=11,8,4")
    try:
        node = config.board.node(label) if at else None
    except BadBoard as error:
        raise BadText(f"position: {part!r}: {error}") from None
    return piece, node, Tickets(*map(int, numbers))


def _check_detectives(config: Config, pieces: tuple[Piece, ...], nodes: list[Node | None]) -> None:
    if len(pieces) != config.n_detectives:
        raise BadText(f"position: {len(pieces)} detectives, but the config has {config.n_detectives}")
    if not set(pieces) <= set(DETECTIVES) or len(set(pieces)) < len(pieces):
        raise BadText("position: each detective's piece must be there once, and be one of R G B W Y")
    if None in nodes or len(set(nodes)) < len(nodes):
        raise BadText("position: every detective needs a node of his own, as in R@117=11,8,4")


def _parse_log(config: Config, text: str) -> tuple[Entry, ...]:
    from manhunt.games.scotland_yard.state import Entry

    texts = [] if text == "-" else text.split(",")
    if len(texts) > config.n_rounds:
        raise BadText(f"position: the log has {len(texts)} entries, but there are {config.n_rounds} rounds")
    entries = []
    for round_, (entry, shown) in enumerate(zip(texts, config.rounds, strict=False), 1):
        ticket, label = _TICKET_OF.get(entry[:1]), entry[1:]
        if ticket is None or bool(label) is not shown:
            raise BadText(f"position: log entry {entry!r} does not fit round {round_}, which is {_kind(shown)}")
        try:
            entries.append(Entry(ticket, config.board.node(label) if shown else None))
        except BadBoard as error:
            raise BadText(f"position: log entry {entry!r} of round {round_}: {error}") from None
    return tuple(entries)


def _kind(shown: bool) -> str:
    return "shown: ticket and node, as T46" if shown else "hidden: the ticket alone, as T"


def _parse_turn(pieces: tuple[Piece, ...], text: str) -> tuple[Piece, ...]:
    if text == "X":
        return ()
    letters = text.split(",")
    waiting = tuple(piece for piece in pieces if piece.letter in letters)
    if len(waiting) != len(letters):
        known = one_of(piece.letter for piece in pieces)
        raise BadText(f"position: turn={text} must be X or some of {known}, in the order of seats")
    return waiting
