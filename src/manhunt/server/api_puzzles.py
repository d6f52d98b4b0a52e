"""REST: puzzles. The server keeps nothing about who solves them; every answer comes with all those before it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from manhunt.analysis.puzzle_json import answer_json, list_json, puzzle_json
from manhunt.analysis.puzzles import MOST_ANSWERS, find_puzzle, needs_solver, position_of
from manhunt.core.errors import BadText, unknown
from manhunt.core.puzzle import Puzzle
from manhunt.core.registry import game_names, kit_of
from manhunt.core.warm import PAGE
from manhunt.server.addresses import client_address
from manhunt.server.api_games import ShortText
from manhunt.server.board_images import board_of
from manhunt.server.first_use import run_task
from manhunt.server.game_files import page_files
from manhunt.server.site import Site, in_thread, site_of

router = APIRouter(prefix="/api/puzzles")
ANSWER = "manhunt.analysis.puzzle_json:answer_json"
LIMIT_SECONDS = 60.0
PuzzleId = Annotated[str, Path(max_length=80)]
Answer = Annotated[str, Field(min_length=1, max_length=200)]


class AnswerBody(BaseModel):
    """All answers to a puzzle so far, in the notation of its offers."""

    model_config = ConfigDict(extra="forbid")

    actions: list[Answer] = Field(min_length=1, max_length=MOST_ANSWERS)


@router.get("")
async def get_puzzles(
    request: Request,
    game: ShortText | None = None,
    level: ShortText | None = None,
    kind: ShortText | None = None,
    day: ShortText | None = None,
) -> dict[str, Any]:
    """The puzzles of a game, a level, a kind; the easiest first. `day` is that of the daily ones, today without it."""
    if game is not None and game not in game_names():
        raise BadText(unknown("game", game, game_names()))
    return await in_thread(request, list_json, _day(day), game, level, kind)


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadText(f"day={text[:20]}: expected a date such as 2027-01-31") from None


@router.get("/{puzzle_id}")
async def get_puzzle(puzzle_id: PuzzleId, request: Request) -> dict[str, Any]:
    """The position as its seat sees it, the question, and what may be answered."""
    return await in_thread(request, _shown, site_of(request), find_puzzle(puzzle_id))


def _shown(site: Site, puzzle: Puzzle) -> dict[str, Any]:
    kit = kit_of(puzzle.game)
    board = board_of(kit.game, position_of(puzzle).config)
    return {
        **puzzle_json(puzzle),
        "gameTitle": kit.title,
        "page": page_files(kit),
        "board": board and {"name": board.name, "digest": site.boards.remember(board)},
        "names": {seat.value: name for seat, name in kit.game.seat_names.items()},
        "called": {seat.value: kit.game.called(seat) for seat in kit.game.seat_names},
    }


@router.post("/{puzzle_id}/answer")
async def post_answer(puzzle_id: PuzzleId, body: AnswerBody, request: Request) -> dict[str, Any]:
    """Right or wrong, with reasons once it is over; until then the opponent's reply and what may be answered next."""
    puzzle, site = find_puzzle(puzzle_id), site_of(request)
    if not needs_solver(puzzle):
        return await in_thread(request, answer_json, puzzle.id, tuple(body.actions))
    work, owner = f"{puzzle.game}/{PAGE}", client_address(request)
    found: dict[str, Any] = await run_task(
        site.pool, work, ANSWER, puzzle.id, tuple(body.actions), limit_seconds=LIMIT_SECONDS, owner=owner
    )
    return found
