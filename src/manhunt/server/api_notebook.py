"""REST: the notebook for a real table. The page sends all its lines, and nothing of them is kept here."""

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from manhunt.analysis.notebook import LONGEST_LINE, MOST_LINES, notebook_games
from manhunt.boards.board import Board
from manhunt.core.errors import BadConfig, unknown
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of, make_game
from manhunt.core.warm import PAGE
from manhunt.server.addresses import client_address
from manhunt.server.first_use import run_task
from manhunt.server.game_files import address_of, page_files
from manhunt.server.limits import check_has_board
from manhunt.server.site import in_thread, site_of

router = APIRouter(prefix="/api")
READ = "manhunt.analysis.notebook:read_notebook"
LIMIT_SECONDS = 60.0

Line = Annotated[str, Field(max_length=4 * LONGEST_LINE)]
ShortText = Annotated[str, Field(max_length=200)]


class NotebookBody(BaseModel, extra="forbid"):
    """The table's options, its lines in order, and a question about what they tell (an insight of the game)."""

    board: ShortText | None = None
    options: dict[ShortText, Any] = Field(default_factory=dict, max_length=20)
    entries: list[Line] = Field(default_factory=list, max_length=MOST_LINES)
    ask: dict[ShortText, ShortText] | None = Field(default=None, max_length=12)


@router.get("/notebook")
async def get_notebooks() -> dict[str, Any]:
    """The games that have a notebook, with their page files and an example of lines."""
    return {"games": [_facts(kit_of(name)) for name in notebook_games()]}


def _facts(kit: Kit) -> dict[str, Any]:
    page = {**page_files(kit), "notebook": address_of(kit, "notebook.js")}
    facts = {"name": kit.name, "title": kit.title, "uploads": kit.lobby.uploads}
    return {**facts, "example": kit.part("notebook").EXAMPLE, "page": page}


@router.post("/notebook/{game}")
async def read_notebook(game: str, body: NotebookBody, request: Request) -> dict[str, Any]:
    """What can be known after these lines: scene, belief or notes, the lines with words or error, what comes next."""
    site = site_of(request)
    if game not in notebook_games():
        raise BadConfig(unknown("notebook", game[:80], notebook_games()))
    board: Board | None = None
    if body.board is not None:
        check_has_board(make_game(game))
        board = await in_thread(request, site.boards.named, body.board)
    args = (game, body.options, body.entries, body.ask, board)
    whose = {"kind": f"notebook {game}", "owner": client_address(request)}
    answer: dict[str, Any] = await run_task(
        site.pool, f"{game}/{PAGE}", READ, *args, limit_seconds=LIMIT_SECONDS, **whose
    )
    return answer
