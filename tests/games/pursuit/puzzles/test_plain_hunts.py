"""Puzzles of Pursuit against a search that knows only the rule book: who is caught in how many rounds."""

from __future__ import annotations

import pytest

from manhunt.analysis.puzzles import position_of
from manhunt.core.puzzle import Puzzle
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.play.position import Position
from pursuit_reference import Reference
from puzzle_samples import some_puzzles


def caught_within(reference: Reference, state: PursuitState, rounds: int) -> bool:
    """In so many rounds, the one that is being played counted."""
    assert state.quarry is not None
    return rounds >= 0 and not reference.survives_from(state.quarry, state.pursuers, state.waiting, rounds)


def rounds_after(position: Position, answer: str, longest: int) -> int | None:
    """In how many rounds he is caught after an answer; None if he lasts longer than `longest`."""
    after = position.play(answer).state
    reference = Reference(position.config)
    return next((n for n in range(1, longest + 1) if caught_within(reference, after, n)), None)


def check_catch(puzzle: Puzzle, position: Position) -> None:
    """One answer alone catches him in time."""
    rounds = int(puzzle.config["max_rounds"])
    found = {answer: rounds_after(position, answer, rounds) for answer in puzzle.values}
    assert set(puzzle.values) == {position.text_of(action) for action in position.legal}
    assert {answer: n for answer, n in found.items() if n is not None} == {puzzle.best: rounds}


def check_escape(puzzle: Puzzle, position: Position) -> None:
    """All other answers lose within some rounds, after which he is free for two more if he answered best."""
    others = {answer: rounds for answer, rounds in puzzle.values.items() if answer != puzzle.best}
    assert set(puzzle.values) == {position.text_of(action) for action in position.legal}
    assert {answer: rounds_after(position, answer, max(others.values())) for answer in others} == others
    assert rounds_after(position, puzzle.best, max(others.values()) + 1) is None


@pytest.mark.parametrize(("kind", "check", "n"), [("catch", check_catch, 3), ("escape", check_escape, 2)])
def test_puzzles_are_right_by_the_rule_book_alone(kind, check, n: int) -> None:
    for puzzle in some_puzzles("pursuit", n, kind):
        print(puzzle.id)
        check(puzzle, position_of(puzzle))
