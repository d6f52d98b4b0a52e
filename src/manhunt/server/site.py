"""What all parts of the web app share: settings, store, rooms, workers, boards."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from manhunt.server.durable import Claim, Ledger
from manhunt.server.grounds import Boards
from manhunt.server.house import House
from manhunt.server.jobs import Jobs
from manhunt.server.settings import Settings
from manhunt.server.shared_work import SharedWork
from manhunt.server.workers import Pool
from manhunt.store.connect import Store


@dataclass
class Site:
    """One running web app."""

    settings: Settings
    store: Store
    claim: Claim
    ledger: Ledger
    pool: Pool
    rooms: House
    boards: Boards
    jobs: Jobs
    shared: SharedWork = field(default_factory=SharedWork)


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request or a socket came to."""
    site: Site = connection.app.state.site
    return site


def token_of(connection: HTTPConnection) -> str | None:
    """The seat's token in the header `Authorization: Bearer ...`; None for spectators."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
