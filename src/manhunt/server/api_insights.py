"""REST: what a seat can find out beyond its view, made in a worker from what that seat knows alone."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request

from manhunt.analysis.insights import Help
from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.warm import PAGE
from manhunt.server.addresses import client_address
from manhunt.server.first_use import run_task
from manhunt.server.site import Site, in_thread, site_of, token_of

router = APIRouter(prefix="/api")
INSIGHT = "manhunt.analysis.insights:insight_of"
LIMIT_SECONDS = 120.0
MOST_PARAMETERS = 12


@router.get("/games/{uid}/insights/{what}")
async def get_insight(uid: str, what: str, request: Request) -> dict[str, Any]:
    """The answer's keys depend on the insight; `v` is the number of the last event that it knows of.

    `?v=` asks about an earlier moment, `?seat=` says for which of both seats somebody asks.
    """
    site = site_of(request)
    room = await site.rooms.find(uid)
    params = dict(request.query_params)
    log = await in_thread(request, room.log_at(room.seat_of(token_of(request), _seat(params)), _moment(params)))
    level = Help.ALL if room.over else room.plan.options.help
    past = str(room.turns.taken_back.n)
    return await insight(site, ("game", uid, past), log, what, params, request, level)


def _seat(params: dict[str, str]) -> Seat | None:
    text = params.pop("seat", None)
    if text not in (None, *(seat.value for seat in PLAYERS)):
        raise BadText(f"seat={str(text)[:40]}: choose evader or pursuers")
    return None if text is None else Seat(text)


def _moment(params: dict[str, str]) -> int | None:
    text = params.pop("v", None)
    if text is not None and not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadText("v is the number of an event")
    return None if text is None else int(text)


async def insight(
    site: Site,
    where: tuple[str, ...],
    log: SeatLog,
    what: str,
    params: dict[str, str],
    request: Request,
    level: Help = Help.ALL,
) -> dict[str, Any]:
    """Worked out once for all who ask the same; given up when nobody waits for it any longer."""
    if len(params) > MOST_PARAMETERS or any(len(k) + len(v) > 200 for k, v in params.items()):
        raise BadText(f"too many or too long parameters; give at most {MOST_PARAMETERS}, of 200 characters each")
    v = len(log.events)
    key = (*where, level, log.seat, v, what, tuple(sorted(params.items())))
    less = () if level is Help.ALL else (level,)
    task = partial(run_task, site.pool, f"{log.game}/{PAGE}", INSIGHT, what, log, params, *less)
    kind, owner = f"insight {log.game} {what[:40]}", client_address(request)
    made = await site.shared.answer(key, lambda: task(kind=kind, limit_seconds=LIMIT_SECONDS, owner=owner), request)
    return {**made, "v": v, "what": what}
