"""Puzzles of Adversarial Shortest Path: which road, which raise. All values are exact, on small graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from manhunt.core.ids import Seat
from manhunt.core.puzzle import Judged, Posed, Puzzle
from manhunt.draw.scenes import scene_of
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge
from manhunt.games.shortest_path.rules.notation import format_action, parse_action
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.play.position import Position

ROAD, RAISE = "road", "raise"
KINDS = {ROAD: "Which road?", RAISE: "Which raise?"}
SEAT_OF = {ROAD: Seat.EVADER, RAISE: Seat.PURSUERS}
MOST_NAMED = 4


def pose(puzzle: Puzzle, position: Position) -> Posed:
    state: ShortestPathState = position.state
    label = state.config.board.label
    if puzzle.kind == ROAD:
        question = (
            f"You are on {label(state.quarry)} and want to get to {label(state.config.target)}. "
            "Which road costs least in the end against the best play of the adversary?"
        )
    else:
        question = (
            f"You are the adversary; the traveller goes from {label(state.quarry)} to {label(state.config.target)}. "
            "Which edge do you raise, so that the rest of the way costs most against best play?"
        )
    return Posed(question, scene_of(position.view(puzzle.seat)))


def judge(puzzle: Puzzle, position: Position, text: str) -> Judged:
    after = position.play(text)
    answer = _known(position.state, text, puzzle.values)
    solved = answer == puzzle.best
    words = f"{'Yes' if solved else 'No'}: {_worth(position.state, [answer], puzzle.values[answer])}."
    return Judged(solved, after, words, tuple(_why(puzzle, position.state)))


def _known(state: ShortestPathState, text: str, values: Mapping[str, float]) -> str:
    """An edge may be named either way round."""
    action = parse_action(state.config, text)
    ways = [action, OnEdge(action.to, action.start)] if isinstance(action, OnEdge) else [action]
    return next(key for way in ways if (key := format_action(state.config, way)) in values)


def _worth(state: ShortestPathState, texts: Sequence[str], value: float) -> str:
    """What answers of one value are worth."""
    names = [_name(state, text) for text in texts[:MOST_NAMED]]
    names += [f"{len(texts) - MOST_NAMED} others"] if len(texts) > MOST_NAMED else []
    listed = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    if rules.whose_turn(state) is Seat.EVADER:
        return f"{listed}, the journey costs {value:.2f} from here"
    return f"raising {listed} makes the traveller pay {value:.2f} from here"


def _name(state: ShortestPathState, text: str) -> str:
    action = parse_action(state.config, text)
    if rules.whose_turn(state) is Seat.PURSUERS:
        return "nothing" if isinstance(action, EmptyMove) else text
    return "staying here" if isinstance(action, EmptyMove) else f"by way of {state.config.board.label(action.to)}"


def _why(puzzle: Puzzle, state: ShortestPathState) -> list[str]:
    """The answers from the best to the worst, those of one value together."""
    sign = 1 if puzzle.seat is Seat.EVADER else -1
    by_value: dict[float, list[str]] = {}
    for text in sorted(puzzle.values, key=lambda text: sign * puzzle.values[text]):
        by_value.setdefault(puzzle.values[text], []).append(text)
    best, *others = (_worth(state, texts, value) for value, texts in by_value.items())
    return [f"Best: {best}.", *(f"{line[:1].upper()}{line[1:]}." for line in others)]


def check(puzzle: Puzzle, position: Position) -> bool:
    """Whether the values are those of the solver, and one answer is clearly the best."""
    from manhunt.games.shortest_path.puzzles.making import is_exact

    return is_exact(puzzle, position)


def find(kind: str, rng: Random) -> list[dict[str, Any]]:
    """At most one puzzle in a game between two agents on a small graph."""
    from manhunt.games.shortest_path.puzzles.making import find_in_game

    return find_in_game(SEAT_OF[kind], rng)
