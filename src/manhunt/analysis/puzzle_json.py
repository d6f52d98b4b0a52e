"""Puzzles as JSON, for pages and programs. Nothing that is made before an answer knows what is right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from manhunt.analysis.puzzles import (
    LEVELS,
    PART,
    answer,
    choose,
    daily,
    daily_of_all,
    find_puzzle,
    kind_title,
    pose,
    puzzles_of,
    story,
)
from manhunt.core.kit import Kit
from manhunt.core.puzzle import Puzzle
from manhunt.core.registry import kits_with
from manhunt.draw.scene_json import offers_json, scene_json


def list_json(day: date, game: str | None = None, level: str | None = None, kind: str | None = None) -> dict[str, Any]:
    """The puzzles that fit, the games with their kinds, and those of the day."""
    kits = [kit for kit in kits_with(PART) if puzzles_of(kit.name)]
    today = {kit.name: _id(daily(day, puzzles_of(kit.name))) for kit in kits}
    return {
        "levels": list(LEVELS),
        "games": [_game(kit) for kit in kits],
        "daily": {"date": day.isoformat(), "puzzle": _id(daily_of_all(day)), "games": today},
        "puzzles": [brief_json(puzzle) for puzzle in choose(game, level, kind)],
    }


def _game(kit: Kit) -> dict[str, Any]:
    kinds: dict[str, str] = dict(kit.part(PART).KINDS)
    return {"name": kit.name, "title": kit.title, "kinds": kinds, "n": len(puzzles_of(kit.name))}


def _id(puzzle: Puzzle | None) -> str | None:
    return None if puzzle is None else puzzle.id


def brief_json(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "id": puzzle.id, "game": puzzle.game, "kind": puzzle.kind, "level": puzzle.level, "rating": puzzle.rating
    }  # fmt: skip


def puzzle_json(puzzle: Puzzle) -> dict[str, Any]:
    """What is shown to whoever is to solve it."""
    posed = pose(puzzle)
    return {
        **brief_json(puzzle),
        "title": kind_title(puzzle),
        "seat": puzzle.seat.value,
        "question": posed.question,
        "scene": scene_json(posed.scene),
        "offers": offers_json(posed.scene),
        "story": list(story(puzzle)),
    }


def answer_json(name: str, texts: Sequence[str]) -> dict[str, Any]:
    """Task of a worker: what all answers so far lead to."""
    puzzle = find_puzzle(name)
    found = answer(puzzle, texts)
    on = found.solved is None
    return {
        "id": puzzle.id,
        "solved": found.solved,
        "words": found.words,
        "why": list(found.why),
        "best": found.best,
        "told": list(found.told),
        "question": pose(puzzle, found.position).question if on else "",
        "scene": scene_json(found.scene),
        "offers": offers_json(found.scene) if on else [],
    }
