"""REST: match-ups of agents that run on the server, their figures and games."""

import hmac
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, Response
from pydantic import Field

from manhunt.arena.folder import CONFIG, RECORDS, RESULTS, record_name, whole_lines
from manhunt.arena.games import GameFilter, ListedGame, games_of
from manhunt.arena.ledger import Ledger
from manhunt.arena.page import page_of
from manhunt.arena.summary import summary_of, times_of
from manhunt.arena.words import has_costs, setting_of, title_of
from manhunt.boards.reference import board_to_json
from manhunt.core.errors import BadAgent, BadConfig, ManhuntError, unknown
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import game_names, kit_of, make_game
from manhunt.server.addresses import client_address
from manhunt.server.api_games import RulesBody, ShortText, make_config
from manhunt.server.arena_jobs import ArenaJobs, MatchUps, Run, arena_folder, specs_of
from manhunt.server.board_images import UPLOAD
from manhunt.server.catalog import opponents
from manhunt.server.errors import NotFound
from manhunt.server.limits import check_agent_spec, check_config, check_has_board, check_seconds
from manhunt.server.rooms import Forbidden, hash_of
from manhunt.server.site import Site, in_thread, site_of, token_of
from manhunt.store.games import FinishedGame, load_record, save_game

MOST_MATCHES = 20_000
MOST_LISTED = 200

Spec = Annotated[str, Field(min_length=1, max_length=120)]


@asynccontextmanager
async def life(app: FastAPI) -> AsyncIterator[None]:
    site: Site = app.state.site
    jobs = ArenaJobs(arena_folder(site.settings), site.pool, site.settings.limits)
    app.state.arena = jobs
    jobs.open()
    try:
        yield
    finally:
        await jobs.close()


router = APIRouter(prefix="/api", lifespan=life)


class ArenaBody(RulesBody):
    """Every evader plays every pursuers' agent on the same deals; agents are those of the catalogue, with options."""

    evaders: list[Spec] = Field(min_length=1, max_length=8)
    pursuers: list[Spec] = Field(min_length=1, max_length=8)
    games: Annotated[int, Field(ge=1, le=MOST_MATCHES)] = 20
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    seconds: Annotated[float, Field(gt=0, le=30)] | None = None


def _jobs(request: Request) -> ArenaJobs:
    jobs: ArenaJobs = request.app.state.arena
    return jobs


@router.post("/arena", status_code=202)
async def begin_run(body: ArenaBody, request: Request) -> dict[str, Any]:
    """Begin a run; it plays when those before it are done. Whoever holds its token may cancel and delete it."""
    site_of(request).watch.check_room()
    what = await in_thread(request, _checked, site_of(request), body)
    token = secrets.token_urlsafe(24)
    run = _jobs(request).add(what, hash_of(token), client_address(request))
    return {"id": run.id, "token": token}


@router.get("/arena")
async def get_runs(request: Request) -> list[dict[str, Any]]:
    """The newest first, without their figures."""
    jobs = _jobs(request)
    return [_brief(jobs, run, await jobs.ledger(run)) for run in jobs.all()]


@router.get("/arena/{run_id}")
async def get_run(run_id: str, request: Request) -> dict[str, Any]:
    """How far it is, the matrix with intervals, ratings, times and faults so far."""
    jobs = _jobs(request)
    run = jobs.find(run_id)
    ledger = await jobs.ledger(run)
    found = _brief(jobs, run, ledger) | await in_thread(request, _figures, run, ledger)
    return {**found, "mine": _is_mine(run, request)}


def _is_mine(run: Run, request: Request) -> bool:
    """Whether who asks began the run; on a server of one's own everybody is the same person."""
    token = token_of(request)
    if not site_of(request).settings.is_public:
        return True
    return token is not None and hmac.compare_digest(run.token_hash, hash_of(token))


def _own_run(run_id: str, request: Request) -> Run:
    """Forbidden for those who did not begin it."""
    run = _jobs(request).find(run_id)
    if not _is_mine(run, request):
        raise Forbidden("only the person who started this run can do that; use the browser you started it in")
    return run


@router.post("/arena/{run_id}/resume", status_code=202)
async def resume_run(run_id: str, request: Request) -> dict[str, Any]:
    """Go on with a run that was cancelled or failed, from where it was stopped."""
    return {"id": _jobs(request).resume(_own_run(run_id, request).id).id}


@router.delete("/arena/{run_id}")
async def end_run(run_id: str, request: Request, forget: bool = False) -> dict[str, Any]:
    """Cancel a run; with `forget` delete one that has ended, with all its games."""
    jobs = _jobs(request)
    _own_run(run_id, request)
    if forget:
        jobs.delete(run_id)
        return {"id": run_id, "state": "deleted"}
    run = await jobs.cancel(run_id)
    return {"id": run.id, "state": run.state.value}


@router.get("/arena/{run_id}/games")
async def get_run_games(
    run_id: str,
    request: Request,
    evader: ShortText | None = None,
    pursuers: ShortText | None = None,
    lost_by: ShortText | None = None,
    offset: Annotated[int, Query(ge=0, le=MOST_MATCHES)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
) -> dict[str, Any]:
    """The games played so far, in schedule order, of one match-up or of all; or those that an agent lost."""
    run = _jobs(request).find(run_id)
    rows = await in_thread(request, _games, run, GameFilter(lost_by=lost_by, evader=evader, pursuers=pursuers))
    return {"total": len(rows), "games": rows[offset : offset + limit]}


@router.post("/arena/{run_id}/games/{number}")
async def keep_game(run_id: str, number: int, request: Request) -> dict[str, Any]:
    """Put a game of a run into the store, so that it can be replayed and analysed; doing so twice does no harm."""
    jobs = _jobs(request)
    run = jobs.find(run_id)
    ledger = await jobs.ledger(run)
    site_of(request).watch.check_room()
    site_of(request).addresses.take_game(client_address(request))
    uid = await in_thread(request, _keep, site_of(request), run, ledger, number)
    return {"uid": uid, "link": f"/replay/{uid}"}


@router.get("/arena/{run_id}/report.html")
async def get_report(run_id: str, request: Request) -> Response:
    """All figures as one HTML file, for keeping."""
    jobs = _jobs(request)
    ledger = await jobs.ledger(jobs.find(run_id))
    if ledger is None:
        raise NotFound("no games have been played yet")
    text = await in_thread(request, page_of, ledger)
    headers = {"Content-Disposition": f'attachment; filename="arena-{run_id}.html"'}
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)


# -- runs ----------------------------------------------------------------------------------------------


def _checked(site: Site, body: ArenaBody) -> MatchUps:
    """What was asked for, tried: the first thing wrong is raised as one line."""
    if body.game not in game_names():
        raise BadConfig(unknown("game", body.game, game_names()))
    game = make_game(body.game)
    place = None
    if body.board is not None and body.board.startswith(UPLOAD):
        check_has_board(game)
        place = board_to_json(site.boards.named(body.board))
    evaders, pursuers = specs_of(body.evaders), specs_of(body.pursuers)
    for seat, specs in zip(PLAYERS, (evaders, pursuers), strict=True):
        known = list(dict.fromkeys(opponent.name for opponent in opponents(body.game, seat)))
        for spec in specs:
            if spec.partition(":")[0] not in known:
                raise BadAgent(unknown(f"agent for {game.seat_names[seat]}", spec[:80], known))
            check_agent_spec(spec, body.game, seat)
    what = MatchUps(
        body.game, evaders, pursuers, body.games, body.seed, body.seconds, body.preset, body.board, body.options, place
    )
    most = site.settings.limits.run_games
    if what.n_matches > most:
        raise BadConfig(f"{what.n_matches:,} games in all (max {most:,})")
    check_seconds(body.seconds, site.settings.limits)
    config = make_config(site, body)
    check_config(game, config, dict(zip(PLAYERS, (evaders[0], pursuers[0]), strict=True)), site.settings.limits)
    what.plan()
    return what


def _brief(jobs: ArenaJobs, run: Run, ledger: Ledger | None) -> dict[str, Any]:
    n_finished = 0 if ledger is None else ledger.n_finished
    left = jobs.seconds_left(run, n_finished)
    game = make_game(run.what.game)
    return {
        "id": run.id,
        "state": run.state.value,
        "error": run.error,
        "at": run.created_at,
        "game": run.what.game,
        "title": game.title,
        "evaders": list(run.what.evaders),
        "pursuers": list(run.what.pursuers),
        "done": n_finished,
        "total": run.what.n_matches,
        "secondsLeft": None if left is None else round(left, 1),
        "ahead": jobs.place(run),
    }


def _figures(run: Run, ledger: Ledger | None) -> dict[str, Any]:
    names = make_game(run.what.game).seat_names
    figures: dict[str, Any] = {
        "names": {seat.value: names[seat] for seat in PLAYERS},
        "asked": _asked(run.what),
        "heading": None,
        "setting": "",
        "costs": False,
        "analysis": kit_of(run.what.game).has("analysis"),
        "summary": None,
        "times": [],
        "faults": [],
    }
    if ledger is None:
        return figures
    figures |= {"heading": title_of(ledger.plan), "setting": setting_of(ledger.plan), "costs": has_costs(ledger.plan)}
    if ledger.n_finished:
        figures |= {"summary": summary_of(ledger), "times": times_of(ledger)}
    figures["faults"] = [
        {"number": number, "seat": None if fault.seat is None else fault.seat.value, "why": fault.why}
        for number, fault in ledger.faults[:20]
    ]
    return figures


def _asked(what: MatchUps) -> dict[str, Any]:
    """The body that would begin the same run again."""
    body = {key: value for key, value in asdict(what).items() if key != "place"}
    games = body.pop("n_games")
    return {**body, "games": games}


def _games(run: Run, wanted: GameFilter) -> list[dict[str, Any]]:
    if not (run.out / CONFIG).exists():
        return []
    return [_game_row(game) for game in games_of(run.out) if wanted.takes(game)]


def _game_row(game: ListedGame) -> dict[str, Any]:
    outcome, seed = game.result.outcome, game.match.seed
    return {
        "number": game.number,
        "evader": game.match.evader,
        "pursuers": game.match.pursuers,
        "winner": None if outcome is None else outcome.winner.value,
        "how": None if outcome is None else outcome.termination.value,
        "cost": None if outcome is None else outcome.cost,
        "rounds": game.result.rounds,
        "seed": seed if isinstance(seed, int) else None,
    }


def _keep(site: Site, run: Run, ledger: Ledger | None, number: int) -> str:
    if ledger is None or not 0 <= number < ledger.plan.n_matches or not ledger.is_finished(number):
        raise NotFound(f"game {number} of this run is not played")
    plan = ledger.plan
    match, uid = plan.match(number), f"{plan.run_id}-{number:06d}"
    try:
        text = (run.out / RECORDS / record_name(plan, number)).read_text(encoding="utf-8")
    except OSError:
        raise NotFound(f"game {number} of this run has no record") from None
    row = next(json.loads(line) for line in whole_lines(run.out / RESULTS) if json.loads(line)["n"] == number)
    if row["outcome"] is None:
        raise NotFound(f"game {number} could not be played to its end")
    seed = match.seed if isinstance(match.seed, int) else 0
    facts = (plan.game, match.evader, match.pursuers, seed, row["outcome"], row["rounds"], row["plies"])
    try:
        save_game(site.store, FinishedGame(uid, *facts, text))
    except ManhuntError:
        load_record(site.store, uid)  # there already; whatever else was wrong is told by this
    return uid
