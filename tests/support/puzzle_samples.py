"""Puzzles for a test: some of a kind, drawn anew each time with a seed that is printed; all with ALL_PUZZLES=1."""

from __future__ import annotations

import os
from random import Random

from manhunt.analysis.puzzles import puzzles_of
from manhunt.core.puzzle import Puzzle

ALL = os.environ.get("ALL_PUZZLES", "0") != "0"


def some_puzzles(game: str, n: int, kind: str | None = None) -> list[Puzzle]:
    found = [puzzle for puzzle in puzzles_of(game) if kind in (None, puzzle.kind)]
    if ALL:
        return found
    seed = int(os.environ.get("PUZZLE_SEED") or Random().randrange(1 << 30))
    print(f"PUZZLE_SEED={seed}")
    return Random(seed).sample(found, n)
