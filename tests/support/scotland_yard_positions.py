"""One-line positions of Scotland Yard read back, as the files of counted trees hold them; setups of states."""

from manhunt.core.errors import BadBoard, BadText, one_of
from manhunt.core.game import Setup
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Piece, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.rules import passed_over
from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState

_PIECE_OF = {piece.letter: piece for piece in Piece}
_TICKET_OF = {ticket.letter: ticket for ticket in Ticket if ticket is not Ticket.DOUBLE}


def parse_position(config: ScotlandYardConfig, text: str, quarry: Node | None = None) -> ScotlandYardState:
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
    tickets = (mrx[2], *(held for _, _, held in detectives))
    return passed_over(ScotlandYardState(config, place, pieces, pursuers, tickets, log, waiting, free))


def _parse_place(config: ScotlandYardConfig, part: str) -> tuple[Piece, Node | None, Tickets]:
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


def _check_detectives(config: ScotlandYardConfig, pieces: tuple[Piece, ...], nodes: list[Node | None]) -> None:
    if len(pieces) != config.n_detectives:
        raise BadText(f"position: {len(pieces)} detectives, but the config has {config.n_detectives}")
    if not set(pieces) <= set(DETECTIVES) or len(set(pieces)) < len(pieces):
        raise BadText("position: each detective's piece must be there once, and be one of R G B W Y")
    if None in nodes or len(set(nodes)) < len(nodes):
        raise BadText("position: every detective needs a node of his own, as in R@117=11,8,4")


def _parse_log(config: ScotlandYardConfig, text: str) -> tuple[LogEntry, ...]:
    texts = [] if text == "-" else text.split(",")
    if len(texts) > config.n_rounds:
        raise BadText(f"position: the log has {len(texts)} entries, but there are {config.n_rounds} rounds")
    entries = []
    for round_, (entry, shown) in enumerate(zip(texts, config.rounds, strict=False), 1):
        ticket, label = _TICKET_OF.get(entry[:1]), entry[1:]
        if ticket is None or bool(label) is not shown:
            raise BadText(f"position: log entry {entry!r} does not fit round {round_}, which is {_kind(shown)}")
        try:
            entries.append(LogEntry(ticket, config.board.node(label) if shown else None))
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


def setup_of(state: ScotlandYardState) -> Setup:
    """The setup that starts with the places and tickets of a state."""
    label = state.config.board.label
    return {
        "mrx": {"at": label(state.quarry), "tickets": state.tickets[0]._asdict()},
        "detectives": [
            {"piece": str(piece), "at": label(node), "tickets": held._asdict()}
            for piece, node, held in zip(state.pieces, state.pursuers, state.tickets[1:], strict=True)
        ],
        "free": state.free,
    }
