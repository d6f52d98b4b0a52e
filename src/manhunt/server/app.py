"""The web app: routes, pages, and what begins and ends with the server."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from manhunt import __version__
from manhunt.draw import scenes
from manhunt.draw.templates import render
from manhunt.server import (
    api_arena,
    api_boards,
    api_games,
    api_insights,
    api_jobs,
    api_lessons,
    api_monitoring,
    api_notebook,
    api_puzzles,
    api_replays,
    api_tables,
    api_tournaments,
    api_uploads,
    api_variations,
)
from manhunt.server.addresses import Addresses
from manhunt.server.agent_turns import rehearse_plain
from manhunt.server.board_images import Boards, draw_ahead
from manhunt.server.durable import GameWriter, HeldStore, hold
from manhunt.server.errors import add_handlers
from manhunt.server.first_use import cold_work
from manhunt.server.game_files import MOUNT, Files, GameFiles
from manhunt.server.guard import Guard
from manhunt.server.jobs import Jobs
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.settings import Settings
from manhunt.server.site import Site
from manhunt.server.store_watch import StoreWatch
from manhunt.server.tables.registry import TableRegistry
from manhunt.workers.pool import Lane, WorkerPool, usable_processors

APIS = (
    api_games,
    api_tables,
    api_boards,
    api_insights,
    api_jobs,
    api_replays,
    api_variations,
    api_puzzles,
    api_notebook,
    api_lessons,
    api_arena,
    api_tournaments,
    api_monitoring,
    api_uploads,
)
MOST_THREADS = 16
LEAST_FOR_STRANGERS = 2
"""General workers: with fewer, one long task would hold up everybody."""
PAGES = {
    "/": "index.html",
    "/play/{uid}": "play.html",
    "/table/{uid}": "table.html",
    "/replay/{uid}": "replay.html",
    "/learn": "learn.html",
    "/learn/{game}": "learn.html",
    "/learn/{game}/{number}": "lesson.html",
    "/notebook": "notebook.html",
    "/notebook/{game}": "notebook.html",
    "/puzzles": "puzzles.html",
    "/puzzles/{id}": "puzzles.html",
    "/arena": "arena.html",
    "/arena/{uid}": "arena.html",
    "/standings": "standings.html",
    "/offline": "offline.html",
}


def create_app(
    settings: Settings, held: HeldStore | None = None, end: Callable[[], Awaitable[None]] | None = None
) -> FastAPI:
    """The app; its store is opened when the server starts, unless the caller holds it already.

    With `end` a page may end the server.
    """

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MOST_THREADS, "manhunt-request"))
        site = open_site(settings, held or hold(settings.store), addresses)
        site.answers = answers
        app.state.site = site
        warming = asyncio.get_running_loop().run_in_executor(None, _warm_up)
        rehearsing = asyncio.create_task(rehearse_plain(site.pool))
        try:
            yield
        finally:
            rehearsing.cancel()
            await asyncio.wait({rehearsing})
            await warming
            await close_site(site)

    app = FastAPI(title="manhunt", version=__version__, lifespan=life, docs_url=None, redoc_url=None)
    add_handlers(app)
    addresses, answers = Addresses(settings.limits), Counter[int]()
    app.add_middleware(Guard, settings=settings, addresses=addresses, answers=answers)
    for api in APIS:
        app.include_router(api.router)
    if end is not None:
        app.add_api_route("/api/end", end, methods=["POST"], status_code=204, include_in_schema=False)
    _add_pages(app, web_folder())
    return app


def open_site(settings: Settings, held: HeldStore, addresses: Addresses) -> Site:
    """To be called on the event loop."""
    store, limits = held.store, settings.limits
    sizes = pool_sizes(settings.workers, LEAST_FOR_STRANGERS if settings.is_public else 1)
    pool, writer = WorkerPool(sizes, for_strangers=settings.is_public), GameWriter(store)
    rooms = RoomRegistry(store, writer, pool, limits.expire_days)
    tables = TableRegistry(store, writer, rooms, limits)
    boards, jobs, watch = Boards(limits, store), Jobs(pool, limits), StoreWatch(store, limits)
    pool.start((Lane.GENERAL, Lane.EXPRESS, *([Lane.PLAIN] if cold_work() else [])))
    rooms.open()
    tables.open()
    watch.open()
    return Site(settings, store, held.claim, writer, pool, rooms, tables, boards, jobs, addresses, watch)


def pool_sizes(n_general: int | None, least: int = 1) -> dict[Lane, int]:
    """Worker processes by lane: for agents one a core, unless it is said how many."""
    n_cores = usable_processors()
    sizes = {Lane.GENERAL: max(least, n_general or n_cores), Lane.JOBS: max(1, n_cores // 2)}
    return sizes | dict.fromkeys((Lane.EXPRESS, Lane.BATCH, Lane.PLAIN), 1)


def _warm_up() -> None:
    """What the first page would have to wait for."""
    scenes.load_all()
    draw_ahead()


async def close_site(site: Site) -> None:
    """What was acknowledged is on the disk before; what is under way is brought to its end."""
    await site.watch.close()
    await site.rooms.close()
    await site.tables.close()
    await site.jobs.close()
    await site.pool.close()
    await asyncio.to_thread(site.writer.close)
    site.claim.release()
    site.store.close()


def web_folder() -> Path:
    return Path(str(resources.files("manhunt") / "web"))


def _page(template: str, status: int = 200) -> HTMLResponse:
    """A page of the web app, from its template; a browser asks about it again each time."""
    return HTMLResponse(render("web", template), status, headers={"Cache-Control": "no-cache"})


def _add_pages(app: FastAPI, folder: Path) -> None:
    def add(path: str, template: str) -> None:
        @app.api_route(path, methods=["GET", "HEAD"], include_in_schema=False)
        async def show() -> HTMLResponse:
            return _page(template)

    for path, template in PAGES.items():
        add(path, template)
    app.mount(MOUNT, GameFiles())
    app.mount("/", _Pages(directory=folder, check_dir=False))


class _Pages(Files):
    """Scripts, styles and pictures. Programs are told in JSON that there is no such thing, people on a page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.split("/")[0] == "api":
            raise HTTPException(404, f"there is no /{path}")
        try:
            if not path.endswith(".html"):  # those are templates
                return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
        return _page("404.html", 404)
