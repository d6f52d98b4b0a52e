"""Checks that lessons of several games use: where pieces go, what can be known, how it ends.

Each is what a task asks for, told from what the learner did; see `lessons.Check`.
"""

from __future__ import annotations

from manhunt.analysis.lessons import Trial
from manhunt.core.ids import Node, Seat
from manhunt.core.registry import kit_of
from manhunt.draw.scenes import scene_of
from manhunt.play.position import Position

MOST_NAMED = 8


def listed(labels: list[str]) -> str:
    """`67`, `67 and 79`, `67, 79 and 93`."""
    if len(labels) > MOST_NAMED:
        return f"{', '.join(labels[:MOST_NAMED])} and {len(labels) - MOST_NAMED} more"
    return " and ".join(filter(None, [", ".join(labels[:-1]), *labels[-1:]]))


def reaches(trial: Trial, label: str) -> str | None:
    """The last move leads to this node."""
    to = trial.after.config.board.label(trial.last.to)
    return None if to == label else f"That move leads to {to}; the task is to reach {label}."


def ends(trial: Trial, seat: str) -> str | None:
    """The game is over, and this seat has won."""
    outcome = trial.after.game.outcome(trial.after.state)
    if outcome is None:
        return "The game goes on after this move: look for one that ends it."
    if outcome.winner.value != seat:
        return f"That ends the game for the wrong side: {scene_of(trial.after.view(trial.seat)).ending}."
    return None


def places(position: Position, nodes: frozenset[Node]) -> list[str]:
    return [position.config.board.label(node) for node in sorted(nodes)]


def candidates_at_most(trial: Trial, most: int) -> str | None:
    """The hunters know that the quarry is on one of so few nodes."""
    found = places(trial.after, trial.candidates())
    if len(found) <= most:
        return None
    who = kit_of(trial.after.game.name).game.called(Seat.EVADER)
    return f"After this move {who} can still be in {len(found)} places: {listed(found)}."


def candidates_at_least(trial: Trial, least: int) -> str | None:
    """The hunters have so many nodes to think of."""
    found = places(trial.after, trial.candidates())
    if len(found) >= least:
        return None
    return f"After this move they only have to look at {listed(found)}; leave them at least {least} places."


def has_won(position: Position, seat: Seat) -> bool:
    outcome = position.game.outcome(position.state)
    return outcome is not None and outcome.winner.value == seat.value


def escapes(position: Position, rounds: int) -> Position | None:
    """What the quarry can do so that the pursuers, who see everything, cannot catch it in so many rounds; None if
    they can force it. The position is any in which somebody acts."""
    if has_won(position, Seat.PURSUERS):
        return None
    acting = position.to_act
    if acting is None or (acting is Seat.EVADER and rounds == 0):
        return position
    after = [position.act(action) for action in position.legal]
    if acting is Seat.EVADER:
        return next((each for each in after if escapes(each, rounds - 1) is not None), None)
    return None if any(escapes(each, rounds) is None for each in after) else position
