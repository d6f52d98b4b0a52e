"""What the first visitors need is asked for ahead: every question of every quick game has an answer."""

from __future__ import annotations

import pytest

from manhunt.core.registry import kit_of
from manhunt.server import compile_ahead


@pytest.mark.parametrize("game", compile_ahead.quick_games())
def test_every_question_of_a_quick_game_is_answered(game: str) -> None:
    answers = compile_ahead.play_and_ask(game)
    assert set(answers) == set(kit_of(game).questions)
    assert all(answers.values())


def test_it_is_done_once(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign = tmp_path / "kernels" / "ahead"
    asked: list[str] = []
    monkeypatch.setattr(compile_ahead, "_done", lambda: sign)
    monkeypatch.setattr(compile_ahead, "play_and_ask", asked.append)
    compile_ahead.compile_ahead()
    assert asked == list(compile_ahead.quick_games())
    assert sign.exists()
    compile_ahead.compile_ahead()
    assert asked == list(compile_ahead.quick_games())
