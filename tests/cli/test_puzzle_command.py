"""`manhunt puzzle`: the daily one, by game and level, answered in the terminal or by a program."""

from __future__ import annotations

import io
import json
import re
import sys

from manhunt.analysis.puzzles import daily_of_all, find_puzzle, puzzles_of
from manhunt.cli.main import run


def test_a_puzzle_is_answered_from_the_keyboard(capsys, monkeypatch) -> None:
    puzzle = next(each for each in puzzles_of("scotland_yard") if each.kind == "where")
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"nonsense\n{puzzle.best}\n"))
    assert run(["puzzle", "--id", puzzle.id]) == 0
    out, err = capsys.readouterr()
    assert "Mr X was seen on" in out
    assert "Solved. Yes: Mr X" in out
    assert "choose one of" in err
    assert len(err.splitlines()) == 1


def test_a_wrong_answer_is_explained(capsys) -> None:
    puzzle = puzzles_of("fugitive")[0]
    other = next(number for number in puzzle.values if number != puzzle.best)
    assert run(["puzzle", "--id", puzzle.id, "--answer", other, "--answer", "ask"]) == 0
    out = capsys.readouterr().out
    assert f"Not this time. No: {other} is a hideout with" in out
    assert f"Best: {puzzle.best} with" in out


def test_a_number_is_answer_enough(capsys, monkeypatch) -> None:
    puzzle = puzzles_of("fugitive")[0]
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{puzzle.best}\n"))
    assert run(["puzzle", "--id", puzzle.id]) == 0
    out = capsys.readouterr().out
    assert out.count("Which one number") == 1
    assert f"Solved. Yes: {puzzle.best} is a hideout with" in out


def test_the_pieces_and_the_log_are_told_below_the_picture(capsys, monkeypatch) -> None:
    """A piece may be outside the part of the map that fits on the screen."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    hunt = next(each for each in puzzles_of("pursuit") if each.kind == "catch")
    assert run(["puzzle", "--id", hunt.id]) == 0
    out = capsys.readouterr().out
    assert f"Mr X  on {hunt.actions[0].removeprefix('X:')} " in out
    assert re.search(rf"R  red +on {hunt.setup['detectives'][0]} +next to", out)
    trap = next(each for each in puzzles_of("scotland_yard") if each.kind == "trap")
    assert run(["puzzle", "--id", trap.id]) == 0
    assert f"[1:{trap.actions[0][0]} {trap.actions[0][1:]}]" in capsys.readouterr().out


def test_many_answers_are_listed_side_by_side(capsys, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["puzzle", "--id", puzzles_of("fugitive")[0].id]) == 0
    out = capsys.readouterr().out
    assert "name:1    name:2" in out
    assert "name:41" in out
    assert sum("name:" in line for line in out.splitlines()) <= 6
    assert "Marshal: " in out


def test_a_question_mark_shows_the_rules(capsys, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\nq\n"))
    assert run(["puzzle", "fugitive", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "Rules: " in out
    assert "q: leave the puzzle" in out
    assert out.count("Which one number") == 1


def test_the_end_of_the_input_is_no_answer(capsys, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["puzzle", "shortest_path", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "Solved" not in out
    assert "Not this time" not in out


def test_json_never_tells_the_answer_before_it_is_given(capsys) -> None:
    puzzle = puzzles_of("shortest_path")[0]
    assert run(["puzzle", "--id", puzzle.id, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["id"] == puzzle.id
    assert not {"best", "values", "solved", "setup"} & set(shown)
    assert run(["puzzle", "--id", puzzle.id, "--json", "--answer", puzzle.best]) == 0
    assert json.loads(capsys.readouterr().out)["solved"] is True


def test_the_daily_one_is_that_of_the_day(capsys) -> None:
    from datetime import date

    day = date(2027, 1, 31)
    assert run(["puzzle", "--daily", "--date", "2027-01-31", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["id"]
    expected = daily_of_all(day)
    assert expected is not None
    assert found == expected.id


def test_it_is_drawn_by_game_level_and_seed(capsys) -> None:
    drawn = []
    for _ in range(2):
        assert run(["puzzle", "pursuit", "--level", "Easy", "--seed", "5", "--json"]) == 0
        drawn.append(json.loads(capsys.readouterr().out)["id"])
    assert drawn[0] == drawn[1]
    puzzle = find_puzzle(drawn[0])
    assert (puzzle.game, puzzle.level) == ("pursuit", "Easy")


def test_bad_input_is_one_line(capsys) -> None:
    for words in (
        ["--id", "nothing"],
        ["chess"],
        ["--level", "Silly"],
        ["--daily", "--date", "soon"],
        ["--date", "2027-01-01"],
        ["--id", "pursuit-catch-1", "--answer", "nonsense"],
        ["fugitive", "--id", "pursuit-catch-1"],
        ["--daily", "--level", "Easy"],
    ):
        assert run(["puzzle", *words]) == 2
        err = capsys.readouterr().err
        assert len(err.splitlines()) == 1
