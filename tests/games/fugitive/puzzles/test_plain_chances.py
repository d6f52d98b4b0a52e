"""Puzzles of Fugitive against the slow twin of the count: every row on its own, with whole numbers."""

from __future__ import annotations

import pytest

from fugitive_plain_count import PlainCount
from manhunt.analysis.puzzles import position_of
from manhunt.core.ids import Seat
from manhunt.games.fugitive.beliefs.evidence import gather
from manhunt.games.fugitive.puzzles.making import CLEAR
from manhunt.play.position import Position
from puzzle_samples import some_puzzles


def plain_chances(position: Position) -> dict[str, float]:
    """By number, how likely it is a hideout that lies face down."""
    view = position.view(Seat.PURSUERS)
    hidden = [i for i, spot in enumerate(view.public.row) if spot.card is None]
    weights = PlainCount(gather(view.public, view.hand)).weights()
    total, found = sum(weights.values()), dict[str, float]()
    for row, weight in weights.items():
        for i in hidden:
            found[str(row[i])] = found.get(str(row[i]), 0) + weight / total
    return found


def test_puzzles_are_right_by_the_plain_count() -> None:
    for puzzle in some_puzzles("fugitive", 4):
        print(puzzle.id)
        chances = plain_chances(position_of(puzzle))
        assert {number: chance for number, chance in chances.items() if round(chance, 6)} == pytest.approx(
            dict(puzzle.values), abs=2e-6
        )
        best, second = sorted(chances, key=lambda number: -chances[number])[:2]
        assert best == puzzle.best
        assert chances[best] - chances[second] >= CLEAR
