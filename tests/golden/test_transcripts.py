"""Whole games, step by step, as they were reviewed."""

from pathlib import Path

import pytest

from manhunt.core.registry import game_names
from manhunt.play.record import load_record, replay
from transcript import format_transcript

RECORDS = sorted(Path(__file__).parent.glob("*.record.txt"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.name)
def test_the_transcript_is_the_reviewed_one(path: Path) -> None:
    reviewed = path.with_name(path.name.replace(".record.", ".transcript.")).read_text(encoding="utf-8")
    assert format_transcript(replay(load_record(path), path.name)) == reviewed


def test_every_game_has_one() -> None:
    assert {load_record(path).game for path in RECORDS} == set(game_names())
