"""Checks that all lessons of a game must pass: every way through them can be finished, and every task can be missed."""

from __future__ import annotations

from manhunt.analysis.lesson_run import replies_to, tries
from manhunt.analysis.lessons import Lesson, LessonStep, lessons_of
from manhunt.play.position import Position
from manhunt.testing.games import ContractBroken

MOST_WAYS = 400
"""Turns that are tried in a position; where there are more, the lesson's own answer is tried besides."""
LONGEST_TEXT, LONGEST_WHY_NOT = 320, 200
LEAST_STEPS, MOST_STEPS = 5, 9


def check_lessons(game: str) -> dict[int, int]:
    """Go through all lessons of a game from every position that a learner can reach; returns the number of positions by
    lesson.
    """
    return {lesson.number: check_lesson(lesson) for lesson in lessons_of(game)}


def check_lesson(lesson: Lesson) -> int:
    _demand(lesson, 0, LEAST_STEPS <= len(lesson.steps) <= MOST_STEPS, f"it has {len(lesson.steps)} steps")
    n_seen, front = 0, [lesson.start]
    for number, step in enumerate(lesson.steps, 1):
        _check_texts(lesson, number, step)
        if step.table is not None:
            front = [lesson.position_of(step.table)]
        after = {end.state: end for before in front for end in _ends(lesson, number, step, before)}
        _demand(lesson, number, bool(after), "it cannot be done")
        front = list(after.values())
        n_seen += len(front)
    return n_seen


def _check_texts(lesson: Lesson, number: int, step: LessonStep) -> None:
    _demand(lesson, number, len(step.text) <= LONGEST_TEXT, f"its text has {len(step.text)} characters")
    for text in filter(None, (step.text, step.task, step.done, step.why_not)):
        _demand(lesson, number, text[0].isupper() or text[0].isdigit(), f"{text!r} does not begin as a sentence")
        _demand(lesson, number, text[-1] in ".?", f"{text!r} does not end as a sentence")


def _ends(lesson: Lesson, number: int, step: LessonStep, before: Position) -> list[Position]:
    """Where a step can end from a position, with all replies."""
    if not step.task:
        return [_last(lesson, step, before)]
    _demand(lesson, number, before.to_act is lesson.seat, "it has a task, but it is not the learner's turn")
    done, refused = _turns(lesson, step, before)
    where = f"in {before.game.format_state(before.state)}"
    _demand(lesson, number, bool(done), f"nothing does the task {where}")
    _demand(lesson, number, bool(refused), f"whatever one does is right {where}")
    for why_not in refused:
        _demand(lesson, number, 10 < len(why_not) <= LONGEST_WHY_NOT, f"it refuses a move with {why_not!r}")
        _demand(lesson, number, why_not.endswith((".", "?")), f"{why_not!r} is not a sentence")
    return [_last(lesson, step, each) for each in done]


def _turns(lesson: Lesson, step: LessonStep, before: Position) -> tuple[list[Position], list[str]]:
    """Positions after turns that do the task, and what is said of those that do not."""
    done, refused = [], []
    for _, after, why_not in tries(lesson, step, before, most=MOST_WAYS):
        if why_not is None:
            done.append(after)
        else:
            refused.append(why_not)
    if step.answer:
        named = next(tries(lesson, step, before, step.answer), None)
        if named is not None and named[2] is None:
            done.append(named[1])
    return done, refused


def _last(lesson: Lesson, step: LessonStep, position: Position) -> Position:
    """After the replies; one that cannot be played is an error of the lesson."""
    for after in replies_to(lesson, step, position):
        position = after
    return position


def _demand(lesson: Lesson, number: int, holds: bool, what: str) -> None:
    if not holds:
        raise ContractBroken(f"{lesson.kit.name}, lesson {lesson.number}, step {number}: {what}")
