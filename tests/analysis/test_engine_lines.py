"""The best moves at a moment: legal, best first, made from what the seat knows, the same for the same question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from manhunt.analysis.engine_lines import engine_lines
from manhunt.analysis.findings import Effort
from manhunt.core.ids import Seat
from manhunt.play.hindsight import Hindsight
from manhunt.play.variation import Variation
from outside_games import installed
from random_games import SMALL, random_record

QUICK = Effort(iterations=60, screened=10, sampled=60, played=(8, 12), seconds=0.1)


@pytest.mark.parametrize("name", SMALL)
def test_lines_are_legal_and_the_best_comes_first(name: str) -> None:
    record = random_record(name, 3, **SMALL[name])
    past = Hindsight(record)
    first = {past.acting(ply): ply for ply in range(past.last - 1, -1, -1)}
    for seat in (Seat.EVADER, Seat.PURSUERS):
        moves = record.actions[: first[seat]]
        found = engine_lines(record.format(), moves, 3, QUICK)
        assert found["seat"] == seat.value
        assert found["how"].endswith(".")
        assert 1 <= len(found["lines"]) <= 3
        for line in found["lines"]:
            assert Variation(past, len(moves), line["actions"]).last > len(moves)
            assert line["words"]
            if line["chance"]:
                mean, low, high = line["chance"]
                assert 0 <= low <= mean <= high <= 1
        chances = [line["chance"][0] for line in found["lines"] if line["chance"]]
        assert chances == sorted(chances, reverse=True)
        json.dumps(found)
        if name != "shortest_path":  # its bounds depend on the clock
            assert engine_lines(record.format(), moves, 3, QUICK) == found


def test_what_the_seat_does_not_know_makes_no_difference() -> None:
    """The detectives' lines are the same wherever Mr X has gone unseen."""
    record = random_record("pursuit", 3, board="grid:4x4", visibility="rounds", reveal_rounds=[9], max_rounds=12)
    past = Hindsight(record)
    ply = next(ply for ply in range(4, past.last) if past.acting(ply) is Seat.EVADER)
    lines = []
    for action in past.options(ply):
        moves = [*record.actions[:ply], past.game.format_action(past.config, action)]
        line = Variation(past, 0, moves)
        if line.acting(line.last) is Seat.PURSUERS:
            lines.append(json.dumps(engine_lines(record.format(), moves, 2, QUICK)))
    assert len(lines) > 1
    assert len(set(lines)) == 1


def test_a_game_without_lines_shows_its_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with installed(tmp_path, monkeypatch, tag_game="tag_game:KIT"):
        record = random_record("tag_game", 1)
        found = engine_lines(record.format(), record.actions[:1])
        assert len(found["lines"]) == 1
        assert found["lines"][0]["chance"] is None
