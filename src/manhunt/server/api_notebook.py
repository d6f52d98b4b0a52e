"""REST: the notebook for a real table. The page sends all its lines, and nothing of them is kept here."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from manhunt.boards.board import Board
from manhunt.errors import BadConfig, unknown
from manhunt.server.notebook import GAMES, LONGEST_LINE, MOST_LINES
from manhunt.server.site import site_of

router = APIRouter(prefix="/api")
READ = "manhunt.server.notebook:read_notebook"
LIMIT_SECONDS = 60.0

Line = Annotated[str, Field(max_length=4 * LONGEST_LINE)]
ShortText = Annotated[str, Field(max_length=200)]


class NotebookBody(BaseModel):
    """The table's options, its lines in order, and a question about what they tell (an insight of the game)."""

    model_config = ConfigDict(extra="forbid")

    board: ShortText | None = None
    options: dict[ShortText, Any] = Field(default_factory=dict, max_length=20)
    entries: list[Line] = Field(default_factory=list, max_length=MOST_LINES)
    ask: dict[ShortText, ShortText] | None = Field(default=None, max_length=12)


@router.post("/notebook/{game}")
async def read_notebook(game: str, body: NotebookBody, request: Request) -> dict[str, Any]:
    """What can be known after these lines: scene, belief or notes, the lines with words or error, what comes next."""
    site = site_of(request)
    if game not in GAMES:
        raise BadConfig(unknown("notebook", game[:80], GAMES))
    board: Board | None = None
    if body.board is not None:
        if game == "fugitive":
            raise BadConfig("Fugitive is played without a board; leave board out")
        board = await asyncio.to_thread(site.boards.named, body.board)
    args = (game, body.options, body.entries, body.ask, board)
    answer: dict[str, Any] = await site.pool.run(READ, *args, kind=f"notebook {game}", limit_seconds=LIMIT_SECONDS)
    return answer
