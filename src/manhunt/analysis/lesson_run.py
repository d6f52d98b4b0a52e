"""Somebody in a lesson, followed from its beginning: what they did in each step, judged, and the other side's replies.

Nothing is kept between two requests. A learner's answers are the actions of each step in notation, `[]` where a step
has only a text, so that whatever is hidden from them never has to be sent along.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from manhunt.analysis.insights import ask_adviser
from manhunt.analysis.lessons import Lesson, LessonStep, Trial
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.agent import Limit
from manhunt.core.errors import BadConfig, BadText, IllegalAction, ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.draw.scenes import scene_of
from manhunt.play.position import Position

Answers = Sequence[Sequence[str]]
AGENT_ITERATIONS = 200
MOST_SEARCHED = 5_000
MOST_ACTIONS = 100


class Verdict(Enum):
    READ = "read"
    """There is nothing to do in this step."""
    OPEN = "open"
    """The task waits for a move, or for the rest of one."""
    WRONG = "wrong"
    """That was not it: the position is the one before it."""
    DONE = "done"


@dataclass(frozen=True)
class LessonMoment:
    """Where a learner stands: a step, and what happened in it."""

    lesson: Lesson
    number: int
    """The step, counted from 0."""
    verdict: Verdict
    words: str
    """What is said about the last move: why not, or that it is done."""
    before: Position
    """The position in which the step begins."""
    positions: tuple[Position, ...]
    """What there is to see, one after the other: the last one is now."""

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.number]

    @property
    def now(self) -> Position:
        return self.positions[-1]

    @property
    def is_acting(self) -> bool:
        return self.verdict in (Verdict.OPEN, Verdict.WRONG)

    @property
    def is_last(self) -> bool:
        return self.number + 1 == len(self.lesson.steps)


def follow(lesson: Lesson, answers: Answers) -> LessonMoment:
    """Where these answers lead; BadText where a step before the last one is not done, IllegalAction as in a game."""
    if not 1 <= len(answers) <= len(lesson.steps):
        raise BadText(f"{len(answers)} answers; the lesson has the steps 1 to {len(lesson.steps)}")
    position = lesson.start
    for number, actions in enumerate(answers):
        step = lesson.steps[number]
        before = position if step.table is None else lesson.position_of(step.table)
        moment = _step(lesson, number, before, actions)
        if number + 1 < len(answers) and moment.is_acting:
            raise BadText(f"step {number + 1} is not done yet")
        position = moment.now
    return moment


def _step(lesson: Lesson, number: int, before: Position, actions: Sequence[str]) -> LessonMoment:
    step = lesson.steps[number]
    if not step.task:
        if actions:
            raise BadText(f"there is nothing to do in step {number + 1}")
        return LessonMoment(lesson, number, Verdict.READ, "", before, (before, *replies_to(lesson, step, before)))
    after, is_complete = _tried(lesson, step, before, actions)
    if not is_complete:
        return LessonMoment(lesson, number, Verdict.OPEN, "", before, (after,))
    why_not = lesson.failed(step, Trial(before, after, lesson.seat))
    if why_not is not None:
        return LessonMoment(lesson, number, Verdict.WRONG, why_not, before, (before,))
    return LessonMoment(lesson, number, Verdict.DONE, step.done, before, (after, *replies_to(lesson, step, after)))


def _tried(lesson: Lesson, step: LessonStep, before: Position, actions: Sequence[str]) -> tuple[Position, bool]:
    """The position after the learner's actions, and whether they are enough to be judged."""
    if len(actions) > MOST_ACTIONS:
        raise BadText(f"{len(actions)} actions in one step (max {MOST_ACTIONS})")
    position, n_moves = before, 0
    for text in actions:
        if position.to_act is not lesson.seat or n_moves == step.moves:
            raise IllegalAction(f"{text} is one move too many in this step")
        position = position.play(text)
        n_moves += lesson.is_whole(position)
    return position, n_moves == step.moves or position.to_act is not lesson.seat


def replies_to(lesson: Lesson, step: LessonStep, position: Position) -> Iterator[Position]:
    """The positions after each action of the other side."""
    if step.reply == "agent":
        other = next(seat for seat in PLAYERS if seat is not lesson.seat)
        while position.to_act is other:
            position = position.act(_asked(lesson.file.opponent, position, other))
            yield position
        return
    for wanted in step.reply:
        position = _replied(lesson, position, (wanted,) if isinstance(wanted, str) else wanted)
        yield position


def _asked(spec: str, position: Position, seat: Seat) -> object:
    """The agent's action; the same in the same position, so that a lesson is the same for everybody."""
    return ask_adviser(spec, SeatLog.of(position, seat), Limit(iterations=AGENT_ITERATIONS)).action


def _replied(lesson: Lesson, position: Position, wanted: Sequence[str]) -> Position:
    for text in wanted:
        try:
            return position.play(text)
        except ManhuntError:
            continue
    raise BadConfig(f"{lesson.kit.name}, lesson {lesson.number}: none of {', '.join(wanted)} can be played there")


# -- what would do ---------------------------------------------------------------------------------------


def hint(moment: LessonMoment) -> tuple[str, ...]:
    """Actions that do the task from where the learner stands; empty where none was found, or there is no task."""
    if not moment.is_acting:
        return ()
    lesson, step, before = moment.lesson, moment.step, moment.before
    begun = tuple(map(before.text_of, moment.now.actions[len(before.actions) :]))
    if step.answer[: len(begun)] == begun and _does(lesson, step, before, step.answer):
        return step.answer[len(begun) :]
    return next(solutions(lesson, step, before, begun), ())


def _does(lesson: Lesson, step: LessonStep, before: Position, actions: Sequence[str]) -> bool:
    try:
        after, is_complete = _tried(lesson, step, before, actions)
    except ManhuntError:
        return False
    return is_complete and lesson.failed(step, Trial(before, after, lesson.seat)) is None


def solutions(
    lesson: Lesson, step: LessonStep, before: Position, begun: Sequence[str] = (), most: int = MOST_SEARCHED
) -> Iterator[tuple[str, ...]]:
    """All ways to do a task that begin like this, without the beginning, the shortest first; so many are tried."""
    return (path for path, _, why_not in tries(lesson, step, before, begun, most) if why_not is None)


def tries(
    lesson: Lesson, step: LessonStep, before: Position, begun: Sequence[str] = (), most: int = MOST_SEARCHED
) -> Iterator[tuple[tuple[str, ...], Position, str | None]]:
    """All legal turns with where they lead and why they are not what the task asks for, the shortest first."""
    waiting: deque[tuple[str, ...]] = deque([()])
    for _ in range(most):
        if not waiting:
            return
        path = waiting.popleft()
        after, is_complete = _tried(lesson, step, before, (*begun, *path))
        if is_complete:
            yield path, after, lesson.failed(step, Trial(before, after, lesson.seat))
        else:
            waiting.extend((*path, after.text_of(action)) for action in after.legal)


def words_of(position: Position, seat: Seat, actions: Sequence[str]) -> str:
    """Actions in the words of the page: `red by taxi to 46, then ...`."""
    found = []
    for text in actions:
        offered = {offer.action: offer.words for offer in scene_of(position.view(seat)).offers}
        action = position.game.parse_action(position.config, text)
        found.append(offered.get(text) or position.game.describe_action(position.state, action))
        position = position.play(text)
    return ", then ".join(found)
