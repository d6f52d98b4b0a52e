"""REST: the tree of variations of a finished game, comments on its moments, and the engine's lines there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response, WebSocket
from pydantic import BaseModel, ConfigDict, Field

from manhunt.core.ids import PLAYERS
from manhunt.core.warm import PAGE
from manhunt.play.variation import texts_of
from manhunt.server import review_socket
from manhunt.server.addresses import client_address
from manhunt.server.api_replays import OfVariation, Ply, Uid, may_write, past_of, record_text
from manhunt.server.errors import Conflict
from manhunt.server.first_use import run_task
from manhunt.server.rooms import Forbidden, hash_of
from manhunt.server.site import in_thread, site_of, token_of
from manhunt.server.variations import Author, TreeEditor, tree_json
from manhunt.store.running import load_tokens
from manhunt.store.variations import load_tree

router = APIRouter(prefix="/api/games/{uid}")
LINES = "manhunt.analysis.engine_lines:engine_lines"
LINES_SECONDS = 300.0
"""With the time to compile, where nobody has used it yet."""
Number = Annotated[int, Path(ge=1, lt=1 << 31)]
Moment = Annotated[int, Field(ge=0, lt=1 << 31)]


class Place(BaseModel):
    """A moment: a variation, and a ply counted from the start of the game. Variation 0 is the game itself."""

    model_config = ConfigDict(extra="forbid")

    variation: Moment = 0
    ply: Moment


class MoveBody(Place):
    """An action in notation; without one, chance draws."""

    action: Annotated[str, Field(max_length=4096)] | None = None


class NameBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=400)]


class CommentBody(Place):
    text: Annotated[str, Field(max_length=40_000)]


@router.get("/tree")
async def get_tree(uid: Uid, request: Request, response: Response, download: bool = False) -> dict[str, Any]:
    """All variations and comments; `mine` says whether who asked may add some."""
    site, text = site_of(request), await record_text(uid, request)
    tree = await in_thread(request, load_tree, site.store, uid)
    hashes = await in_thread(request, load_tokens, site.store, uid)
    made = await in_thread(request, tree_json, site.replays, uid, text, tree, hashes, _author(request))
    if download:
        response.headers["Content-Disposition"] = f'attachment; filename="manhunt-{uid}-tree.json"'
    return {**made, "mine": await may_write(uid, request), "longest": site.settings.limits.comment_chars}


@router.post("/tree/moves", status_code=201)
async def play_move(uid: Uid, body: MoveBody, request: Request) -> Place:
    """Where the move leads: to moves that are there, or to new ones."""
    number, ply = await _change(
        uid, request, lambda editor, author: editor.play(body.variation, body.ply, body.action, author)
    )
    return Place(variation=number, ply=ply)


@router.put("/tree/comments", status_code=204)
async def put_comment(uid: Uid, body: CommentBody, request: Request) -> None:
    """In place of one's own comment there; an empty text takes it away."""
    await _change(uid, request, lambda editor, author: editor.comment(body.variation, body.ply, body.text, author))


@router.patch("/tree/{variation}", status_code=204)
async def rename(uid: Uid, variation: Number, body: NameBody, request: Request) -> None:
    await _change(uid, request, lambda editor, author: editor.rename(variation, body.name, author))


@router.delete("/tree/{variation}", status_code=204)
async def delete(
    uid: Uid, variation: Number, request: Request, after: Annotated[int, Query(ge=0, lt=1 << 31)] = 0
) -> None:
    """With all that hangs on it; with `after`, only the moves after that ply."""
    await _change(uid, request, lambda editor, author: editor.shorten(variation, after, author))


async def _change(uid: str, request: Request, work: Callable[[TreeEditor, Author], Any]) -> Any:
    site, text = site_of(request), await record_text(uid, request)
    if not await may_write(uid, request):
        raise Forbidden("only those who played this game add to it; open it by the link of your seat")
    site.addresses.take_tree_change(client_address(request))
    editor = TreeEditor(site.store, site.replays, site.settings.limits, uid, text)
    done = await in_thread(request, work, editor, _author(request))
    site.reviews.tree_changed(uid)
    return done


def _author(request: Request) -> Author:
    token, at_home = token_of(request), not site_of(request).settings.is_public
    return Author("" if token is None or at_home else hash_of(token), at_home)


@router.get("/lines/{ply}")
async def get_lines(
    uid: Uid,
    ply: Ply,
    request: Request,
    variation: OfVariation = 0,
    n: Annotated[int, Query(ge=1, le=5)] = 3,
) -> dict[str, Any]:
    """The best moves of the seat to act, by what that seat could know there, with what they are worth."""
    site, past = site_of(request), await past_of(uid, request, variation)
    past.check_ply(ply)
    if past.acting(ply) not in PLAYERS:
        raise Conflict("no player moves at that moment: the game is over, or chance acts")
    text, moves = await record_text(uid, request), texts_of(past)[:ply]
    key, owner = ("lines", uid, n, *moves), client_address(request)
    work, kind = f"{past.game.name}/{PAGE}", f"lines {past.game.name}"
    task = partial(run_task, site.pool, work, LINES, text, moves, n)
    started = partial(task, limit_seconds=LINES_SECONDS, kind=kind, owner=owner)
    found: dict[str, Any] = await site.shared.answer(key, started, request)
    return {"ply": ply, "variation": variation, **found}


@router.websocket("/review")
async def look_together(websocket: WebSocket, uid: str) -> None:
    await review_socket.serve(websocket, uid)
