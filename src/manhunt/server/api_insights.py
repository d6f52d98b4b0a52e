"""REST: what a seat can find out beyond its view, made in a worker from what that seat knows alone."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request

from manhunt.analysis.seat_log import SeatLog
from manhunt.core.errors import BadText
from manhunt.core.warm import PAGE
from manhunt.server.addresses import client_address
from manhunt.server.first_use import run_task
from manhunt.server.site import Site, site_of, token_of

router = APIRouter(prefix="/api")
INSIGHT = "manhunt.analysis.insights:insight_of"
LIMIT_SECONDS = 120.0
MOST_PARAMETERS = 12


@router.get("/games/{uid}/insights/{what}")
async def get_insight(uid: str, what: str, request: Request) -> dict[str, Any]:
    """The answer's keys depend on the insight; `v` is the number of the last event that it knows of."""
    site = site_of(request)
    room = await site.rooms.find(uid)
    log = room.log(room.seat_of(token_of(request)))
    return await insight(site, ("game", uid), log, what, dict(request.query_params), request)


async def insight(
    site: Site, where: tuple[str, ...], log: SeatLog, what: str, params: dict[str, str], request: Request
) -> dict[str, Any]:
    """Worked out once for all who ask the same; given up when nobody waits for it any longer."""
    if len(params) > MOST_PARAMETERS or any(len(k) + len(v) > 200 for k, v in params.items()):
        raise BadText(f"too many or too long parameters; the most is {MOST_PARAMETERS} of 200 signs")
    v = len(log.events)
    key = (*where, log.seat, v, what, tuple(sorted(params.items())))
    task = partial(run_task, site.pool, f"{log.game}/{PAGE}", INSIGHT, what, log, params)
    kind, owner = f"insight {log.game} {what[:40]}", client_address(request)
    made = await site.shared.answer(key, lambda: task(kind=kind, limit_seconds=LIMIT_SECONDS, owner=owner), request)
    return {**made, "v": v, "what": what}
