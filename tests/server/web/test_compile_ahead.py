"""What the first visitors need is asked for ahead: every question of every quick game has an answer."""

from __future__ import annotations

import pytest

from manhunt.server import compile_ahead
from manhunt.server.catalog import QUICK


@pytest.mark.parametrize("game", sorted(QUICK))
def test_every_question_of_a_quick_game_is_answered(game: str) -> None:
    answers = compile_ahead.play_and_ask(game)
    assert set(answers) == set(compile_ahead.QUESTIONS[game])
    assert all(answers.values())


def test_it_is_done_once(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign = tmp_path / "kernels" / "ahead"
    asked: list[str] = []
    monkeypatch.setattr(compile_ahead, "_done", lambda: sign)
    monkeypatch.setattr(compile_ahead, "play_and_ask", asked.append)
    compile_ahead.compile_ahead()
    assert asked == list(QUICK)
    assert sign.exists()
    compile_ahead.compile_ahead()
    assert asked == list(QUICK)
