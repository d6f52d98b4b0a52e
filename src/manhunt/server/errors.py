"""What a client did wrong, with the status that says so; every answer is {"error": one line}."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from manhunt.analysis.insights import TooMuchHelp, UnknownInsight
from manhunt.analysis.puzzles import NoSuchPuzzle
from manhunt.core.errors import ManhuntError
from manhunt.server.addresses import TooMany
from manhunt.server.durable import NotStored
from manhunt.server.rooms import Forbidden, NoSuchGame
from manhunt.server.store_watch import StoreFull
from manhunt.store.connect import BadStore
from manhunt.workers.pool import NoWorkers, TaskFailed, TaskTooLong

LOG = logging.getLogger("manhunt.server")


class NotFound(ManhuntError):
    """404."""


class Conflict(ManhuntError):
    """409: what was asked for does not fit what is there now."""


_STATUS: tuple[tuple[type[ManhuntError], int], ...] = (
    (Forbidden, 403),
    (TooMuchHelp, 403),
    (NoSuchGame, 404),
    (NoSuchPuzzle, 404),
    (NotFound, 404),
    (UnknownInsight, 404),
    (Conflict, 409),
    (TooMany, 429),
    (TaskTooLong, 409),
    (NoWorkers, 503),
    (NotStored, 503),
    (StoreFull, 503),
    (BadStore, 503),
    (TaskFailed, 500),
)


def status_of(error: ManhuntError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 400)


def store_words(error: BadStore) -> str:
    """What clients hear of a store that fails; its name and reasons are for the log."""
    LOG.error("%s", error)
    return "the database does not answer now; try again a little later"


def error_response(status: int, what: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": " ".join(what.split())[:1000]}, status, headers=headers)


def add_handlers(app: FastAPI) -> None:
    @app.exception_handler(ManhuntError)
    async def refused(request: Request, error: ManhuntError) -> JSONResponse:
        return error_response(status_of(error), store_words(error) if isinstance(error, BadStore) else str(error))

    @app.exception_handler(HTTPException)
    async def no_page(request: Request, error: HTTPException) -> JSONResponse:
        return error_response(error.status_code, str(error.detail), dict(error.headers) if error.headers else None)

    @app.exception_handler(Exception)
    async def our_fault(request: Request, error: Exception) -> JSONResponse:
        return error_response(500, "something went wrong here; it is not your fault")

    @app.exception_handler(RequestValidationError)
    async def no_sense(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
        return error_response(400, f"{where}: {first['msg']}")
