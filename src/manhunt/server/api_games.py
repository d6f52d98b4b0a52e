"""REST: what can be played, new games, and public facts about games."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, WebSocket
from pydantic import BaseModel, Field

from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.seeds import new_secret
from manhunt.play.fair_deal import nonce_of
from manhunt.server import sockets
from manhunt.server.addresses import TooMany, client_address
from manhunt.server.board_images import board_of
from manhunt.server.catalog import build_catalog
from manhunt.server.limits import check_agent_spec, check_config, check_has_board, check_options, check_seconds
from manhunt.server.room_registry import BegunGame
from manhunt.server.rooms import SEED_BOUND, GamePlan, GameRoom, SpectatorPolicy
from manhunt.server.site import Site, in_thread, site_of
from manhunt.store.games import GameSummary, list_games

router = APIRouter(prefix="/api")
MOST_GAMES = 200

SeatSpec = Annotated[str, Field(min_length=1, max_length=200)]
ShortText = Annotated[str, Field(max_length=200)]


class SeatsBody(BaseModel, extra="forbid"):
    evader: SeatSpec
    pursuers: SeatSpec


class RulesBody(BaseModel, extra="forbid"):
    """What is to be played: a preset of a game, and how to depart from it."""

    game: ShortText
    preset: ShortText | None = None
    board: ShortText | None = None
    options: dict[ShortText, Any] = Field(default_factory=dict, max_length=40)


class GameBody(RulesBody):
    """A game to be begun; seats are `person` or an agent of the catalogue with options.

    With a `seed` the deal and the agents' chance come from that number, and are known to whoever knows it.
    """

    seats: SeatsBody
    seed: Annotated[int, Field(ge=0, lt=SEED_BOUND)] | None = None
    seconds: Annotated[float, Field(gt=0, le=30)] = 1.0
    spectators: Literal["live", "delayed", "never"] = "live"


class GameLinks(BaseModel):
    uid: str
    links: dict[str, str]
    tokens: dict[str, str]


class GameFacts(BaseModel):
    """What everybody may know about a game."""

    uid: str
    game: str
    title: str
    evader: str
    pursuers: str
    round: int
    state: Literal["running", "finished"]
    outcome: str | None
    words: str | None = None
    """How it ended, where games that are over are listed."""
    at: float
    commitment: str | None = None
    """To the deal; the record shows what it was made from. Lists of finished games leave it out."""


@router.get("/catalog")
async def get_catalog() -> dict[str, Any]:
    return build_catalog()


@router.post("/games", status_code=201)
async def begin_game(body: GameBody, request: Request) -> GameLinks:
    site = site_of(request)
    address = client_address(request)
    check_number_of_games(site, address)
    plan = await in_thread(request, _plan, site, body, address)
    return links_of(await site.rooms.begin(plan))


def check_number_of_games(site: Site, address: str) -> None:
    """Of games that run, of games in a day, and of what the store may hold."""
    most = site.settings.limits.games_per_address
    if site.rooms.n_running_of(address) >= most:
        raise TooMany(f"{most} games that were begun from your address are running; end one first")
    site.watch.check_room()
    site.addresses.take_game(address)


def links_of(begun: BegunGame) -> GameLinks:
    """The answer to whoever began a game."""
    uid = begun.room.uid
    tokens = {seat.value: token for seat, token in begun.tokens.items()}
    links = {seat: f"/play/{uid}#{seat}={token}" for seat, token in tokens.items()}
    return GameLinks(uid=uid, links={**links, "spectator": f"/play/{uid}"}, tokens=tokens)


@router.get("/games")
async def get_games(
    request: Request,
    state: Literal["running", "finished"] = "running",
    limit: Annotated[int, Query(ge=1, le=MOST_GAMES)] = 50,
) -> list[GameFacts]:
    site = site_of(request)
    if state == "running":
        return [facts_of(room) for room in await site.rooms.running(limit)]
    return await in_thread(request, _finished, site, limit)


@router.get("/games/{uid}")
async def get_game(uid: str, request: Request) -> GameFacts:
    return facts_of(await site_of(request).rooms.find(uid))


@router.websocket("/games/{uid}/socket")
async def game_socket(websocket: WebSocket, uid: str) -> None:
    await sockets.serve(websocket, uid)


def facts_of(room: GameRoom) -> GameFacts:
    outcome = room.referee.outcome
    moment = room.moment(Seat.SPECTATOR)
    return GameFacts(
        uid=room.uid,
        game=room.game.name,
        title=room.game.title,
        evader=room.plan.seats[Seat.EVADER],
        pursuers=room.plan.seats[Seat.PURSUERS],
        round=moment.round if moment else 0,
        state="running" if outcome is None else "finished",
        outcome=None if outcome is None else str(outcome),
        at=room.created_at,
        commitment=room.referee.commitment,
    )


def _finished(site: Site, limit: int) -> list[GameFacts]:
    return [_finished_facts(found, site) for found in list_games(site.store, limit=limit)]


def _finished_facts(found: GameSummary, site: Site) -> GameFacts:
    ending = site.endings.get(found.uid)
    return GameFacts(
        uid=found.uid,
        game=found.game,
        title=make_game(found.game).title,
        evader=found.evader,
        pursuers=found.pursuers,
        round=ending.round,
        state="finished",
        outcome=found.outcome,
        words=ending.words,
        at=found.finished_at,
    )


def _plan(site: Site, body: GameBody, address: str) -> GamePlan:
    """What is cheap to refuse is refused before a board is made."""
    game = make_game(body.game)
    check_seconds(body.seconds, site.settings.limits)
    seats = {Seat.EVADER: body.seats.evader, Seat.PURSUERS: body.seats.pursuers}
    for seat in PLAYERS:
        check_agent_spec(seats[seat], body.game, seat)
    config = make_config(site, body)
    check_config(game, config, seats, site.settings.limits)
    secret, policy = new_secret(), SpectatorPolicy(body.spectators)
    seed, nonce = (secret, None) if body.seed is None else (body.seed, nonce_of(secret))
    return GamePlan(game, config, seats, seed, seconds=body.seconds, spectators=policy, address=address, nonce=nonce)


def make_config(site: Site, body: RulesBody) -> Any:
    """A config from what a client sent; ManhuntError where it cannot be."""
    rules = make_game(body.game)
    check_options(body.options)
    values = dict(body.options)
    if strange := {"board", "preset"} & set(values):
        raise BadConfig(f"{strange.pop()} belongs beside the options, not among them")
    if body.board is not None:
        check_has_board(rules)
        values["board"] = site.boards.named(body.board)
    try:
        config = rules.make_config(body.preset, **values)
    except ManhuntError:
        raise
    except Exception as error:  # whatever odd values do to a config
        raise BadConfig(f"invalid game options: {' '.join(str(error).split())[:200]}") from None
    if (place := board_of(rules, config)) is not None:
        site.boards.checked(place)
    return config
