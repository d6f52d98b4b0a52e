"""The puzzles that games bring: found by name, by level and by the day, posed and answered. Nothing is kept between
two answers: whoever answers sends all their answers so far."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from manhunt.core.errors import BadText, ManhuntError, unknown
from manhunt.core.ids import Seat
from manhunt.core.puzzle import Judged, Posed, Puzzle
from manhunt.core.registry import kit_of, kits_with
from manhunt.core.scene import Scene
from manhunt.draw.scenes import scene_of
from manhunt.play.event_words import event_words
from manhunt.play.position import Position

FOLDER, PART = "puzzles", "puzzles"
LEVELS = ("Beginner", "Easy", "Medium", "Hard", "Expert")
LEAST_RATING, RATING_STEP = 800, 300
"""Of the weakest level, and from each level to the next. The scale is ours: what is measured is who solves what."""
SCALE = 400.0
MOST_ANSWERS = 60


class NoSuchPuzzle(ManhuntError):
    """There is no puzzle of this name."""


class Answered(NamedTuple):
    """What somebody sees after their answers so far; `solved` is None while the puzzle goes on."""

    solved: bool | None
    position: Position
    scene: Scene
    words: str
    why: tuple[str, ...]
    told: tuple[str, ...]
    """What has happened since the answer before the last."""
    best: str
    """What is right, in words, once it is over."""


# -- finding them ------------------------------------------------------------------------------------------------


@cache
def puzzles_of(game: str) -> tuple[Puzzle, ...]:
    """All puzzles of a game, in the order of their files; none where it brings none."""
    kit = kit_of(game)
    folder = kit.files / FOLDER
    if not kit.has(PART) or not folder.is_dir():
        return ()
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    documents = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return tuple(puzzle_from_json(game, row) for document in documents for row in document["puzzles"])


@cache
def all_puzzles() -> dict[str, Puzzle]:
    """By id."""
    return {puzzle.id: puzzle for kit in kits_with(PART) for puzzle in puzzles_of(kit.name)}


def find_puzzle(name: str) -> Puzzle:
    if name not in all_puzzles():
        raise NoSuchPuzzle(f"there is no puzzle {name[:60]!r}")
    return all_puzzles()[name]


def choose(game: str | None = None, level: str | None = None, kind: str | None = None) -> list[Puzzle]:
    """Those of a game, a level and a kind, the easiest first."""
    if level is not None and level not in LEVELS:
        raise BadText(unknown("level", level[:40], LEVELS))
    found = all_puzzles().values() if game is None else puzzles_of(game)
    fits = [p for p in found if level in (None, p.level) and kind in (None, p.kind)]
    return sorted(fits, key=lambda puzzle: (puzzle.rating, puzzle.id))


def daily(day: date, puzzles: Iterable[Puzzle]) -> Puzzle | None:
    """The puzzle of a day, the same for everybody; each comes once before one comes again."""
    return _in_turn(day.toordinal(), puzzles)


def daily_of_all(day: date) -> Puzzle | None:
    """The games take turns, and so do the puzzles of each."""
    games = [kit.name for kit in kits_with(PART) if puzzles_of(kit.name)]
    if not games:
        return None
    turn, i = divmod(day.toordinal(), len(games))
    return _in_turn(turn, puzzles_of(games[i]))


def _in_turn(number: int, puzzles: Iterable[Puzzle]) -> Puzzle | None:
    order = sorted(puzzles, key=lambda puzzle: hashlib.sha256(puzzle.id.encode()).digest())
    return order[number % len(order)] if order else None


def kind_title(puzzle: Puzzle) -> str:
    title: str = kit_of(puzzle.game).part(PART).KINDS[puzzle.kind]
    return title


def needs_solver(puzzle: Puzzle) -> bool:
    """Whether answers are looked up in a table that is solved first; others are known from the puzzle itself."""
    return bool(getattr(kit_of(puzzle.game).part(PART), "NEEDS_SOLVER", False))


# -- posing and answering ------------------------------------------------------------------------------------------


def position_of(puzzle: Puzzle) -> Position:
    return Position.of(puzzle.game, puzzle.config, puzzle.setup, puzzle.actions)


def pose(puzzle: Puzzle, position: Position | None = None) -> Posed:
    """The question, and what its seat sees."""
    posed: Posed = kit_of(puzzle.game).part(PART).pose(puzzle, position or position_of(puzzle))
    return posed


def story(puzzle: Puzzle) -> tuple[str, ...]:
    """What the seat was told until the puzzle begins."""
    return _told(position_of(puzzle), puzzle.seat, 0)


def answer(puzzle: Puzzle, texts: Sequence[str]) -> Answered:
    """What all answers so far lead to; BadText for one that cannot be given, or that comes after the end."""
    if not 1 <= len(texts) <= MOST_ANSWERS:
        raise BadText(f"give the answers so far, from 1 to {MOST_ANSWERS}")
    module = kit_of(puzzle.game).part(PART)
    judged, before = Judged(None, position_of(puzzle)), position_of(puzzle)
    for number, text in enumerate(texts, 1):
        if judged.solved is not None:
            raise BadText(f"this puzzle is over after {number - 1} of {len(texts)} answers")
        before = judged.position
        judged = module.judge(puzzle, before, text)
    told = _told(judged.position, puzzle.seat, len(before.actions) + 1)
    scene = judged.scene or _scene(puzzle, before, judged)
    best = "" if judged.solved is None else _best_words(puzzle, before, judged)
    return Answered(judged.solved, judged.position, scene, judged.words, judged.why, told, best)


def _scene(puzzle: Puzzle, before: Position, judged: Judged) -> Scene:
    """The position now; after a wrong move the one before, with an arrow for the best one."""
    if judged.solved is None:
        return pose(puzzle, judged.position).scene
    if judged.solved:
        return scene_of(judged.position.view(puzzle.seat))
    shown = replace(scene_of(before.view(puzzle.seat)), offers=())
    try:
        after = scene_of(before.play(judged.best or puzzle.best).view(puzzle.seat))
    except ManhuntError:
        return shown
    return replace(shown, arrows=after.moves_since(shown)) if shown.board is not None else shown


def _best_words(puzzle: Puzzle, before: Position, judged: Judged) -> str:
    best = judged.best or puzzle.best
    offers = (*pose(puzzle).scene.offers, *scene_of(before.view(puzzle.seat)).offers)
    return next((offer.words for offer in offers if offer.action == best), best)


def _told(position: Position, seat: Seat, first: int) -> tuple[str, ...]:
    events = position.events(seat, first - 1)
    return tuple(words for event in events if "t" in event and (words := event_words(position.game.name, event)))


# -- how hard they are ---------------------------------------------------------------------------------------------


def rating_of(solved: dict[str, tuple[int, int]]) -> int:
    """The rating at which the levels would solve as many tries as they did; one more try of a middling player is
    half right, so that it stays finite."""
    middle = LEAST_RATING + RATING_STEP * (len(LEVELS) - 1) / 2
    tries = [(LEAST_RATING + RATING_STEP * LEVELS.index(level), n, of) for level, (n, of) in solved.items()]
    tries.append((middle, 1, 2))  # type: ignore[arg-type]
    wanted = sum(n for _, n, _ in tries)
    low, high = 0.0, 3000.0
    for _ in range(40):
        guess = (low + high) / 2
        expected = sum(of / (1 + 10 ** ((guess - level) / SCALE)) for level, _, of in tries)
        low, high = (guess, high) if expected > wanted else (low, guess)
    return round(low)


def level_of(rating: int) -> str:
    """The level whose rating is nearest."""
    return LEVELS[max(0, min(len(LEVELS) - 1, round((rating - LEAST_RATING) / RATING_STEP)))]


# -- files ---------------------------------------------------------------------------------------------------------


def puzzle_from_json(game: str, row: dict[str, Any]) -> Puzzle:
    return Puzzle(
        row["id"],
        game,
        row["kind"],
        Seat(row["seat"]),
        row["config"],
        row["setup"],
        tuple(row["actions"]),
        row["best"],
        row["values"],
        row.get("more", {}),
        {level: (n, of) for level, (n, of) in row.get("solved", {}).items()},
        row.get("rating", 0),
        row.get("level", ""),
    )
