"""Puzzles of Scotland Yard: where Mr X can be, and which move traps him. All answers are exact."""

from random import Random
from typing import Any

from manhunt.core.puzzle import Judged, Posed, Puzzle
from manhunt.draw.scenes import scene_of
from manhunt.games.scotland_yard.puzzles import trap, where
from manhunt.play.position import Position

KINDS = {where.WHERE: "Where can Mr X be?", trap.TRAP: "Which move traps him?"}


def pose(puzzle: Puzzle, position: Position) -> Posed:
    if puzzle.kind == where.WHERE:
        return Posed(where.question(puzzle, position), where.scene(puzzle, position))
    return Posed(trap.question(position), scene_of(position.view(puzzle.seat)))


def judge(puzzle: Puzzle, position: Position, text: str) -> Judged:
    if puzzle.kind == where.WHERE:
        return where.judge(puzzle, position, text)
    return trap.judge(puzzle, position, text)


def check(puzzle: Puzzle, position: Position) -> bool:
    """Whether the values are exact, and one answer alone is right."""
    if puzzle.kind != where.WHERE:
        values = trap.values_of(position)
        return values == dict(puzzle.values) and trap.unique_best(values) == puzzle.best
    possible = where.values_of(puzzle.values, position)
    right = [station for station, can in possible.items() if can == where.is_possible(puzzle)]
    return possible == dict(puzzle.values) and right == [puzzle.best]


def attempt(puzzle: Puzzle, level: int, rng: Random) -> bool | None:
    """How the readers of the travel log do; None where agents can try the puzzle themselves."""
    if puzzle.kind != where.WHERE:
        return None
    position = Position.of(puzzle.game, puzzle.config, puzzle.setup, puzzle.actions)
    return where.attempt(puzzle, position, level, rng)


def find(kind: str, rng: Random) -> list[dict[str, Any]]:
    return where.find(rng) if kind == where.WHERE else trap.find(rng)
