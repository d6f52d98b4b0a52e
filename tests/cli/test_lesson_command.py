"""`manhunt lesson`: the lessons of the web page, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from manhunt.analysis.lesson_run import follow, hint
from manhunt.analysis.lessons import Lesson, lessons_of
from manhunt.cli.lesson import _Play
from manhunt.cli.main import run
from manhunt.core.registry import BUILT_IN

EVERY = [lesson for game in BUILT_IN for lesson in lessons_of(game)]


def typed(*lines: str) -> Iterator[str]:
    yield from lines
    raise EOFError


def play(lesson: Lesson, *lines: str) -> None:
    waiting = typed(*lines)
    _Play(lesson, False, lambda _: next(waiting)).run()


def test_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lesson"]) == 0
    told = capsys.readouterr().out
    assert "Moves and tickets" in told
    assert "play one: manhunt lesson GAME N" in told
    assert run(["lesson", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["lessons"]
    assert [(row["game"], row["number"], row["title"]) for row in listed][:1] == [
        ("scotland_yard", 1, "Moves and tickets")
    ]
    assert len(listed) == len(EVERY)
    assert run(["lesson", "fugitive", "--json"]) == 0
    assert [row["game"] for row in json.loads(capsys.readouterr().out)["lessons"]] == ["fugitive"] * 3


def lines_of(lesson: Lesson) -> list[str]:
    """What somebody types who takes every hint."""
    lines, answers = [], list[list[str]]([[]])
    while True:
        moment = follow(lesson, answers)
        actions = hint(moment)
        answers[-1] += actions
        lines += [*actions] if moment.is_last else [*actions, ""]
        if moment.is_last:
            return lines
        answers.append([])


@pytest.mark.parametrize("lesson", EVERY, ids=lambda lesson: f"{lesson.kit.name}-{lesson.number}")
def test_every_lesson_can_be_played_to_its_end(lesson: Lesson, capsys: pytest.CaptureFixture[str]) -> None:
    play(lesson, *lines_of(lesson))
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("Done.") == sum(bool(step.task) for step in lesson.steps)
    for step in lesson.steps:
        assert " ".join([step.text, step.task]).strip() in told.replace("Task: ", "")
    assert f"Lesson {lesson.number} is done." in told


def test_a_wrong_move_a_hint_a_way_back_and_nonsense(capsys: pytest.CaptureFixture[str]) -> None:
    (lesson, *_) = lessons_of("scotland_yard")
    play(lesson, "", "R:T32", "h", "", "S1", "b", "", "R:T46", "q")
    told = " ".join(capsys.readouterr().out.split())
    assert "Not yet. That move leads to 32; the task is to reach 46." in told
    assert "One way to do it: red by taxi to 46." in told
    assert "type a move, its number or a node; h: hint" in told
    assert "'S1' is not legal now" in told
    assert told.count("Step 1 of 8") == 2
    assert told.count("Done.") == 1


def test_the_end_of_the_input_ends_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = typed("")
    monkeypatch.setattr("builtins.input", lambda _: next(waiting))
    assert run(["lesson", "scotland-yard", "--no-viz"]) == 0
    assert "Step 2 of 8" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["chess"], "unknown game with lessons 'chess'"),
        (["pursuit", "7"], "there is no lesson 7 of pursuit; its lessons are 1 to 3"),
        (["pursuit", "0"], "0 is too small"),
        (["pursuit", "one"], "'one' is not a whole number"),
    ],
)
def test_bad_input_is_one_line(words: list[str], error: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lesson", *words]) == 2
    told = capsys.readouterr().err
    assert error in told
    assert told.count("\n") == 1
