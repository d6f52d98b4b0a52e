"""Pursuit without the name of a command: `manhunt --mode ...` and the options of its document."""

import io
import json
from pathlib import Path

import pytest

from manhunt.cli.main import command_of_mode, run
from manhunt.cli.terminal.contract import make_screen
from manhunt.cli.terminal.options import _usual_agent
from manhunt.games.pursuit.solvers.policy_file import load_policy


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("--no-viz", "watch pursuit --no-viz"),
        ("--mrx 9 --detectives 3 6 14", "watch pursuit --mrx 9 --detectives 3 6 14"),
        ("--mode random --no-viz", "watch pursuit --no-viz"),
        ("--mode play", "play pursuit --as mrx"),
        ("--mode=play --mrx 9", "play pursuit --as mrx --mrx 9"),
        ("--mode play-detective --policy-file p.json", "play pursuit --as detectives --policy-file p.json"),
        ("--mode solve --no-viz --dump-policy p.json", "solve --dump-policy p.json"),
    ],
)
def test_a_mode_stands_for_a_command(given: str, meant: str) -> None:
    assert command_of_mode(given.split()) == meant.split()


@pytest.mark.parametrize(
    ("given", "detectives", "mrx"),
    [
        ("--no-viz", "5 10", "1"),
        ("--mrx 1 --detectives 5 10 --no-viz", "5 10", "1"),
        ("--mode random --mrx 9 --detectives 3 6 14 --no-viz", "3 6 14", "9"),
    ],
)
def test_random_agents_play_in_text(capsys, given: str, detectives: str, mrx: str) -> None:
    assert run(given.split()) == 0
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert first.endswith("mrx random, detectives random")
    assert lines[:2] == [f"detectives on {detectives}", f"Mr X on {mrx}"]
    assert any(line.startswith("Result: ") for line in [*lines, last])


def test_the_usual_start_is_solved_and_its_policy_played(capsys, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "policy.json"
    solve = ["--mode", "solve", "--max-rounds", "4", "--dump-policy", str(file)]
    assert run([*solve, "--board-name", "top-right-simple-v1"]) == 0
    written = json.loads(file.read_text())
    assert written["board"] == "top-right-simple-v1"
    assert written["config"] == {"mrx_start": 1, "detective_starts": [5, 10], "max_rounds": 4}
    assert written["solver"] == {"forced_escape": True, "states_evaluated": 630, "policy_size": 113}
    assert written["policy"]["r=0|p=mrx|x=1|d=5,10"] == 8
    assert load_policy(file).config.board.name == "top-right-20"
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert run(["--mode", "play-detective", "--policy-file", str(file)]) == 0
    assert "Pursuit, round 1 of 4" in capsys.readouterr().out


def test_the_usual_start_is_that_of_the_board(capsys) -> None:
    assert run(["solve", "--board", "top-right-simple-v1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["config"]["detective_starts"] == [5, 10]
    assert run(["solve", "--board", "petersen"]) == 2
    assert "no place for Mr X" in capsys.readouterr().err
    assert run(["solve", "--mrx", "1"]) == 2
    assert "no detectives" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--mode", "nope"], "manhunt: argument --mode: invalid choice: 'nope'"),
        (["--mode", "play", "--what"], "manhunt: unrecognized arguments: --what"),
        (["solve", "--board-name", "london"], "manhunt: --board-name needs --dump-policy FILE"),
        (
            ["solve", "--dump-policy", "NEW", "--board-name", "london"],
            "manhunt: top-right-20 has no other name 'london'; it is known as top-right-20, top-right-simple-v1",
        ),
    ],
)
def test_bad_modes_are_one_line(capsys, tmp_path: Path, given: list[str], message: str) -> None:
    assert run([word.replace("NEW", str(tmp_path / "new.json")) for word in given]) == 2
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1
    assert not (tmp_path / "new.json").exists()


def test_the_help_tells_of_modes(capsys) -> None:
    with pytest.raises(SystemExit):
        run(["--help"])
    assert "manhunt --mode play-detective" in capsys.readouterr().out


@pytest.mark.parametrize("game", ["pursuit", "scotland_yard", "fugitive", "shortest_path"])
def test_nobody_plays_against_random_unless_they_ask_for_it(game: str) -> None:
    screen = make_screen(game)
    assert "random" not in {_usual_agent(screen, word, acting=True) for word in screen.words}


def test_the_detectives_play_against_the_solved_mr_x() -> None:
    assert _usual_agent(make_screen("pursuit"), "mrx", acting=True) == "solved"
