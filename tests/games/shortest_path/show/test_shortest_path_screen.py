"""Adversarial Shortest Path at the command line: watched, played, saved."""

import io
import json
import sys

import pytest

from manhunt.cli.main import run
from manhunt.games.shortest_path.solvers.bounds import bounds_from_json, check_bounds
from manhunt.play.record import load_record, replay

FILE = "Starting node: 1\nEnding node: 6\nEdges:\n1 2\n1 3\n2 4\n3 4\n3 5\n4 6\n5 6\n"


@pytest.fixture
def game_file(tmp_path) -> str:
    path = tmp_path / "game.txt"
    path.write_text(FILE)
    return str(path)


def typed(monkeypatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_watch_prints_costs_and_the_total(game_file, capsys) -> None:
    agents = ["--agent-traveller", "committed", "--agent-adversary", "last-edge", "--bounds", "0"]
    assert run(["watch", "shortest_path", "--game-file", game_file, "--seed", "1", "--no-viz", *agents]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Adversarial Shortest Path, seed 1: traveller committed, adversary last-edge",
        "traveller on 1, target 6, rule sqrt",
        "round 1: traveller goes 1-2 for 1, 1 in all",
        "round 1: adversary raises 4-6 to 2",
        "round 2: traveller goes 2-4 for 1, 2 in all",
        "round 2: adversary raises 4-6 to 4",
        "round 3: traveller goes 4-6 for 4, 6 in all",
        "Result: the traveller arrives and pays 6 after 3 moves.",
    ]


def test_certified_bounds_come_with_the_game_and_its_record(game_file, capsys, tmp_path) -> None:
    command = ["watch", "shortest_path", "--game-file", game_file, "--no-viz", "--agent-traveller", "committed"]
    command += ["--agent-adversary", "last-edge", "--record", str(tmp_path / "game.txt")]
    assert run(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "best play costs 4 exactly (certified)"
    assert lines[-1] == "Paid 6; best play costs 4 exactly: the traveller lost at least 2."
    record = load_record(tmp_path / "game.txt")
    played = replay(record)
    check_bounds(played.states[0], bounds_from_json(record.bounds, played.config.board))


def test_json_has_the_bounds(game_file, capsys) -> None:
    assert run(["watch", "shortest_path", "--game-file", game_file, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (lines[0]["t"], lines[0]["lower"]["value"], lines[0]["upper"]["value"]) == ("bounds", 4.0, 4.0)
    assert lines[-1]["bounds"] == [4.0, 4.0]


def test_the_default_is_a_contest_graph_of_the_seed(capsys, tmp_path) -> None:
    for i in range(2):
        command = ["watch", "shortest_path", "--seed", "7", "--no-viz", "--record", str(tmp_path / f"{i}.txt")]
        assert run([*command, "--bounds", "0"]) == 0
    assert capsys.readouterr().out.count("traveller dijkstra, adversary greedy") == 2
    first, second = (load_record(tmp_path / f"{i}.txt") for i in range(2))
    assert first == second
    assert first.config["board"]["name"] == "contest:40:80:separation=6:cut=3:seed=7"
    assert replay(first).states


def test_json_lines_have_the_cost(game_file, capsys) -> None:
    assert run(["watch", "shortest_path", "--game-file", game_file, "--bounds", "0", "--json", "--rule", "double"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == {"v": 1, "t": "begun", "at": "1", "target": "6", "rule": "double"}
    assert lines[-1]["termination"] == "arrival"
    assert lines[-1]["cost"] == sum(line["cost"] for line in lines if line["t"] == "moved")


def test_a_person_travels(game_file, capsys, monkeypatch) -> None:
    typed(monkeypatch, "9", "-", "1-3", "#2", "?", "5", "6")
    command = ["play", "shortest_path", "--game-file", game_file, "--as", "traveller", "--agent-adversary", "last-edge"]
    assert run([*command, "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "'9' is not legal now; legal: 1-2, 1-3, -" in out
    assert "#1 1-2 1   #2 1-3 1   #3 - (pass)" in out
    assert "cheapest: for 3: 1 2 4 6" in out
    assert "best play: 4 exactly in all" in out
    assert "from here: 2 1, 3 1" in out
    assert "traveller passes" in out
    assert "raised: 4-6 costs 2" in out


def test_a_person_raises_any_edge_either_way_round(game_file, capsys, monkeypatch) -> None:
    typed(monkeypatch, "6-4", "5-6", "1-6", "-", "q")
    command = ["play", "shortest_path", "--game-file", game_file, "--as", "adversary", "--agent-traveller", "dijkstra"]
    assert run([*command, "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "adversary raises 4-6 to 2" in out
    assert "adversary raises 5-6 to 2" in out
    assert "#1 2-4 1 -> 2.41" in out


def test_pictures_are_saved(game_file, tmp_path) -> None:
    for name in ("game.svg", "game.png"):
        path = tmp_path / name
        assert run(["watch", "shortest_path", "--game-file", game_file, "--no-viz", "--save", str(path)]) == 0
        assert path.stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rule", "cubic"], "unknown cost rule 'cubic'; known: sqrt, double"),
        (["--game-file", "none.txt"], "cannot read the game file none.txt: No such file or directory"),
        (["--board", "grid:3x3"], "no source; give the label of a node of board grid:3x3"),
        (["--board", "grid:3x3", "--source", "1", "--target", "77"], "no node '77' on board grid:3x3"),
        (["--agent-traveller", "min-cut"], "does not play the seat evader; it plays pursuers"),
        (["--bounds", "long"], "'long' is not a number of seconds"),
        (["--preset", "double", "--rule", "sqrt"], "rule sqrt contradicts the preset double"),
    ],
)
def test_bad_options_are_one_line(options, message, capsys) -> None:
    assert run(["watch", "shortest_path", "--no-viz", *options]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_a_bad_game_file_names_the_line(tmp_path, capsys) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(FILE.replace("2 4", "2"))
    assert run(["watch", "shortest_path", "--game-file", str(path), "--no-viz"]) == 2
    assert "bad.txt line 6: an edge needs two names, found '2'" in capsys.readouterr().err
    assert run(["watch", "shortest_path", "--game-file", str(path), "--board", "grid:3x3", "--no-viz"]) == 2
    assert "the file already sets it" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo terminals")
def test_the_terminal_shows_costs_and_takes_moves(game_file) -> None:
    from pseudo_terminal import Terminal

    command = ["play", "shortest_path", "--game-file", game_file, "--as", "adversary", "--seed", "1"]
    with Terminal(*command, "--agent-traveller", "committed", "--bounds", "0") as terminal:
        terminal.expect("the adversary to raise an edge", "for 2: 2 4 6", "#1 2-4 1 -> 2.41", "Raise:")
        terminal.press("6-4\n")
        terminal.expect("traveller goes 2-4 for 1, 2 in all", "4-6 costs 2", "Raise:")
        terminal.press("q\n")
        terminal.expect("The game is unfinished.")
        assert terminal.wait() == 0
