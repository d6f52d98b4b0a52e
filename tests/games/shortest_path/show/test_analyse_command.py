"""`manhunt analyse`: stored bounds checked again, a game gone through."""

import io
import json
from pathlib import Path

import pytest

from manhunt.cli.main import run
from manhunt.play.record import load_record

FILE = "Starting node: 1\nEnding node: 6\nEdges:\n1 2\n1 3\n2 4\n3 4\n3 5\n4 6\n5 6\n"


@pytest.fixture
def record(tmp_path, capsys) -> Path:
    """The committed traveller takes 1 2 4 6 and pays 6, though 4 would do."""
    (tmp_path / "game.txt").write_text(FILE)
    command = ["watch", "shortest_path", "--game-file", str(tmp_path / "game.txt"), "--agent-traveller", "committed"]
    command += ["--agent-adversary", "last-edge", "--no-viz", "--record", str(tmp_path / "record.txt")]
    assert run(command) == 0
    capsys.readouterr()
    return tmp_path / "record.txt"


def changed(record: Path, old: str, new: str) -> Path:
    text = record.read_text()
    assert old in text
    record.write_text(text.replace(old, new, 1))
    return record


def without_bounds(record: Path) -> Path:
    lines = [line for line in record.read_text().splitlines(keepends=True) if not line.startswith("bounds: ")]
    record.write_text("".join(lines))
    assert load_record(record).bounds is None
    return record


def test_the_bounds_are_checked_and_the_mistake_is_found(record, capsys) -> None:
    assert run(["analyse", str(record), "--seconds", "0.2"]) == 0
    out = capsys.readouterr().out
    assert "best play from the start costs 4 exactly" in out
    assert "the record's bounds are right" in out
    rows = [line.split() for line in out.splitlines() if line.strip()[:1].isdigit()]
    assert rows[0] == ["1", "4", "exactly", "1-2", "1", "1", "4-6", "traveller", "≥", "2"]
    assert "the traveller surely lost 2 or more in all" in out
    assert "paid 6; best play costs 4 exactly: the traveller lost at least 2" in " ".join(out.split())


def test_json(record, capsys) -> None:
    assert run(["analyse", str(record), "--seconds", "0.2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["bounds"]["stored"] is True
    assert found["bounds"]["solved"] is True
    assert (found["paid"], found["outcome"]) == (6.0, "evader arrival 6")
    assert [r["step"] for r in found["rounds"]] == ["1-2", "2-4", "4-6"]
    assert [r["raise"] for r in found["rounds"]] == ["4-6", "4-6", None]
    assert [r["paid"] for r in found["rounds"]] == [1.0, 2.0, 6.0]
    assert sum(r["traveller_lost"] - r["adversary_lost"] for r in found["rounds"]) == 2.0
    assert all(r["lower"] <= r["upper"] + 1e-9 for r in found["rounds"])


def test_a_certainly_better_step_is_named_and_drawn(record, capsys, tmp_path) -> None:
    page = tmp_path / "report.html"
    assert run(["analyse", str(record), "--seconds", "0.2", "--json", "--html", str(page)]) == 0
    (move,) = (move for move in json.loads(capsys.readouterr().out)["moves"] if move["mark"])
    assert move["words"] == "from 1 to 2 instead of to 3: loses at least 2"
    assert move["arrows"] == {"played": [["1", "2"]], "best": [["1", "3"]]}
    assert "loses at least 2. Red: played. Green: better." in page.read_text()


def test_a_certainly_better_raise_is_drawn_on_its_edge(tmp_path, capsys) -> None:
    """After 1-2 the adversary raises 3-5, and the traveller pays 2 in all that might have been 3."""
    (tmp_path / "game.txt").write_text("Starting node: 1\nEnding node: 4\nEdges:\n1 2\n2 4\n1 3\n3 5\n5 4\n")
    file = tmp_path / "record.txt"
    command = ["play", "shortest_path", "--as", "adversary", "--game-file", str(tmp_path / "game.txt")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO("3-5\n"))
        assert run([*command, "--agent-traveller", "dijkstra", "--no-viz", "--record", str(file)]) == 0
    capsys.readouterr()
    assert run(["analyse", str(file), "--seconds", "0.2", "--json"]) == 0
    (move,) = (move for move in json.loads(capsys.readouterr().out)["moves"] if move["mark"])
    assert (move["seat"], move["action"], move["best"]) == ("pursuers", "3-5", "2-4")
    assert move["arrows"] == {"played": [["3", "5"]], "best": [["2", "4"]]}


def test_only_the_check(record, capsys) -> None:
    assert run(["analyse", str(record), "--seconds", "0"]) == 0
    out = capsys.readouterr().out
    assert "the record's bounds are right" in out
    assert "still to pay" not in out


def test_a_record_without_bounds_gets_some(record, capsys) -> None:
    without_bounds(record)
    assert run(["analyse", str(record), "--seconds", "0.3"]) == 0
    assert "holds no bounds; these were found now" in capsys.readouterr().out
    assert run(["analyse", str(record), "--seconds", "0"]) == 2
    assert "holds no bounds; give --seconds above 0 to find some" in capsys.readouterr().err


def test_an_unfinished_game(record, capsys) -> None:
    changed(record, "outcome: evader arrival 6", "outcome: unfinished")
    changed(record, "3. 4-6\n", "")
    assert run(["analyse", str(record), "--seconds", "0.1"]) == 0
    assert "the game is unfinished" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"lower": {"value": 4.0', '"lower": {"value": 4.5', "the lower bound 4.5 is 0.5 too high: the adversary's"),
        ('"lower": {"value": 4.0', '"lower": {"value": 3.0', "the lower bound 3.0 is 1 too low"),
        ('"upper": {"value": 4.0', '"upper": {"value": 3.5', "the upper bound 3.5 is 0.5 too low: the traveller's"),
        ('"upper": {"value": 4.0', '"upper": {"value": 5.0', "the upper bound 5.0 is 1 too high"),
        ('"lower": {"value": 4.0', '"lower": {"value": "4"', "bounds: a value must be a number of 0 or more, not '4'"),
        ('["1", "3"]', '["1", "6"]', "bounds: there is no edge 1-6"),
        ("2. 2-4", "2. 2-6", "round 2, 2-6: the traveller cannot take 2-6"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_code_2(record, old, new, message, capsys) -> None:
    changed(record, old, new)
    assert run(["analyse", str(record), "--seconds", "0.1"]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert str(record) in told
    assert told.count("\n") == 1


def test_no_such_file(capsys) -> None:
    assert run(["analyse", "nothing.txt"]) == 2
    assert "cannot read the record nothing.txt" in capsys.readouterr().err


def test_the_deal_of_a_secret_game_is_checked(tmp_path, capsys) -> None:
    file = tmp_path / "game.txt"
    board = ("--board", "grid:3x3", "--source", "1", "--target", "9")
    assert run(["watch", "shortest_path", *board, "--no-viz", "--record", str(file)]) == 0
    capsys.readouterr()
    promised = load_record(file).commitment
    assert run(["analyse", str(file), "--seconds", "0.1"]) == 0
    assert f"Deal verified: the setup matches the commitment {promised}" in capsys.readouterr().out
    assert run(["analyse", str(file), "--seconds", "0.1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deal"] == "kept"
    file.write_text(file.read_text().replace(f"commitment: {promised}", f"commitment: {promised[::-1]}"))
    assert run(["analyse", str(file)]) == 2
    err = capsys.readouterr().err
    assert "Deal changed: the setup of this record does not match the commitment" in err
    assert err.count("\n") == 1
