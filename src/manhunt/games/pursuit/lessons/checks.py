"""What tasks of the lessons ask for, and why a move is not it."""

from __future__ import annotations

from collections.abc import Mapping

from manhunt.analysis.lesson_checks import candidates_at_most, ends, escapes, listed, reaches
from manhunt.analysis.lessons import Check, Trial
from manhunt.boards.distance import distances
from manhunt.core.ids import Node, Seat
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.rules.words import detective_name
from manhunt.play.position import Position


def _label(position: Position, node: Node | None) -> str:
    assert node is not None, "all pieces are placed in a lesson"
    return str(position.config.board.label(node))


def comes_closer(trial: Trial, _: bool) -> str | None:
    """The detective who moved is fewer steps away from Mr X."""
    hops, state = distances(trial.after.config.board), trial.after.state
    piece = trial.last.piece
    before = int(hops[trial.before.state.pursuers[piece], state.quarry])
    after = int(hops[state.pursuers[piece], state.quarry])
    if after < before:
        return None
    here = _label(trial.after, state.pursuers[piece])
    return f"From {here} it is {after} steps to Mr X; {detective_name(piece)} was only {before} steps away."


def covers(trial: Trial, label: str) -> str | None:
    """The detective who moved can step onto this node in the next turn."""
    state, board = trial.after.state, trial.after.config.board
    piece = trial.last.piece
    near = board.neighbours(state.pursuers[piece])
    if board.node(label) in near:
        return None
    here = _label(trial.after, state.pursuers[piece])
    reached = listed([board.label(node) for node in near])
    return f"From {here} {detective_name(piece)} can go on to {reached}, and not to {label}."


def catches(trial: Trial, _: bool) -> str | None:
    """Mr X is caught, or has no way left."""
    if trial.after.game.outcome(trial.after.state) is not None:
        return ends(trial, Seat.PURSUERS.value)
    return f"Mr X is on {_label(trial.after, trial.after.state.quarry)}, and nobody has stepped onto it."


def forces(trial: Trial, rounds: int) -> str | None:
    """From here the detectives catch Mr X in so many rounds, whatever he does."""
    way = escapes(trial.after, rounds)
    if way is None:
        return None
    if way.state.quarry == trial.after.state.quarry:
        return "After this move the detectives come too late, however they go on."
    return f"Now Mr X has a way out: he goes to {_label(way, way.state.quarry)}, and nobody gets there in time."


def is_safe(trial: Trial, _: bool) -> str | None:
    """No detective stands next to Mr X."""
    state: PursuitState = trial.after.state
    near = trial.after.config.board.neighbours(state.quarry)
    for piece, node in enumerate(state.pursuers):
        if node in near:
            here, at = _label(trial.after, state.quarry), _label(trial.after, node)
            return f"{detective_name(piece).capitalize()} stands on {at} and steps onto {here} next."
    return None


def ways_on(trial: Trial, least: int) -> str | None:
    """From where Mr X stands, so many nodes are one step away."""
    state, board = trial.after.state, trial.after.config.board
    ways = [board.label(node) for node in board.neighbours(state.quarry)]
    if len(ways) >= least:
        return None
    return f"From {_label(trial.after, state.quarry)} you can only go to {listed(ways)}."


def survives(trial: Trial, rounds: int) -> str | None:
    """The detectives cannot force a catch in so many rounds."""
    if escapes(trial.after, rounds) is not None:
        return None
    here = _label(trial.after, trial.after.state.quarry)
    return f"On {here} you are caught within {rounds} rounds, whatever you do then."


CHECKS: Mapping[str, Check] = {
    "reaches": reaches,
    "comes_closer": comes_closer,
    "covers": covers,
    "catches": catches,
    "forces": forces,
    "is_safe": is_safe,
    "ways_on": ways_on,
    "survives": survives,
    "candidates_at_most": candidates_at_most,
}
