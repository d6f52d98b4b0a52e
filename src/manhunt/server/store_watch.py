"""A store that is damaged or gone is noticed, also when nobody writes; and one that grows too large takes no more."""

import asyncio
import logging
import math
import time

from manhunt.core.errors import ManhuntError
from manhunt.server.settings import Limits
from manhunt.store.connect import BadStore, Store

LOOK_SECONDS = 10.0
PAGES_SECONDS = 600.0
"""How often all pages are read, for as long as that takes but a moment."""
MOST_READ = 500_000_000
LOG = logging.getLogger("manhunt.server")


class StoreFull(ManhuntError):
    """503: no more new games and boards."""


class StoreWatch:
    """Looks at the store from time to time. Used from the event loop alone."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._task: asyncio.Task[None] | None = None
        self._read_at = -math.inf
        self.problem: str | None = None
        """What is wrong with the store, for its operator."""
        self.n_bytes = 0

    def open(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def check_room(self) -> None:
        """StoreFull where nothing new is taken."""
        most = self._limits.store_bytes
        if most is not None and self.n_bytes > most:
            raise StoreFull("this server is full and takes no new games or boards; existing games continue")

    async def look(self) -> str | None:
        """What is wrong now; None if nothing is."""
        before = self.problem
        try:
            self.n_bytes = await asyncio.to_thread(self._check)
            self.problem = None
        except BadStore as error:
            self.problem = str(error)
        except OSError as error:
            self.problem = f"the database cannot be read: {error.strerror}"
        if self.problem is not None and self.problem != before:
            LOG.error("%s", self.problem)
        return self.problem

    def _check(self) -> int:
        self._store.check_file()
        n_bytes = self._store.n_bytes()
        if n_bytes <= MOST_READ and time.monotonic() - self._read_at > PAGES_SECONDS:
            self._store.check_pages()
            self._read_at = time.monotonic()
        return n_bytes

    async def _run(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)
