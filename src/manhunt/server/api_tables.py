"""REST: tables of people, those that a browser knows, and how others reach this server."""

from __future__ import annotations

import io
import secrets
from dataclasses import replace
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, WebSocket
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictBool

from manhunt.analysis.insights import Help
from manhunt.core.errors import BadConfig, BadText, ManhuntError
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import make_game
from manhunt.server.addresses import client_address
from manhunt.server.api_games import RulesBody, SeatSpec, ShortText, check_number_of_games, make_config
from manhunt.server.lan import lan_addresses
from manhunt.server.limits import check_agent_spec, check_seconds, is_person
from manhunt.server.room_registry import new_uid
from manhunt.server.rooms import SEED_BOUND, hash_of
from manhunt.server.site import Site, in_thread, site_of, token_of
from manhunt.server.table_options import TableOptions
from manhunt.server.tables import changes, sockets
from manhunt.server.tables.messages import state_json
from manhunt.server.tables.open_table import OpenTable, plan_of
from manhunt.server.tables.state import HOST, Phase, Table, Terms, places_of, usual_agents
from manhunt.server.tables.words import is_turn_of, round_for, words_for

router = APIRouter(prefix="/api")
MOST_MINE = 60
LONGEST_ORIGIN = 200
SVG = "image/svg+xml"
ALONE = TableOptions(help=Help.ALL, take_backs=True, confirm=False)
"""Usual where agents alone play the other places."""
TOGETHER = TableOptions(help=Help.NONE, take_backs=True, confirm=True)


class AgentsBody(BaseModel, extra="forbid"):
    evader: SeatSpec | None = None
    pursuers: SeatSpec | None = None


class TermsBody(BaseModel, extra="forbid"):
    """Only what differs from the usual."""

    help: Literal["none", "candidates", "all"] = "none"
    confirm: StrictBool = False
    take_backs: StrictBool = True
    turn_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    game_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    increment_seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    on_timeout: Literal["lose", "random", "agent"] = "lose"
    spectators: Literal["live", "delayed", "never"] = "live"
    seconds: Annotated[float, Field(gt=0, le=30)] = 1.0
    public: StrictBool = False
    on_leave: Literal["host", "anyone", "agent"] = "host"


class TableBody(RulesBody):
    """A table to be made. `sit` are places or whole seats that the host takes, `agents` who plays the others."""

    name: Annotated[str, Field(max_length=100)] = "Guest"
    sit: list[ShortText] = Field(default_factory=list, max_length=50)
    agents: AgentsBody = Field(default_factory=AgentsBody)
    table: TermsBody = Field(default_factory=TermsBody)
    seed: Annotated[int, Field(ge=0, lt=SEED_BOUND)] | None = None
    start: StrictBool = False


class MadeTable(BaseModel):
    """What its host needs; `play` is the game if it has begun."""

    table: str
    token: str
    you: int
    link: str
    play: str | None


class KnownTable(BaseModel, extra="forbid"):
    table: Annotated[str, Field(pattern="^[a-z0-9]{1,64}$")]
    token: ShortText


class KnownTables(BaseModel, extra="forbid"):
    tables: Annotated[list[KnownTable], Field(max_length=500)]


@router.post("/tables", status_code=201)
async def make_table(body: TableBody, request: Request) -> MadeTable:
    site, address = site_of(request), client_address(request)
    check_number_of_games(site, address)
    token = secrets.token_urlsafe(24)
    table, config = await in_thread(request, _new_table, site, body, token)
    made = await site.tables.make(table, config, address)
    if body.start:
        await made.start(HOST, lambda: address)
    return MadeTable(table=table.uid, token=token, you=HOST, link=f"/table/{table.uid}", play=made.table.play)


def _new_table(site: Site, body: TableBody, token: str) -> tuple[Table, Any]:
    """What is cheap to refuse is refused before a board is made."""
    game, name = make_game(body.game), changes.clean_name(body.name)
    agents = usual_agents(body.game) | body.agents.model_dump(exclude_none=True)
    for seat in PLAYERS:
        if is_person(agents[seat.value]):
            raise BadConfig("agents: name an agent; people take their places at the table")
        check_agent_spec(agents[seat.value], body.game, seat)
    said = body.table.model_dump(exclude_unset=True)
    terms = changes.terms_with(Terms(ALONE if body.start else TOGETHER), said)
    check_seconds(terms.seconds, site.settings.limits)
    config = make_config(site, body)
    places = places_of(game, config)
    table = Table(
        new_uid(),
        body.game,
        places,
        agents=agents,
        terms=terms,
        preset=body.preset,
        board=body.board,
        seed=body.seed,
    )
    table = changes.join(table, name, hash_of(token))
    taken = {place.seat for place in places for wanted in body.sit if wanted in (place.id, place.seat.value)}
    if len(taken) == len(PLAYERS):
        table = replace(table, shared=True)
    for wanted in dict.fromkeys(body.sit):
        table = changes.sit(table, HOST, wanted)
    plan_of(table, config, site.settings.limits)
    return table, config


@router.get("/tables")
async def get_lobby(request: Request) -> list[dict[str, Any]]:
    """Public tables with free places, where the server has a lobby."""
    site = site_of(request)
    if not site.settings.lobby:
        return []
    return [state_json(each, None) for each in site.tables.listed()[:MOST_MINE]]


@router.get("/tables/{uid}")
async def get_table(uid: str, request: Request) -> dict[str, Any]:
    found = await site_of(request).tables.find(uid)
    return state_json(found, sockets.person_of(found.table, token_of(request)))


@router.post("/tables/mine")
async def get_mine(body: KnownTables, request: Request) -> list[dict[str, Any]]:
    """The tables of a browser, as its home page lists them; those that are gone are left out."""
    site, found = site_of(request), []
    for known in body.tables[-MOST_MINE:]:
        try:
            open_table = await site.tables.find(known.table)
            person = sockets.person_of(open_table.table, known.token)
        except ManhuntError:
            continue
        if person is not None:
            found.append(await _summary(site, open_table, person))
    return found


async def _summary(site: Site, open_table: OpenTable, person: int) -> dict[str, Any]:
    table = open_table.table
    is_playing = table.phase is Phase.PLAYING and table.play is not None
    room = await site.rooms.find_or_none(table.play) if is_playing and table.play is not None else None
    holders = table.holders if table.play is None or is_playing else table.holders_in(table.play)
    return {
        "table": table.uid,
        "play": table.play,
        "game": table.game,
        "title": make_game(table.game).title,
        "state": table.phase.value,
        "yourTurn": room is not None and is_turn_of(table, person, room),
        "round": 0 if room is None else round_for(table, person, room),
        "you": [place.name for place in table.places if holders.get(place.id) == person],
        "people": [each.name for each in table.people],
        "words": words_for(table, person, room),
        "at": open_table.changed_at,
    }


@router.get("/tables/{uid}/qr.svg", response_class=Response)
async def get_qr(uid: str, origin: str, request: Request) -> Response:
    """The invitation as a QR code; `origin` is how others reach this server."""
    if len(origin) > LONGEST_ORIGIN or not _is_origin(origin):
        raise BadText("origin: give one such as http://192.168.1.5:8000")
    found = await site_of(request).tables.find(uid)
    picture = await in_thread(request, _qr_code, f"{origin}/table/{found.table.uid}")
    return Response(picture, media_type=SVG, headers={"Cache-Control": "private, max-age=86400"})


def _qr_code(text: str) -> bytes:
    """Takes some hundredths of a second, so it belongs into a thread."""
    import segno

    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", scale=6, border=2, dark="#000", light="#fff", xmldecl=False, nl=False)
    return out.getvalue()


def _is_origin(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and text == f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        return False


@router.get("/server")
async def get_server(request: Request) -> dict[str, Any]:
    """How others can reach this server."""
    settings = site_of(request).settings
    hosts = [] if settings.is_local else [*settings.more_names, *lan_addresses()]
    origins = [f"http://{host}:{settings.port}" for host in hosts]
    is_only_here = settings.is_local and not settings.public
    return {"lobby": settings.lobby, "origins": origins, "onlyHere": is_only_here}


@router.websocket("/tables/{uid}/socket")
async def table_socket(websocket: WebSocket, uid: str) -> None:
    await sockets.serve(websocket, uid)
