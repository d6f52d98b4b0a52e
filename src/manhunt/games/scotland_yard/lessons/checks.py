"""What tasks of the lessons ask for, and why a move is not it."""

from __future__ import annotations

from collections.abc import Mapping

from manhunt.analysis.lesson_checks import (
    candidates_at_least,
    candidates_at_most,
    ends,
    listed,
    reaches,
)
from manhunt.analysis.lessons import Check, Trial
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.rules.actions import Double, Piece, Ticket, parse_piece
from manhunt.games.scotland_yard.rules.rules import steps_of
from manhunt.games.scotland_yard.rules.state import ScotlandYardState


def moves(trial: Trial, name: str) -> str | None:
    """This piece moves."""
    piece: Piece = trial.last.piece
    return None if piece is parse_piece(name) else f"That was {piece}; move {name} first."


def pays(trial: Trial, name: str) -> str | None:
    """Some step is paid with this ticket."""
    paid = [ticket for ticket, _ in steps_of(trial.last)]
    if name in map(str, paid):
        return None
    return f"That step is paid with {_a(str(paid[0]))} ticket; look for one that is paid with {_a(name)} ticket."


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def covers(trial: Trial, label: str) -> str | None:
    """The piece that moved can step onto this station in its next turn."""
    state: ScotlandYardState = trial.after.state
    piece, node = trial.last.piece, state.config.board.node(label)
    if node in _reachable(state, piece):
        return None
    reached = [state.config.board.label(to) for to in sorted(_reachable(state, piece))]
    return f"From {state.place_of(piece)} {piece} can go on to {listed(reached)}, and not to {label}."


def _reachable(state: ScotlandYardState, piece: Piece) -> set[Node]:
    """Where a detective can go next with the tickets left, whoever stands there."""
    board, held = state.config.board, state.tickets_of(piece)
    here = state.pursuers[state.pieces.index(piece)]
    return {to for to, transport in board.steps(here) if held[Ticket(transport)]}


def is_safe(trial: Trial, _: bool) -> str | None:
    """No detective can step onto Mr X in their next turn."""
    state: ScotlandYardState = trial.after.state
    for piece in state.pieces:
        if state.quarry in _reachable(state, piece):
            at = state.config.board.label(state.quarry)
            return f"{str(piece).capitalize()} stands on {state.place_of(piece)} and can step onto {at}."
    return None


def catches(trial: Trial, _: bool) -> str | None:
    """A detective steps onto Mr X's station."""
    state: ScotlandYardState = trial.after.state
    return None if state.quarry in state.pursuers else f"Mr X is not on {state.place_of(trial.last.piece)}."


def is_double(trial: Trial, wanted: bool) -> str | None:
    if isinstance(trial.last, Double) is wanted:
        return None
    return "That was one step; a double move is two steps in one turn." if wanted else "One step is enough here."


def ways_on(trial: Trial, least: int) -> str | None:
    """From where Mr X shows himself, so many stations are one step away."""
    state: ScotlandYardState = trial.after.state
    board = state.config.board
    n = len(board.neighbours(state.quarry))
    if n >= least:
        return None
    return f"From {board.label(state.quarry)} only {n} stations are one step away, so they find you soon."


CHECKS: Mapping[str, Check] = {
    "reaches": reaches,
    "moves": moves,
    "pays": pays,
    "covers": covers,
    "is_safe": is_safe,
    "catches": catches,
    "is_double": is_double,
    "ways_on": ways_on,
    "candidates_at_most": candidates_at_most,
    "candidates_at_least": candidates_at_least,
    "ends": ends,
}
