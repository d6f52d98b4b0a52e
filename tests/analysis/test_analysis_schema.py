"""The document that `manhunt analyse --json`, REST and Python give: docs/reference/analysis.md says what is in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from manhunt.analysis.analyse import VERSION, analyse
from manhunt.analysis.findings import QUICK, SYMBOLS
from manhunt.analysis.judged_words import without_repeat
from manhunt.analysis.report_page import MOST_BOARDS, report_page
from manhunt.cli.main import run
from manhunt.draw.scenes import scene_of
from manhunt.play.hindsight import Hindsight
from random_games import SMALL, random_record

PAGE = Path(__file__).parents[2] / "docs/reference/analysis.md"
TOP = {"version", "game", "plies", "axis", "how", "stated", "curves", "symbols", "moves", "turns", "surprise"}
TOP |= {"surprise_how", "skill", "players"}
MOVE = {"ply", "end", "seat", "action", "best", "value", "lost", "low", "high", "mark", "words", "played_words"}
MOVE |= {"best_words", "arrows"}
TURN = {"first", "ply", "round", "seat", "text", "words", "mark", "judged", "says", "value", "choice", "luck", "open"}
SKILL = {"unit", "start", "result", "choice", "luck", "open", "steps"}
STEP = {"ply", "end", "seat", "before", "after", "choice", "luck", "open", "cause"}
PLAYER = {"name", "agent", "decisions", "accuracy", "lost", "low", "high", "marks", "worst", "result", "choice"}
PLAYER |= {"opponent", "luck", "open"}


@pytest.mark.parametrize("name", SMALL)
def test_the_document_has_these_keys_and_is_always_the_same(name: str) -> None:
    record = random_record(name, 2, **SMALL[name])
    found: dict[str, Any] = json.loads(json.dumps(analyse(record.format(), QUICK)))
    assert set(found) == TOP
    assert found["version"] == VERSION
    assert found["symbols"] == dict(SYMBOLS)
    assert all(set(move) == MOVE for move in found["moves"])
    assert all(set(turn) == TURN for turn in found["turns"])
    assert all(set(player) == PLAYER for player in found["players"].values())
    if found["skill"] is not None:
        assert set(found["skill"]) == SKILL
        assert all(set(step) == STEP for step in found["skill"]["steps"])
    assert all(move["low"] <= move["high"] for move in found["moves"])
    if found["axis"]["unit"] == "chance":
        assert all(move["low"] >= -1 and move["high"] <= 1 for move in found["moves"])
    assert json.loads(json.dumps(analyse(record.format(), QUICK))) == found


def test_turns_follow_each_other_and_hold_all_decisions() -> None:
    found = analyse(random_record("fugitive", 2, preset="mini").format(), QUICK)
    turns = found["turns"]
    assert [turn["first"] for turn in turns] == [0, *(turn["ply"] for turn in turns[:-1])]
    assert turns[-1]["ply"] == found["plies"]
    assert [ply for turn in turns for ply in turn["judged"]] == [move["ply"] for move in found["moves"]]
    assert any(len(turn["judged"]) > 1 for turn in turns)


def test_the_reference_names_every_key() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [key for key in sorted(TOP | MOVE | TURN | SKILL | STEP | PLAYER) if f"`{key}`" not in text] == []


def test_words_that_both_moves_begin_with_are_said_once() -> None:
    assert without_repeat("yellow by bus to 161", "yellow by taxi to 135") == "by taxi to 135"
    assert without_repeat("yellow by bus to 161", "blue by taxi to 78") == "blue by taxi to 78"
    assert without_repeat("draw from the high pile", "draw from the low pile") == "from the low pile"
    assert without_repeat("guess 39", "guess 7 and 10") == "7 and 10"
    assert without_repeat("guess 7 and 10", "guess 7") == "guess 7"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    random_record("pursuit", 0, **SMALL["pursuit"]).save(file)
    return file


def test_the_command_shows_a_row_a_turn_and_marked_moves(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", str(record)]) == 0
    out = capsys.readouterr().out
    found = analyse(record.read_text(encoding="utf-8"))
    rows = [line for line in out.splitlines() if line.strip()[:1].isdigit()]
    assert len(rows) == len(found["turns"])
    marked = [move for move in found["moves"] if move["mark"]]
    assert marked
    assert all(move["words"] in out for move in marked)
    assert "accuracy" in out


def test_the_command_writes_json_and_a_page(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "report.html"
    assert run(["analyse", str(record), "--json", "--html", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(analyse(record.read_text(encoding="utf-8"))))
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg") >= 3
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert all(move["words"] in html for move in found["moves"] if move["mark"])


def test_a_report_of_cards_shows_them_before_each_marked_move() -> None:
    for seed in range(9):
        record = random_record("fugitive", seed, **SMALL["fugitive"])
        past, found = Hindsight(record), analyse(record.format(), QUICK)
        if marked := [move for move in found["moves"] if move["mark"]]:
            break
    html = report_page(past, found)
    assert html.count("<figure>") == min(len(marked), MOST_BOARDS) > 0
    scene = scene_of(past.view(max(marked, key=lambda move: move["lost"])["ply"], None))
    assert scene.title in html
    assert all(f"{name}</text>" in html and text in html for name, text in scene.table.lines)


def test_a_game_that_goes_on_is_refused_in_one_line(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    cut = [line if not line.startswith("outcome") else "outcome: unfinished" for line in lines if line[:2] != "5."]
    record.write_text("\n".join(cut), encoding="utf-8")
    assert run(["analyse", str(record)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "the game is not over" in err
