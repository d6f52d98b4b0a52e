"""The web app: routes, pages, and what begins and ends with the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from manhunt import __version__
from manhunt.server import scenes
from manhunt.server.durable import Held, Ledger, hold
from manhunt.server.errors import add_handlers
from manhunt.server.grounds import Boards, draw_ahead
from manhunt.server.guard import Guard
from manhunt.server.house import House
from manhunt.server.jobs import Jobs
from manhunt.server.settings import Settings
from manhunt.server.site import Site
from manhunt.server.workers import Pool

ROUTERS = ("api_games", "api_boards", "api_insights", "api_jobs", "api_replays", "api_notebook", "api_arena")
"""Modules of this package with a `router`."""
PAGES = {
    "/play/{uid}": "play.html",
    "/replay/{uid}": "replay.html",
    "/notebook": "notebook.html",
    "/notebook/{game}": "notebook.html",
    "/arena": "arena.html",
    "/arena/{uid}": "arena.html",
}


def create_app(settings: Settings, held: Held | None = None) -> FastAPI:
    """The app; its store is opened when the server starts, unless the caller holds it already."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        site = open_site(settings, held or hold(settings.store))
        app.state.site = site
        warming = asyncio.get_running_loop().run_in_executor(None, _warm_up)
        try:
            yield
        finally:
            await warming
            await close_site(site)

    app = FastAPI(title="manhunt", version=__version__, lifespan=life, docs_url=None, redoc_url=None)
    add_handlers(app)
    app.add_middleware(Guard, settings=settings)
    for name in ROUTERS:
        if find_spec(f"manhunt.server.{name}") is not None:
            app.include_router(import_module(f"manhunt.server.{name}").router)
    _add_pages(app, web_folder())
    return app


def open_site(settings: Settings, held: Held) -> Site:
    """To be called on the event loop."""
    store = held.store
    pool, ledger = Pool(settings.workers), Ledger(store)
    house = House(store, ledger, pool)
    pool.start()
    house.open()
    return Site(settings, store, held.claim, ledger, pool, house, Boards(settings.limits, store), Jobs(pool))


def _warm_up() -> None:
    """What the first page would have to wait for."""
    scenes.load_all()
    draw_ahead()


async def close_site(site: Site) -> None:
    """What was acknowledged is on the disk before; what is under way is brought to its end."""
    await site.rooms.close()
    await site.jobs.close()
    await site.pool.close()
    await asyncio.to_thread(site.ledger.close)
    site.claim.release()
    site.store.close()


def web_folder() -> Path:
    return Path(str(resources.files("manhunt") / "web"))


def _add_pages(app: FastAPI, folder: Path) -> None:
    def page(name: str) -> None:
        file = folder / PAGES[name]

        @app.get(name, include_in_schema=False)
        async def show() -> FileResponse:
            return FileResponse(file, media_type="text/html", headers={"Cache-Control": "no-cache"})

    for name in PAGES:
        page(name)
    app.mount("/", _Files(directory=folder, html=True, check_dir=False))


class _Files(StaticFiles):
    """Files that a browser asks about again each time: they are small, and change with the version.

    A page that does not exist is 404.html; programs are answered in JSON.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.split("/")[0] == "api":
            raise HTTPException(404, f"there is no /{path}")
        return await super().get_response(path, scope)

    def file_response(self, *args: object, **options: object) -> object:  # type: ignore[override]
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response
