"""Tasks of a worker: a step of a lesson for its page, and what a learner asks there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manhunt.analysis.insights import Help, insight_of
from manhunt.analysis.lesson_run import Answers, LessonMoment, follow, hint, words_of
from manhunt.analysis.lessons import lesson_of
from manhunt.analysis.seat_log import SeatLog
from manhunt.boards.board import Board
from manhunt.server.board_images import board_of
from manhunt.server.position_frames import frames_of, offers_of


def take_step(
    game: str, number: int, answers: Answers, wants_hint: bool = False
) -> tuple[dict[str, Any], Board | None]:
    """Where the answers lead, as JSON, and the board that it is drawn on."""
    moment = follow(lesson_of(game, number), answers)
    seat, now = moment.lesson.seat, moment.now
    page: dict[str, Any] = {
        "step": moment.number,
        "verdict": moment.verdict.value,
        "words": moment.words,
        "frames": frames_of(moment.before, moment.positions, seat),
        "offers": offers_of(now, seat) if moment.is_acting else [],
        "isLast": moment.is_last,
    }
    if wants_hint:
        page["hint"] = _hint(moment)
    return page, board_of(now.game, now.config)


def _hint(moment: LessonMoment) -> dict[str, Any]:
    actions = hint(moment)
    words = words_of(moment.now, moment.lesson.seat, actions)
    return {"actions": list(actions), "words": f"One way to do it: {words}." if actions else "No hint for this one."}


def answer_question(game: str, number: int, answers: Answers, what: str, params: Mapping[str, str]) -> dict[str, Any]:
    """An insight of the learner's seat, as far as the lesson allows it."""
    lesson = lesson_of(game, number)
    log = SeatLog.of(follow(lesson, answers).now, lesson.seat)
    return {**insight_of(what, log, params, Help(lesson.file.help)), "v": len(log.events), "what": what}
