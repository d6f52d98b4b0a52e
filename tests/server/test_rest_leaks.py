"""REST answers a seat from what that seat knows: two seats at one version, and two worlds that look alike."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from example_games import known_here
from manhunt.analysis.insights import insights_of
from manhunt.core.ids import Seat
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.server import replays
from manhunt.server.shared_work import SharedWork
from rest_leaks import RestLeaks, look_for_rest_leaks, steady_advice

SMALL = [(name, Seat.PURSUERS, kit_of(name).small) for name in BUILT_IN]
HIDING: list[tuple[str, Seat, Mapping[str, Any]]] = [
    ("scotland_yard", Seat.PURSUERS, kit_of("scotland_yard").small),
    ("pursuit", Seat.PURSUERS, {"visibility": "rounds", "reveal_rounds": [3, 6], "board": "grid:4x4"}),
    ("pursuit", Seat.PURSUERS, {"visibility": "sight", "board": "petersen", "n_detectives": 1}),
    ("fugitive", Seat.PURSUERS, {"preset": "mini"}),
    ("fugitive", Seat.EVADER, {"preset": "mini"}),
]
"""Where a seat has worlds that it cannot tell apart."""
TABLES = [*(table for table in SMALL if table not in HIDING), *HIDING]


def look(folder: Path, name: str, seat: Seat, options: Mapping[str, Any], seed: int = 0) -> RestLeaks:
    with steady_advice():
        return look_for_rest_leaks(str(folder / "games.db"), name, options, 1, seed, seat)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{table[1].value}")
def test_every_answer_is_made_from_what_the_seat_knows(tmp_path, table: tuple[str, Seat, Mapping[str, Any]]) -> None:
    leaks = look(tmp_path, *table, seed=TABLES.index(table))
    assert leaks.found == []
    assert {what for _, what in leaks.answered} == set(insights_of(table[0]))
    assert leaks.n_pairs == (table in HIDING)
    assert leaks.n_answers > 100


def test_a_game_of_another_package_is_asked_about_too(tmp_path, night_chase_folder: Path) -> None:
    with known_here(night_chase_folder):
        leaks = look(tmp_path, "night_chase", Seat.PURSUERS, kit_of("night_chase").small)
        assert {what for _, what in leaks.answered} == set(insights_of("night_chase")) >= {"belief", "hint"}
    assert leaks.found == []
    assert leaks.n_pairs == 1


def test_answers_kept_without_the_seat_would_be_found(tmp_path) -> None:
    answer = SharedWork.answer

    async def forgetful(self: SharedWork, key: Any, work: Any, request: Any) -> Any:
        return await answer(self, tuple(part for part in key if not isinstance(part, Seat)), work, request)

    with mock.patch.object(SharedWork, "answer", forgetful):
        leaks = look(tmp_path, *HIDING[0])
    assert any("was not made from what it knows" in found for found in leaks.found)
    assert any(found.startswith("pursuers asks ") for found in leaks.found)


def test_a_replay_that_shows_a_seat_the_truth_would_be_found(tmp_path) -> None:
    frames_of = replays.frames_of

    def telling(past: Any, track: str, first: int, n: int) -> Any:
        return frames_of(past, "truth", first, n)

    with mock.patch("manhunt.server.api_replays.frames_of", telling):
        leaks = look(tmp_path, *HIDING[0])
    assert any("/replay/pursuers" in found for found in leaks.found)
