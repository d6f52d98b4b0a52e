"""For whoever runs the server: is it well (`/healthz`), and its figures as Prometheus reads them (`/metrics`)."""

import os
import time
from collections.abc import Iterable, Mapping

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from manhunt import __version__
from manhunt.server.addresses import is_among
from manhunt.server.rooms import Forbidden
from manhunt.server.settings import LOOPBACKS
from manhunt.server.site import Site, site_of

router = APIRouter(include_in_schema=False)
TEXT = "text/plain; version=0.0.4; charset=utf-8"
Sample = tuple[Mapping[str, str], float]


@router.get("/healthz")
async def get_health(request: Request) -> JSONResponse:
    """200 if games can be played and kept, else 503; a stranger hears no more."""
    is_well = await site_of(request).watch.look() is None
    return JSONResponse({"status": "ok" if is_well else "the store is damaged or gone"}, 200 if is_well else 503)


@router.get("/metrics")
async def get_metrics(request: Request) -> Response:
    """For this machine, and those that were named when the server was started."""
    site = site_of(request)
    if not is_among(request.client.host if request.client else "", (*LOOPBACKS, *site.settings.monitors)):
        raise Forbidden("the figures of this server are for its operator")
    return Response("".join(_metrics(site)), media_type=TEXT)


def _metrics(site: Site) -> Iterable[str]:
    lanes, writer, watch = site.pool.counts(), site.writer, site.watch
    one: Mapping[str, str] = {}
    yield _metric("info", "gauge", "The running version.", [({"version": __version__}, 1)])
    yield _metric("start_time_seconds", "gauge", "Start time in seconds since 1970.", [(one, site.began_at)])
    yield _metric("cpu_seconds_total", "counter", "Processor time of the server, without workers.", [(one, _cpu())])
    yield _metric("answers_total", "counter", "HTTP answers.", [({"status": str(k)}, n) for k, n in _sorted(site)])
    yield _metric("sockets", "gauge", "Open sockets of games.", [(one, site.addresses.sockets.total)])
    yield _metric("requests", "gauge", "Requests that are being answered.", [(one, site.addresses.at_once.total)])
    yield _metric("rooms", "gauge", "Games in memory.", [(one, site.rooms.n_rooms)])
    yield _metric("running_games", "gauge", "Games that are not over.", [(one, site.rooms.n_running)])
    yield _metric("games_begun_total", "counter", "Games begun since the start.", [(one, site.rooms.n_begun)])
    for i, (name, words) in enumerate(_LANES.items()):
        yield _metric(name, "gauge", words, [({"lane": lane.value}, found[i]) for lane, found in lanes.items()])
    yield _metric("store_commits_total", "counter", "Transactions with moves.", [(one, writer.n_commits)])
    yield _metric("store_commit_seconds_total", "counter", "How long they took together.", [(one, writer.seconds)])
    yield _metric("store_refused_total", "counter", "Writes that the store refused.", [(one, writer.n_refused)])
    yield _metric("store_bytes", "gauge", "Size of the database.", [(one, watch.n_bytes)])
    yield _metric("store_up", "gauge", "1 if the store works.", [(one, watch.problem is None)])


_LANES = {
    "workers": "Worker processes.",
    "tasks_running": "Tasks that workers are doing.",
    "tasks_waiting": "Tasks that wait for a worker.",
}


def _metric(name: str, kind: str, words: str, samples: Iterable[Sample]) -> str:
    """One metric with its samples. Labels are ours, so nothing in them needs quoting."""
    lines = [f"# HELP manhunt_{name} {words}", f"# TYPE manhunt_{name} {kind}"]
    for labels, value in samples:
        inner = ",".join(f'{key}="{text}"' for key, text in labels.items())
        lines.append(f"manhunt_{name}{f'{{{inner}}}' if inner else ''} {float(value):.10g}")
    return "\n".join(lines) + "\n"


def _sorted(site: Site) -> list[tuple[int, int]]:
    return sorted(site.answers.items())


def _cpu() -> float:
    used = os.times()
    return used.user + used.system if used.user else time.process_time()
