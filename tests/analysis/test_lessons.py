"""Lessons: every way through them works, every task can be missed, and nothing hidden has to be sent."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from manhunt.analysis.lesson_run import Verdict, follow, hint, words_of
from manhunt.analysis.lessons import Lesson, LessonStep, _read, games_with_lessons, lesson_of, lessons_of
from manhunt.core.errors import BadConfig, BadText, IllegalAction
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.testing import ContractBroken, check_lessons
from manhunt.testing.lessons import check_lesson

EVERY = [lesson for game in BUILT_IN for lesson in lessons_of(game)]
every_lesson = pytest.mark.parametrize("lesson", EVERY, ids=lambda lesson: f"{lesson.kit.name}-{lesson.number}")


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_way_through_the_lessons_can_be_finished_and_every_task_can_be_missed(game: str) -> None:
    walked = check_lessons(game)
    assert len(walked) == 3
    assert all(n > 5 for n in walked.values())


@every_lesson
def test_whoever_takes_every_hint_comes_to_the_end(lesson: Lesson) -> None:
    answers: list[list[str]] = [[]]
    while True:
        moment = follow(lesson, answers)
        if moment.is_acting:
            actions = hint(moment)
            assert words_of(moment.now, lesson.seat, actions)
            answers[-1] += actions
            moment = follow(lesson, answers)
            assert moment.verdict is Verdict.DONE
        if moment.is_last:
            return
        answers.append([])


def test_both_sides_of_every_game_are_taught() -> None:
    for kit in games_with_lessons():
        assert {lesson.seat for lesson in lessons_of(kit.name)} == set(PLAYERS)
        assert len({lesson.title for lesson in lessons_of(kit.name)}) == 3


def test_a_wrong_move_is_taken_back_and_told_in_terms_of_the_rules() -> None:
    lesson = lesson_of("scotland_yard", 2)
    moment = follow(lesson, [[], ["T59"]])
    assert (moment.verdict, moment.words) == (Verdict.WRONG, "Green stands on 76 and can step onto 59.")
    assert moment.now == moment.before == lesson.start
    assert follow(lesson, [[], ["T58"]]).verdict is Verdict.DONE


def test_a_turn_of_several_steps_is_judged_when_it_is_whole() -> None:
    lesson = lesson_of("fugitive", 1)
    begun = follow(lesson, [[], ["hide:5"]])
    assert begun.verdict is Verdict.OPEN
    assert hint(begun) == ()  # 5 is too far without sprint cards
    wrong = follow(lesson, [[], ["hide:5", "sprint:8", "done"]])
    assert wrong.words == "5 is too far for a hideout without sprint cards: it needs cards worth 2."
    assert follow(lesson, [[], ["hide:2", "sprint:8", "done"]]).words == "2 needs no sprint cards; keep 8 for later."


def test_the_other_side_replies_and_the_learner_hears_of_it_what_their_seat_may_know() -> None:
    moment = follow(lesson_of("scotland_yard", 1), [[], ["R:T46"], ["G:B58"]])
    assert [len(position.actions) for position in moment.positions] == [3, 4]
    told = [event for event in moment.now.events(Seat.PURSUERS, 3) if len(event) > 1]
    assert "31" not in json.dumps(told)
    view: Any = moment.now.view(Seat.PURSUERS)
    assert view.quarry is None


@pytest.mark.parametrize(
    ("answers", "error", "words"),
    [
        ([], BadText, "0 answers"),
        ([[]] * 9, BadText, "9 answers; the lesson has the steps 1 to 8"),
        ([["R:T46"]], BadText, "there is nothing to do in step 1"),
        ([[], [], []], BadText, "step 2 is not done yet"),
        ([[], ["R:T32"], []], BadText, "step 2 is not done yet"),
        ([[], ["R:T199"]], BadText, "no node '199'"),
        ([[], ["R:T1"]], IllegalAction, "no taxi edge joins 45 and 1"),
        ([[], ["R:T46", "G:B58"]], IllegalAction, "one move too many"),
        ([[], ["R:T46"] * 101], BadText, "101 actions in one step"),
    ],
)
def test_answers_that_cannot_be(answers: list[list[str]], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        follow(lesson_of("scotland_yard", 1), answers)


def test_there_is_no_such_lesson() -> None:
    with pytest.raises(BadConfig, match="there is no lesson 4 of fugitive; its lessons are 1 to 3"):
        lesson_of("fugitive", 4)
    with pytest.raises(BadConfig, match="unknown game"):
        lesson_of("chess", 1)


# -- files -------------------------------------------------------------------------------------------------


def text_of(**changes: Any) -> str:
    step = {"text": "Go.", "task": "Go.", "check": {"reaches": "46"}}
    file = {"title": "T", "summary": "S", "seat": "pursuers", "table": {}, "steps": [step]}
    return json.dumps({**file, **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seat": "mrx"}, "Invalid enum value 'mrx'"),
        ({"colour": 1}, "unknown field `colour`"),
        ({"steps": [{"text": "Go.", "task": "Go.", "check": {"reachs": 1}}]}, "step 1: unknown check 'reachs'"),
        ({"steps": [{"text": "Go.", "task": "Go."}]}, "a task needs a check"),
        ({"steps": [{"text": "Go.", "reply": "agent"}]}, "no opponent is named"),
    ],
)
def test_a_file_that_is_no_lesson_is_refused_in_words(changes: dict[str, Any], words: str) -> None:
    kit = kit_of("scotland_yard")
    assert _read(kit, "good.json", text_of()).title == "T"
    with pytest.raises(BadText, match=words):
        _read(kit, "bad.json", text_of(**changes))


def with_step(number: int, **changes: Any) -> Lesson:
    """The first lesson of Scotland Yard with one step changed."""
    lesson = lesson_of("scotland_yard", 1)
    steps = [*lesson.steps]
    steps[number - 1] = LessonStep(**{**msgspec.structs.asdict(steps[number - 1]), **changes})
    return replace(lesson, file=msgspec.structs.replace(lesson.file, steps=tuple(steps)))


@pytest.mark.parametrize(
    ("number", "changes", "words"),
    [
        (2, {"check": {"reaches": "74"}}, "step 2: nothing does the task"),
        (2, {"check": {"candidates_at_most": 25}}, "step 2: whatever one does is right"),
        (2, {"text": "go"}, "does not begin as a sentence"),
        (2, {"why_not": "No."}, "it refuses a move with 'No.'"),
        (1, {"text": "A" * 400 + "."}, "its text has 401 characters"),
    ],
)
def test_a_lesson_that_does_not_work_is_found(number: int, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ContractBroken, match=words):
        check_lesson(with_step(number, **changes))


def test_a_reply_that_cannot_be_played_is_found() -> None:
    with pytest.raises(BadConfig, match="none of T199, T46 can be played there"):
        check_lesson(with_step(3, reply=(("T199", "T46"),)))
