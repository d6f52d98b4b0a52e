"""What all parts of the web app share: settings, store, rooms, workers, boards."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.requests import HTTPConnection

from manhunt.server.addresses import Addresses, client_address
from manhunt.server.board_images import Boards
from manhunt.server.durable import Claim, GameWriter
from manhunt.server.endings import Endings
from manhunt.server.jobs import Jobs
from manhunt.server.recent import Recent
from manhunt.server.replays import FinishedGames
from manhunt.server.reviews import Reviews
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.settings import Settings
from manhunt.server.shared_work import SharedWork
from manhunt.server.store_watch import StoreWatch
from manhunt.server.tables.registry import TableRegistry
from manhunt.store.connect import Store
from manhunt.workers.pool import WorkerPool

MAX_FILMS = 6
AnswerT = TypeVar("AnswerT")


@dataclass
class Site:
    """One running web app."""

    settings: Settings
    store: Store
    claim: Claim
    writer: GameWriter
    pool: WorkerPool
    rooms: RoomRegistry
    tables: TableRegistry
    boards: Boards
    jobs: Jobs
    addresses: Addresses
    watch: StoreWatch
    answers: Counter[int] = field(default_factory=Counter)
    """How many answers of each HTTP status were given."""
    began_at: float = field(default_factory=time.time)
    replays: FinishedGames = field(default_factory=FinishedGames)
    films: Recent[tuple[str, str, str], bytes] = field(default_factory=lambda: Recent(MAX_FILMS))
    shared: SharedWork = field(default_factory=SharedWork)
    endings: Endings = field(init=False)
    reviews: Reviews = field(init=False)

    def __post_init__(self) -> None:
        self.endings = Endings(self.store)
        self.reviews = Reviews(self.settings.limits)


def site_of(connection: HTTPConnection) -> Site:
    """The site that a request or a socket came to."""
    site: Site = connection.app.state.site
    return site


async def in_thread(connection: HTTPConnection, function: Callable[..., AnswerT], *args: Any) -> AnswerT:
    """What a request needs that takes some time in the server itself, beside its event loop."""
    return await site_of(connection).addresses.in_thread(client_address(connection), function, *args)


def token_of(connection: HTTPConnection) -> str | None:
    """The seat's token in the header `Authorization: Bearer ...`; None for spectators."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None
