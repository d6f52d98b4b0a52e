"""`manhunt analyse` in the terminal: words for who is never caught, and the way from a marked move to its position."""

import re
from pathlib import Path

import pytest

from manhunt.agents.registry import make_agent
from manhunt.analysis.plots import value_plot
from manhunt.analysis.report_words import value_text
from manhunt.cli.main import run
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import make_game
from manhunt.play.record import load_record
from manhunt.play.referee import play_game

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def lost_game(tmp_path_factory) -> Path:
    """The game of docs/how-to/why-did-my-bot-lose.md."""
    out = tmp_path_factory.mktemp("duel") / "duel"
    quarry = f"{ROOT / 'examples' / 'careful_quarry.py'}:CarefulQuarry"
    line = ["arena", "pursuit", "--agent-evader", quarry, "--agent-pursuers", "greedy", "--games", "1", "--seed", "1"]
    assert run([*line, "--out", str(out), "--workers", "0"]) == 0
    return next((out / "records").iterdir())


def test_a_marked_move_leads_to_the_position_before_it(lost_game: Path, capsys) -> None:
    capsys.readouterr()
    assert run(["analyse", str(lost_game)]) == 0
    out = capsys.readouterr().out
    marked = re.search(r"^\?\? round 7, Mr X: (to 18 instead of to 19: .*) \(before it: ply (\d+)\)$", out, re.M)
    assert marked, out
    ply = int(marked[2])
    assert f"manhunt replay {lost_game} --ply {ply} shows the position before it\n" in out
    replay = load_record(lost_game).replay()
    assert replay[ply].round_to_play == 7
    assert replay[ply + 1].action_text == "X:18"


def test_who_is_never_caught_is_said_in_words(lost_game: Path, capsys) -> None:
    capsys.readouterr()
    assert run(["analyse", str(lost_game)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 Mr X to 18 never caught 1 detectives" in out
    assert "from never caught at the start to 7 at the end" in out
    assert "(rounds; never caught counts as 10; + is good for Mr X)" in out
    found = load_record(lost_game).analyse().to_json()
    assert ">never</text>" in value_plot(found)


def test_only_the_top_of_a_scale_of_rounds_is_never() -> None:
    axis = {"unit": "rounds", "low": 0.0, "high": 10.0}
    assert [value_text(axis, value) for value in (None, 9.0, 10.0)] == ["", "9", "never caught"]
    assert value_text({"unit": "chance", "low": 0.0, "high": 1.0}, 1.0) == "100 %"
    assert value_text({"unit": "cost", "low": 0.0, "high": 9.0}, -9.0) == "9"


def test_a_game_without_mistakes_names_no_position(tmp_path: Path, capsys) -> None:
    game = make_game("pursuit")
    agents = {seat: make_agent("solved", "pursuit") for seat in PLAYERS}
    file = tmp_path / "game one.txt"
    play_game(game, game.make_config(board="grid:3x3"), agents, seed=1).save(file)
    assert run(["analyse", str(file)]) == 0
    assert "manhunt replay" not in capsys.readouterr().out
