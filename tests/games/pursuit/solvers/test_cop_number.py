"""Textbook cop numbers and capture times."""

from __future__ import annotations

import pytest

from manhunt.boards.catalog import load_board
from manhunt.games.pursuit.solvers.cop_number import find_cop_number


@pytest.mark.parametrize(
    ("board", "cops", "moves"),
    [
        ("path:5", 1, 2),
        ("path:9", 1, 4),
        ("complete:5", 1, 1),
        ("ring:3", 1, 1),
        ("ring:5", 2, 1),
        ("ring:12", 2, 3),
        ("petersen", 3, 1),
        ("dodecahedron", 3, None),
        ("torus:6x6", 3, None),
        ("grid:10x10", 2, 9),
        ("grid:5x4", 2, 3),
    ],
)
def test_textbook_cop_numbers(board: str, cops: int, moves: int | None) -> None:
    found = find_cop_number(load_board(board), 4)
    assert found.cop_number == cops
    if moves is not None:
        assert found.capture_time == moves


def test_more_than_the_limit_is_no_number() -> None:
    assert find_cop_number(load_board("petersen"), 2).cop_number is None
