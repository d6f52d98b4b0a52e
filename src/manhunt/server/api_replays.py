"""REST: look back on finished games. While a game runs, all of this is refused: it would show what is still hidden."""

from __future__ import annotations

import hmac
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection
from starlette.requests import HTTPConnection

from manhunt.core.ids import PLAYERS, Seat
from manhunt.play.hindsight import Hindsight
from manhunt.play.variation import texts_of
from manhunt.server import best_play
from manhunt.server.addresses import client_address
from manhunt.server.api_games import GameLinks, SeatSpec, check_number_of_games, links_of
from manhunt.server.api_insights import insight
from manhunt.server.board_images import board_of
from manhunt.server.branches import branch_plan
from manhunt.server.errors import NotFound
from manhunt.server.guard import NUL
from manhunt.server.kept_work import ANALYSES, WORTHS
from manhunt.server.limits import check_agent_spec, check_config, check_seconds
from manhunt.server.replays import MOST_FRAMES, frames_of, head_of, log_of, offers_of, options_of
from manhunt.server.room_registry import new_uid, open_record
from manhunt.server.rooms import Forbidden, GamePlan, hash_of
from manhunt.server.site import Site, in_thread, site_of, token_of
from manhunt.store.attachments import NOTES, load_attachment, save_attachment
from manhunt.store.connect import BadStore
from manhunt.store.running import load_tokens
from manhunt.store.tables import table_of_game
from manhunt.store.variations import MAIN, GameOrigin, insert_origin, load_tree, origin_of

router = APIRouter(prefix="/api/games/{uid}")
MOST_NOTES = 20_000
PAGE_SECONDS = 60.0
Uid = Annotated[str, Path(max_length=64)]
Ply = Annotated[int, Path(ge=0, lt=1 << 31)]
Track = Annotated[str, Path(max_length=20)]
OfVariation = Annotated[int, Query(ge=0, lt=1 << 31)]


async def record_text(uid: str, request: HTTPConnection) -> str:
    """The record of a finished game; 403 while it or its tournament runs, 404 if there is none."""
    site = site_of(request)
    try:
        return await in_thread(request, open_record, site.store, uid)
    except BadStore:
        room = await site.rooms.find(uid)
    raise Forbidden(f"game {room.uid} is not over; this would show what is still hidden")


async def past_of(uid: str, request: HTTPConnection, variation: int = MAIN) -> Hindsight:
    """A finished game, or one of its variations; 404 if there is none of this number."""
    site, text = site_of(request), await record_text(uid, request)
    if variation == MAIN:
        return await in_thread(request, site.replays.get, uid, text)
    tree = await in_thread(request, load_tree, site.store, uid)
    return await in_thread(request, site.replays.get_variation, uid, text, tree, variation)


@router.get("/replay")
async def get_replay(uid: Uid, request: Request) -> dict[str, Any]:
    """Who played, how it ended, the plies, and the tracks: the truth and what each seat knew."""
    past = await past_of(uid, request)
    board = board_of(past.game, past.config)
    site = site_of(request)
    digest = site.boards.remember(board) if board is not None else None
    head = await in_thread(request, head_of, uid, past, digest)
    origin = await in_thread(request, origin_of, site.store, uid)
    played_on = None if origin is None else {"uid": origin.uid, "variation": origin.variation, "ply": origin.ply}
    kept = {"analysed": await ANALYSES.find(uid, request), "valued": await WORTHS.find(uid, request)}
    return {**head, **{name: found is not None for name, found in kept.items()}, "origin": played_on}


@router.get("/replay/{track}")
async def get_frames(
    uid: Uid,
    track: Track,
    request: Request,
    first: Annotated[int, Query(ge=0, lt=1 << 31)] = 0,
    n: Annotated[int, Query(ge=1, le=MOST_FRAMES)] = MOST_FRAMES,
    variation: OfVariation = MAIN,
) -> dict[str, Any]:
    """Some frames in a row."""
    past = await past_of(uid, request, variation)
    return {"frames": await in_thread(request, frames_of, past, track, first, n)}


@router.get("/replay/{track}/{ply}")
async def get_frame(
    uid: Uid, track: Track, ply: Ply, request: Request, variation: OfVariation = MAIN
) -> dict[str, Any]:
    (frame,) = await in_thread(request, frames_of, await past_of(uid, request, variation), track, ply, 1)
    return frame


@router.get("/replay/{track}/{ply}/insights/{what}")
async def get_insight(
    uid: Uid, track: Track, ply: Ply, what: str, request: Request, variation: OfVariation = MAIN
) -> dict[str, Any]:
    """What that seat could have found out there; on the track of the truth, what everybody could."""
    past = await past_of(uid, request, variation)
    log = await in_thread(request, log_of, past, track, ply)
    params = {name: value for name, value in request.query_params.items() if name != "variation"}
    where = ("replay", uid, str(ply), *([str(variation), *texts_of(past)] if variation else []))
    return await insight(site_of(request), where, log, what, params, request)


# -- work that takes a while ---------------------------------------------------------------------------------


class JobStarted(BaseModel):
    job: str


@router.get("/analysis")
async def get_analysis(uid: Uid, request: Request) -> dict[str, Any]:
    """The analysis that is kept; 404 where none was made."""
    await record_text(uid, request)
    return await ANALYSES.get(uid, request)


@router.post("/analysis", status_code=202)
async def start_analysis(uid: Uid, request: Request) -> JobStarted:
    """Judge every move by what its seat could know; the job's result is the analysis."""
    job = await ANALYSES.start(uid, await record_text(uid, request), request)
    return JobStarted(job=job.id)


@router.get("/worth")
async def get_worth(uid: Uid, request: Request) -> dict[str, Any]:
    """What each thing that was shown, hidden or used up was worth, if it is kept; 404 where nobody asked."""
    await record_text(uid, request)
    return await WORTHS.get(uid, request)


@router.post("/worth", status_code=202)
async def start_worth(uid: Uid, request: Request) -> JobStarted:
    """Play games with and without each of these things; the job's result says what they were worth."""
    job = await WORTHS.start(uid, await record_text(uid, request), request)
    return JobStarted(job=job.id)


@router.post("/film", status_code=202)
async def start_film(
    uid: Uid,
    request: Request,
    track: Literal["truth", "evader", "pursuers", "spectator"] = "truth",
    theme: Literal["light", "dark"] = "light",
) -> JobStarted:
    """Make the GIF; the job's result says where it lies."""
    site, text = site_of(request), await record_text(uid, request)
    (await past_of(uid, request)).seat_of(track)
    key, owner = (uid, track, theme), client_address(request)

    def found(film: bytes) -> dict[str, Any]:
        return {"url": f"/api/games/{uid}/film.gif?track={track}&theme={theme}", "bytes": len(film)}

    async def keep(film: bytes) -> dict[str, Any]:
        site.films.keep(key, film)
        return found(film)

    if (kept := site.films.get(key)) is not None:
        return JobStarted(job=site.jobs.done(found(kept), key=("film", *key)).id)
    made = "manhunt.server.replays:make_film"
    job = site.jobs.start(made, text, track, theme, key=("film", *key), then=keep, owner=owner)
    return JobStarted(job=job.id)


class BestPlay(BaseModel):
    """What best play would have cost, in one sentence; empty in games without bounds on it."""

    words: str


@router.get("/best")
async def get_best(uid: Uid, request: Request) -> BestPlay:
    site, text = site_of(request), await record_text(uid, request)
    words = await in_thread(request, best_play.kept_best, site, uid)
    if words is None:
        owner, limit = client_address(request), best_play.LIMIT_SECONDS
        words = await site.shared.answer(
            ("best", uid), lambda: site.pool.run(best_play.FIND, text, limit_seconds=limit, owner=owner), request
        )
        await in_thread(request, best_play.keep_best, site, uid, words)
    return BestPlay(words=words)


# -- what if -------------------------------------------------------------------------------------------------


class BranchBody(BaseModel):
    """You on the seat, the agent on the other; `action` is another move of your seat at that ply."""

    model_config = ConfigDict(extra="forbid")

    ply: Annotated[int, Field(ge=0, lt=1 << 31)]
    variation: Annotated[int, Field(ge=0, lt=1 << 31)] = MAIN
    seat: Literal["evader", "pursuers"]
    agent: SeatSpec
    action: Annotated[str, Field(max_length=4096)] | None = None
    seconds: Annotated[float, Field(gt=0, le=30)] = 1.0


@router.get("/branches/{ply}")
async def get_options(uid: Uid, ply: Ply, request: Request, variation: OfVariation = MAIN) -> dict[str, Any]:
    """What could have been done at a ply, by the seat that acted; `offers` is the same for the page of the game."""
    past = await past_of(uid, request, variation)
    past.check_ply(ply)
    acting = past.game.to_act(past.states[ply])
    played = past.game.format_action(past.config, past.actions[ply]) if ply < past.last else None
    options = await in_thread(request, options_of, past, ply)
    offers = await in_thread(request, offers_of, past, ply)
    return {"ply": ply, "seat": acting and acting.value, "played": played, "options": options, "offers": offers}


@router.post("/branches", status_code=201)
async def begin_branch(uid: Uid, body: BranchBody, request: Request) -> GameLinks:
    """A new game from there on, which remembers where it comes from."""
    site, past = site_of(request), await past_of(uid, request, body.variation)
    address = client_address(request)
    check_number_of_games(site, address)
    plan = await in_thread(request, _branch, site, past, body, address)
    begun, origin = new_uid(), GameOrigin(uid, body.variation, body.ply)
    remember = partial(_remember_origin, begun, origin)
    return links_of(await site.rooms.begin(plan, begun, remember))


def _remember_origin(uid: str, origin: GameOrigin, connection: Connection, now: float) -> None:
    insert_origin(connection, uid, origin)


def _branch(site: Site, past: Hindsight, body: BranchBody, address: str) -> GamePlan:
    seat = Seat(body.seat)
    other = next(each for each in PLAYERS if each is not seat)
    check_seconds(body.seconds, site.settings.limits)
    check_agent_spec(body.agent, past.game.name, other)
    plan = branch_plan(past, body.ply, seat, body.agent, body.action, seconds=body.seconds, address=address)
    check_config(plan.game, plan.config, plan.seats, site.settings.limits)
    return plan


# -- notes ---------------------------------------------------------------------------------------------------


class NotesBody(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=MOST_NOTES)]


class NotesShown(NotesBody):
    mine: bool
    """Whether who asked may change them."""


@router.get("/notes")
async def get_notes(uid: Uid, request: Request) -> NotesShown:
    await record_text(uid, request)
    text = await in_thread(request, load_attachment, site_of(request).store, uid, NOTES)
    return NotesShown(text=text or "", mine=await may_write(uid, request))


@router.put("/notes")
async def put_notes(uid: Uid, body: NotesBody, request: Request) -> NotesShown:
    """In place of what was there; PostgreSQL keeps no NUL, so nobody does."""
    await record_text(uid, request)
    if not await may_write(uid, request):
        raise Forbidden("only those who played this game write its notes; open it by the link of your seat")
    kept = body.text.replace(NUL, "")
    await in_thread(request, save_attachment, site_of(request).store, uid, NOTES, kept)
    return NotesShown(text=kept, mine=True)


async def may_write(uid: str, request: Request) -> bool:
    """Those who held a seat, or a place at the table; on a server of one's own everybody is the same person."""
    site, token = site_of(request), token_of(request)
    if not site.settings.is_public:
        return True
    if token is None:
        return False
    hashes = await in_thread(request, load_tokens, site.store, uid)
    if any(hmac.compare_digest(kept, hash_of(token)) for kept in hashes.values()):
        return True
    if not await in_thread(request, table_of_game, site.store, uid):
        return False
    try:
        return (await site.rooms.find(uid)).seat_of(token) in PLAYERS
    except Forbidden:  # nobody of that table
        return False


# -- downloads -----------------------------------------------------------------------------------------------


def _file(data: str | bytes, kind: str, name: str) -> Response:
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/record", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def get_record(uid: Uid, request: Request) -> Response:
    """The game as text, which all of manhunt's commands read."""
    return _file(await record_text(uid, request), "text/plain; charset=utf-8", f"manhunt-{uid}.txt")


@router.get("/replay.html", response_class=Response, responses={200: {"content": {"text/html": {}}}})
async def get_page(uid: Uid, request: Request) -> Response:
    """One page that opens from a file, without a server, with the comments on the game itself."""
    site, text = site_of(request), await record_text(uid, request)
    made, owner = "manhunt.server.replays:make_page", client_address(request)
    tree = await in_thread(request, load_tree, site.store, uid)
    said = tuple((each.ply, each.text) for each in tree.comments if each.variation == MAIN)
    page = await site.shared.answer(
        ("page", uid, said), lambda: site.pool.run(made, text, said, limit_seconds=PAGE_SECONDS, owner=owner), request
    )
    return _file(page, "text/html; charset=utf-8", f"manhunt-{uid}.html")


@router.get("/film.gif", response_class=Response, responses={200: {"content": {"image/gif": {}}}})
async def get_film(
    uid: Uid,
    request: Request,
    track: Literal["truth", "evader", "pursuers", "spectator"] = "truth",
    theme: Literal["light", "dark"] = "light",
) -> Response:
    """The GIF, once a job has made it."""
    await record_text(uid, request)
    film = site_of(request).films.get((uid, track, theme))
    if film is None:
        raise NotFound(f"this animation has not been made yet; POST /api/games/{uid}/film makes it")
    return _file(film, "image/gif", f"manhunt-{uid}.gif")
