"""The rules of Scotland Yard, to be read; `kernels.py` says the same to be fast. Numbers are rule book paragraphs."""

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import SupportsIndex

from manhunt.boards.board import Board
from manhunt.core.errors import BadBoard, IllegalAction, one_of
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.games.scotland_yard.rules.actions import (
    TICKET_FOR,
    Double,
    Piece,
    ScotlandYardAction,
    Single,
    Ticket,
    Tickets,
)
from manhunt.games.scotland_yard.rules.config import ScotlandYardOrder
from manhunt.games.scotland_yard.rules.notation import format_action
from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState

Fare = tuple[Ticket, Node]
SECRET = Ticket.SECRET
CAPTURE = Outcome(Side.PURSUERS, Termination.CAPTURE)
SURVIVAL = Outcome(Side.EVADER, Termination.SURVIVAL)
EXHAUSTED = Outcome(Side.EVADER, Termination.EXHAUSTED)
STRANDED = Outcome(Side.PURSUERS, Termination.STRANDED)


@lru_cache(maxsize=64)
def fares(board: Board) -> tuple[tuple[Fare, ...], ...]:
    """For each node what Mr X can pay to go where, by destination, then ticket; a secret once per destination."""
    rows = []
    for node in board.nodes():
        pairs = {(to, TICKET_FOR[kind]) for to, kind in board.steps(node)}
        pairs |= {(to, Ticket.SECRET) for to in board.neighbours(node)}
        rows.append(tuple((ticket, to) for to, ticket in sorted(pairs)))
    return tuple(rows)


Step = tuple[Ticket, Node, Single]


@lru_cache(maxsize=64)
def _steps(board: Board) -> tuple[tuple[tuple[Step, ...], ...], ...]:
    """Paragraph 8: by piece and node the single moves, were all tickets there and nobody in the way."""
    return tuple(
        tuple(
            tuple((ticket, to, Single(piece, ticket, to)) for ticket, to in row if not (piece and ticket is SECRET))
            for row in fares(board)
        )
        for piece in Piece
    )


def _singles(state: ScotlandYardState, piece: Piece) -> list[Single]:
    """Paragraph 8. Every detective blocks; Mr X does not."""
    seat = state.pieces.index(piece) + 1 if piece else 0
    node = state.pursuers[seat - 1] if piece else state.quarry
    held, blocked = state.tickets[seat], state.pursuers
    return [m for ticket, to, m in _steps(state.config.board)[piece][node] if held[ticket] and to not in blocked]


def _can_any_move(state: ScotlandYardState, pieces: tuple[Piece, ...]) -> bool:
    """Whether one of these detectives has a move."""
    steps, blocked = _steps(state.config.board), state.pursuers
    for piece in pieces:
        seat = state.pieces.index(piece)
        held = state.tickets[seat + 1]
        for ticket, to, _ in steps[piece][blocked[seat]]:
            if held[ticket] and to not in blocked:
                return True
    return False


def _doubles(state: ScotlandYardState, firsts: list[Single]) -> list[Double]:
    """Paragraph 9: in the order of the first step, then the second."""
    held, blocked = state.tickets[0], state.pursuers
    if not held.double or state.rounds_left < 2:
        return []
    steps = _steps(state.config.board)[Piece.MRX]
    return [
        Double(Piece.MRX, first.ticket, first.to, ticket, to)
        for first in firsts
        for ticket, to, _ in steps[first.to]
        if held[ticket] >= (2 if ticket is first.ticket else 1) and to not in blocked
    ]


def outcome(state: ScotlandYardState) -> Outcome | None:
    """Paragraph 14, in its order."""
    if state.quarry in state.pursuers:
        return CAPTURE
    if not state.rounds_left and not state.waiting:
        return SURVIVAL
    if not _can_any_move(state, state.pieces):
        return EXHAUSTED
    if not state.waiting and not _singles(state, Piece.MRX):
        return STRANDED
    return None


def winner(state: ScotlandYardState) -> frozenset[Piece]:
    end = outcome(state)
    if end is None:
        return frozenset()
    return frozenset({Piece.MRX}) if end.winner is Side.EVADER else frozenset(state.pieces)


def to_act(state: ScotlandYardState) -> Seat | None:
    if outcome(state) is not None:
        return None
    return Seat.PURSUERS if state.waiting else Seat.EVADER


def movers(state: ScotlandYardState) -> tuple[Piece, ...]:
    """Paragraph 10: the pieces whose moves are offered, if the game goes on."""
    if not state.waiting:
        return (Piece.MRX,)
    able = tuple(piece for piece in state.waiting if _can_any_move(state, (piece,)))
    return able if state.config.order is ScotlandYardOrder.ANY else able[:1]


def legal_actions(state: ScotlandYardState) -> tuple[ScotlandYardAction, ...]:
    """Mr X: singles, then doubles. Detectives: by seat. Within these by destination, then ticket."""
    if outcome(state) is not None:
        return ()
    if not state.waiting:
        singles = _singles(state, Piece.MRX)
        return (*singles, *_doubles(state, singles))
    return detective_moves(state)


def detective_moves(state: ScotlandYardState) -> tuple[Single, ...]:
    """What the detectives who have not moved may do; where Mr X is does not matter."""
    pieces = state.waiting if state.config.order is ScotlandYardOrder.ANY else movers(state)
    return tuple(move for piece in pieces for move in _singles(state, piece))


def check_action(state: ScotlandYardState, action: ScotlandYardAction) -> None:
    """Paragraph 11."""
    _check_is_move(action)
    reason = reason_against(state, action)
    if reason is None:
        return
    text = format_action(state.config, action)
    raise IllegalAction(f"{action.piece} (round {state.round}) cannot play {text}: {reason}{_legal_for(state, action)}")


def _legal_for(state: ScotlandYardState, action: ScotlandYardAction) -> str:
    """What would be legal. Mr X's moves give his place away, so they are listed for himself alone."""
    legal = legal_actions(state)
    if legal and action.piece is not Piece.MRX and not state.waiting:
        return "; legal: moves of Mr X"
    return "; legal: " + (one_of((format_action(state.config, a) for a in legal), 20) if legal else "nothing")


def reason_against(state: ScotlandYardState, action: ScotlandYardAction) -> str | None:
    """Why an action is not offered; None if it is. Must agree with `legal_actions`."""
    end = outcome(state)
    if end is not None:
        return f"the game is over ({end})"
    if action.piece not in state.players:
        return f"{action.piece} is not in this game"
    if wait := _out_of_turn(state, action.piece):
        return wait
    if isinstance(action, Double):
        return _against_double(state, action)
    seat = state.seat_of(action.piece)
    here = state.pursuers[seat - 1] if seat else state.quarry
    return _against_step(state, action.piece, here, action.ticket, action.to, state.tickets[seat])


def _check_is_move(action: object) -> None:
    """Refuse what is no move at all, before anything is asked of it."""
    if not isinstance(action, Single | Double):
        what = "a Single, a Double, or to State.advance notation such as T46"
        raise IllegalAction(f"{action!r} is not a move; give {what}")
    if not isinstance(action.piece, Piece):
        raise IllegalAction(f"{action!r} is not a move: its piece must be a Piece")
    for ticket, node in steps_of(action):
        if not isinstance(ticket, Ticket) or not isinstance(node, SupportsIndex):
            how = "board.node(46); single(board, piece, ticket, 46) takes labels"
            raise IllegalAction(f"{action!r} is not a move: a step is a Ticket and a node, such as {how}")


def taken_for_label(state: ScotlandYardState, action: object) -> str:
    """More words for an error, if the action would be legal were its nodes the labels of stations."""
    if not isinstance(action, Single | Double):
        return ""
    node = state.config.board.node
    with suppress(BadBoard):
        meant = replace(action, to=node(action.to))
        if isinstance(meant, Double):
            meant = replace(meant, mid=node(meant.mid))
        if meant in legal_actions(state):
            text = format_action(state.config, meant)
            return f"; did you mean {text}? A move takes nodes, counted from 0: board.node({action.to}) is {meant.to}"
    return ""


def _out_of_turn(state: ScotlandYardState, piece: Piece) -> str | None:
    if piece is Piece.MRX:
        return f"it is the turn of {one_of(map(str, movers(state)))}" if state.waiting else None
    if not state.waiting:
        return "it is Mr X's turn"
    if piece not in state.waiting:
        return f"{piece} has moved already this turn"
    if state.config.order is ScotlandYardOrder.SEATED and piece not in movers(state) and _singles(state, piece):
        return f"the detectives move in the order of seats, and it is the turn of {movers(state)[0]}"
    return None


def _against_step(
    state: ScotlandYardState, piece: Piece, here: Node, ticket: Ticket, to: Node, held: Tickets
) -> str | None:
    board = state.config.board
    if not 0 <= to < board.n_nodes:
        return f"there is no such node on board {board.name}; nodes are counted from 0 to {board.n_nodes - 1}"
    if ticket is Ticket.DOUBLE:
        return "a double ticket cannot pay for a single move"
    if piece is not Piece.MRX and ticket is Ticket.SECRET:
        return "detectives have no secret tickets"
    if (ticket, to) not in fares(board)[here]:
        what = "no edge" if ticket is Ticket.SECRET else f"no {ticket} edge"
        return f"{what} joins {board.label(here)} and {board.label(to)}"
    if held[ticket] < 1:
        return f"no {ticket} ticket left"
    if to in state.pursuers:
        return f"a detective stands on {board.label(to)}"
    return None


def _against_double(state: ScotlandYardState, action: Double) -> str | None:
    held = state.tickets[0]
    if action.piece is not Piece.MRX:
        return "only Mr X makes double moves"
    if not held.double:
        return "no double ticket left"
    if state.rounds_left < 2:
        return "a double move needs two rounds, and one is left"
    first = _against_step(state, Piece.MRX, state.quarry, action.ticket1, action.mid, held)
    if first is not None:
        return f"first step: {first}"
    second = _against_step(state, Piece.MRX, action.mid, action.ticket2, action.to, held.plus(action.ticket1, -1))
    return None if second is None else f"second step: {second}"


def apply_action(state: ScotlandYardState, action: ScotlandYardAction) -> ScotlandYardState:
    """The next state; checks first."""
    check_action(state, action)
    if action.piece is Piece.MRX:
        return _mrx_moved(state, action)
    assert isinstance(action, Single)
    return detective_moved(state, action)


def steps_of(action: ScotlandYardAction) -> tuple[Fare, ...]:
    """The tickets paid with the nodes reached, one for a single move, two for a double."""
    if isinstance(action, Double):
        return ((action.ticket1, action.mid), (action.ticket2, action.to))
    return ((action.ticket, action.to),)


def _mrx_moved(state: ScotlandYardState, action: ScotlandYardAction) -> ScotlandYardState:
    """Paragraphs 12 and 13: his tickets leave the game, the log shows a node in shown rounds."""
    held, log = state.tickets[0], state.log
    for ticket, node in steps_of(action):
        held = held.plus(ticket, -1)
        log = (*log, LogEntry(ticket, node if state.config.rounds[len(log)] else None))
    if isinstance(action, Double):
        held = held.plus(Ticket.DOUBLE, -1)
    tickets = (held, *state.tickets[1:])
    return ScotlandYardState(
        state.config, action.to, state.pieces, state.pursuers, tickets, log, state.pieces, state.free
    )


def detective_moved(state: ScotlandYardState, action: Single) -> ScotlandYardState:
    """Paragraph 12: the ticket goes to Mr X at once. Where he is does not matter."""
    seat = state.pieces.index(action.piece)
    pursuers = (*state.pursuers[:seat], action.to, *state.pursuers[seat + 1 :])
    held = list(state.tickets)
    held[0] = held[0].plus(action.ticket)
    held[seat + 1] = held[seat + 1].plus(action.ticket, -1)
    rest = tuple(piece for piece in state.waiting if piece is not action.piece)
    after = ScotlandYardState(
        state.config, state.quarry, state.pieces, pursuers, tuple(held), state.log, rest, state.free
    )
    return passed_over(after)


def passed_over(state: ScotlandYardState) -> ScotlandYardState:
    """Paragraph 10: when none of the detectives left in this turn can move, the turn is done."""
    if not state.waiting or _can_any_move(state, state.waiting):
        return state
    return ScotlandYardState(
        state.config, state.quarry, state.pieces, state.pursuers, state.tickets, state.log, (), state.free
    )
