"""`manhunt replay` from the outside: keys in a real terminal, lines, files, data, and what it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from manhunt.cli.main import run
from manhunt.core.registry import game_names
from manhunt.play.record import load_record
from pseudo_terminal import Terminal
from random_games import random_record

GOLDEN = Path(__file__).parents[1] / "golden"
CAUGHT = GOLDEN / "scotland-yard-caught.record.txt"
HIDDEN = GOLDEN / "pursuit-hidden-cops.record.txt"


def lines(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[str]:
    assert run(["replay", *map(str, arguments)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run(["replay", *map(str, arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    return line


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_told_turn_by_turn(name, tmp_path, capsys) -> None:
    record = random_record(name, 5)
    record.save(tmp_path / "game.txt")
    head, seen, *told, result = lines(capsys, tmp_path / "game.txt", "--no-viz")
    replay = record.replay()
    assert head.startswith(replay.past.game.title)
    assert seen == "Shown: the truth."
    assert len(told) == len(replay.turns)
    assert [line.split()[1] for line in told] == [str(moment.ply) for moment in replay.turns]
    assert result == f"Result: {replay.ending}."


def test_a_seat_is_told_what_it_knew(capsys) -> None:
    truth = lines(capsys, HIDDEN)
    assert any("X:3" in line for line in truth[:7])
    detectives = lines(capsys, HIDDEN, "--seat", "detectives")
    assert detectives == lines(capsys, HIDDEN, "--seat", "pursuers")
    assert detectives[1] == "Shown: what the detectives knew."
    assert [line.split()[-1] for line in detectives if line.startswith("ply 3")] == ["hidden"]


def test_every_turn_as_data(capsys) -> None:
    (text,) = lines(capsys, CAUGHT, "--json", "--seat", "pursuers")
    data = json.loads(text)
    record = load_record(CAUGHT)
    assert (data["game"], data["seen_by"], data["plies"]) == ("scotland_yard", "pursuers", len(record.actions))
    assert data["outcome"] == str(record.outcome)
    assert [step["ply"] for step in data["steps"]] == [m.ply for m in record.replay().turns]
    assert data["steps"][1] | {"words": [], "position": ""} == {
        "ply": 1, "round": 2, "seat": "evader", "action": "S? T?", "words": [], "position": "",
    }  # fmt: skip
    assert "86" in " ".join(data["steps"][-1]["words"])


def test_pages_pictures_and_films(capsys, tmp_path) -> None:
    html, svg, png, gif = (tmp_path / f"game.{kind}" for kind in ("html", "svg", "png", "gif"))
    told = lines(capsys, HIDDEN, "--html", html, "--svg", svg, "--png", png, "--gif", gif, "--ply", 4)
    assert told == [f"wrote {path}" for path in (html, svg, png, gif)]
    assert "<title>Pursuit: RandomAgent against RandomAgent" in html.read_text(encoding="utf-8")
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    assert gif.read_bytes().startswith(b"GIF89a")


def test_a_picture_shows_the_moment_and_the_seat(capsys, tmp_path) -> None:
    drawn = []
    for more in (["--ply", 3], ["--ply", 4], ["--ply", 3, "--seat", "pursuers"]):
        lines(capsys, HIDDEN, "--svg", tmp_path / "at.svg", *more)
        drawn.append((tmp_path / "at.svg").read_text(encoding="utf-8"))
    assert len(set(drawn)) == 3


def test_keys_step_jump_and_switch_seats() -> None:
    with Terminal("replay", str(CAUGHT)) as terminal:
        terminal.expect("ply 0 of 15, the truth", "turn", "quit")
        terminal.press("n")
        terminal.expect("ply 1 of 15", "Mr X makes a double move")
        terminal.press("s")
        terminal.expect("ply 1 of 15, what Mr X knew")
        terminal.press("s")
        terminal.expect("ply 1 of 15, what the detectives knew")
        terminal.press(".")
        terminal.expect("ply 2 of 15")
        terminal.press("r")
        terminal.expect("ply 4 of 15")
        terminal.press("b")
        terminal.expect("ply 3 of 15")
        terminal.press("g")
        terminal.expect("Go to ply: _")
        terminal.press("99\r")
        terminal.expect("there is no ply 99; this game has the plies 0 to 15")
        terminal.press("gr6\r")
        terminal.expect("ply 12 of 15, what the detectives knew")
        terminal.press("g15\r")
        terminal.expect("ply 15 of 15", "the detectives win")
        terminal.press("q")
        assert terminal.wait() == 0
        assert terminal.is_cooked()


def test_a_process_of_its_own_prints_lines_into_a_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "manhunt", "replay", HIDDEN], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "Result: the detectives win (Mr X is caught)."


def test_what_cannot_be_replayed_is_refused_in_one_line(capsys, tmp_path) -> None:
    text = HIDDEN.read_text(encoding="utf-8")
    unfinished, forged, broken = (tmp_path / name for name in ("unfinished.txt", "forged.txt", "broken.txt"))
    unfinished.write_text(text.replace("outcome: pursuers capture", "outcome: unfinished").replace("all:3,1", ""))
    forged.write_text(text.replace("outcome: pursuers capture", "outcome: evader survival"))
    broken.write_text(text.replace("manhunt record 1", "a letter"))
    assert "unfinished.txt: the game is not over" in refused(capsys, unfinished)
    assert "forged.txt: the moves lead to pursuers capture, but the record says evader survival" in refused(
        capsys, forged
    )
    assert "broken.txt line 1: expected 'manhunt record 1'" in refused(capsys, broken)
    assert "cannot read the record" in refused(capsys, tmp_path / "none.txt")
    assert "there is no ply 7; this game has the plies 0 to 6" in refused(capsys, HIDDEN, "--ply", 7)
    assert "unknown seat 'cops'" in refused(capsys, HIDDEN, "--seat", "cops")
    assert "the name must end in .png" in refused(capsys, HIDDEN, "--png", tmp_path / "a.gif")
    assert "cannot write" in refused(capsys, HIDDEN, "--html", tmp_path / "no" / "a.html")
