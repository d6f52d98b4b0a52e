"""REST: lessons. The page sends what the learner did in each step, and nothing of it is kept here."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from manhunt.analysis.lesson_run import MOST_ACTIONS
from manhunt.analysis.lessons import Lesson, games_with_lessons, lessons_of
from manhunt.core.ids import PLAYERS
from manhunt.core.kit import Kit
from manhunt.core.warm import PAGE
from manhunt.server.addresses import client_address
from manhunt.server.api_insights import MOST_PARAMETERS
from manhunt.server.errors import NotFound
from manhunt.server.first_use import run_task
from manhunt.server.game_files import address_of, page_files
from manhunt.server.site import site_of

router = APIRouter(prefix="/api/lessons")
STEP, QUESTION = "manhunt.server.lesson_steps:take_step", "manhunt.server.lesson_steps:answer_question"
LIMIT_SECONDS = 30.0
MOST_STEPS = 40

Game = Annotated[str, Path(max_length=60)]
Number = Annotated[int, Path(ge=1, le=1000)]
Action = Annotated[str, Field(max_length=200)]
Answers = Annotated[
    list[Annotated[list[Action], Field(max_length=MOST_ACTIONS)]], Field(min_length=1, max_length=MOST_STEPS)
]
ShortText = Annotated[str, Field(max_length=200)]


class StepBody(BaseModel, extra="forbid"):
    """The learner's actions in each step so far, the last list being the step they are in."""

    answers: Answers
    hint: bool = False


class QuestionBody(BaseModel, extra="forbid"):
    answers: Answers
    params: dict[ShortText, ShortText] = Field(default_factory=dict, max_length=MOST_PARAMETERS)


@router.get("")
async def get_lessons() -> dict[str, Any]:
    """All lessons, by game."""
    return {"games": [_game(kit) for kit in games_with_lessons()]}


def _game(kit: Kit) -> dict[str, Any]:
    facts = {"name": kit.name, "title": kit.title, "summary": kit.summary, "picture": address_of(kit, "picture.svg")}
    return {**facts, "lessons": [_facts(lesson) for lesson in lessons_of(kit.name)]}


def _facts(lesson: Lesson) -> dict[str, Any]:
    seat = {"seat": lesson.seat.value, "called": lesson.kit.game.called(lesson.seat)}
    return {
        "number": lesson.number,
        "title": lesson.title,
        "summary": lesson.summary,
        "steps": len(lesson.steps),
        **seat,
    }


@router.get("/{game}/{number}")
async def get_lesson(game: Game, number: Number) -> dict[str, Any]:
    """All that a page shows around the position: texts and tasks of the steps, names, page files."""
    lesson = _lesson(game, number)
    rules = lesson.kit.game
    return {
        **_facts(lesson),
        "game": game,
        "gameTitle": rules.title,
        "names": {seat.value: rules.seat_names[seat] for seat in PLAYERS},
        "calledAll": {seat.value: rules.called(seat) for seat in PLAYERS},
        "page": page_files(lesson.kit),
        "help": lesson.file.help,
        "lessons": [_facts(each) for each in lessons_of(game)],
        "steps": [
            {"text": step.text, "task": step.task, "show": step.show, "isNew": step.table is not None}
            for step in lesson.steps
        ],
    }


@router.post("/{game}/{number}/step")
async def take_step(game: Game, number: Number, body: StepBody, request: Request) -> dict[str, Any]:
    """What the learner did in the last step, judged, with the replies of the other side; or the step as it begins."""
    site = site_of(request)
    page, board = await _work(request, _lesson(game, number), STEP, body.answers, body.hint)
    digest = board and {"name": board.name, "digest": site.boards.remember(board)}
    return {**page, "board": digest}


@router.post("/{game}/{number}/insights/{what}")
async def ask(game: Game, number: Number, what: ShortText, body: QuestionBody, request: Request) -> dict[str, Any]:
    """What the learner's seat can find out where they stand, as far as the lesson allows help."""
    found: dict[str, Any] = await _work(request, _lesson(game, number), QUESTION, body.answers, what, body.params)
    return found


def _lesson(game: str, number: int) -> Lesson:
    if game not in [kit.name for kit in games_with_lessons()]:
        raise NotFound(f"there are no lessons of {game}")
    lessons = lessons_of(game)
    if number > len(lessons):
        raise NotFound(f"there is no lesson {number} of {game}; its lessons are 1 to {len(lessons)}")
    return lessons[number - 1]


async def _work(request: Request, lesson: Lesson, what: str, *args: Any) -> Any:
    game, whose = lesson.kit.name, {"kind": f"lesson {lesson.kit.name}", "owner": client_address(request)}
    pool, topic = site_of(request).pool, f"{game}/{PAGE}"
    return await run_task(pool, topic, what, game, lesson.number, *args, limit_seconds=LIMIT_SECONDS, **whose)
