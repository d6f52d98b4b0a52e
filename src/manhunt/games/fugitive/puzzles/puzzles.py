"""Puzzles of Fugitive: which number is most likely a hideout? Every way the cards can lie is counted."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from manhunt.core.puzzle import Judged, Posed, Puzzle
from manhunt.draw.scenes import scene_of
from manhunt.games.fugitive.puzzles.words import best_lines, right_words
from manhunt.games.fugitive.rules.actions import Name
from manhunt.games.fugitive.rules.notation import parse_action
from manhunt.games.fugitive.rules.state import State
from manhunt.play.position import Position

KINDS = {"guess": "Which guess?"}


def pose(puzzle: Puzzle, position: Position) -> Posed:
    """Once a number is named, only asking for it is offered."""
    state: State = position.state
    scene = scene_of(position.view(puzzle.seat))
    if state.pending:
        scene = replace(scene, offers=tuple(offer for offer in scene.offers if offer.action == "ask"))
    return Posed(
        "Which one number is most likely to be a hidden hideout now? All ways the cards can lie are equally likely.",
        scene,
    )


def judge(puzzle: Puzzle, position: Position, text: str) -> Judged:
    """In a guess the number is named first, and then asked for."""
    action = parse_action(position.config, text)
    after = position.act(action)
    if isinstance(action, Name):
        return Judged(None, after)
    numbers = [str(number) for number in position.state.pending]
    solved = numbers == [puzzle.best]
    words = right_words(solved, numbers, puzzle)
    start = Position.of(puzzle.game, puzzle.config, puzzle.setup, puzzle.actions)
    shown = replace(scene_of(start.view(puzzle.seat)), turn=None, offers=())
    return Judged(solved, start, words, best_lines(puzzle), best=f"name:{puzzle.best}", scene=shown)


def check(puzzle: Puzzle, position: Position) -> bool:
    """Whether the chances are exact, and one number is clearly the best."""
    from manhunt.games.fugitive.puzzles.making import is_exact

    return is_exact(puzzle, position)


def find(kind: str, rng: Random) -> list[dict[str, Any]]:
    """At most one puzzle in a game between two quick agents."""
    from manhunt.games.fugitive.puzzles.making import find_in_game

    return find_in_game(rng)
