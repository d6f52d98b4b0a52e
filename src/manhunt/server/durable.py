"""Running games on the disk: a move is stored before anybody hears that it was made.

One thread writes for the whole server. What has come together while it wrote goes into the next transaction, so that
many games share one commit and the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO

from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from manhunt.errors import ManhuntError
from manhunt.store.connect import BadStore, Store, open_store
from manhunt.store.games import FinishedGame
from manhunt.store.running import KeptMove, RunningGame, finish_running, insert_moves, insert_running, insert_tokens

MOST_TOGETHER = 500
LOG = logging.getLogger("manhunt.server")
Write = Callable[[Connection, float], None]
"""Part of a transaction; gets the time by the database's clock."""
_SERVING_LOCK = 7_126_002


class NotStored(ManhuntError):
    """The store did not take it, so it did not happen."""


@dataclass(frozen=True, slots=True)
class _Order:
    write: Write | KeptMove
    done: asyncio.Future[None]


class Ledger:
    """Writes for the event loop. An await that returns means that it is on the disk."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="manhunt-ledger", daemon=True)
        self._thread.start()
        self.n_commits = 0
        self.n_writes = 0

    async def begin(self, game: RunningGame, hashes: dict[str, str], moves: Sequence[str]) -> None:
        kept = [KeptMove(game.uid, ply, notation, game.created_at) for ply, notation in enumerate(moves, 1)]

        def write(connection: Connection, now: float) -> None:
            insert_running(connection, game, hashes)
            insert_moves(connection, kept)

        await self._write(write)

    async def move(self, uid: str, ply: int, notation: str) -> None:
        await self._write(KeptMove(uid, ply, notation, time.time()))

    async def finish(self, game: FinishedGame, hashes: dict[str, str] | None = None) -> None:
        """The last move and the finished game at once. `hashes` are those of a game that was never a running one."""

        def write(connection: Connection, now: float) -> None:
            finish_running(connection, game, now)
            insert_tokens(connection, game.uid, hashes or {})

        await self._write(write)

    def close(self) -> None:
        """Everything that was ordered is written first."""
        self._orders.put(None)
        self._thread.join()

    async def _write(self, write: Write | KeptMove) -> None:
        done = asyncio.get_running_loop().create_future()
        self._orders.put(_Order(write, done))
        await done

    def _run(self) -> None:
        while (first := self._orders.get()) is not None:
            batch, is_last = [first], False
            while len(batch) < MOST_TOGETHER and not self._orders.empty():
                order = self._orders.get()
                if order is None:
                    is_last = True
                    break
                batch.append(order)
            self._settle(batch)
            if is_last:
                return

    def _settle(self, batch: list[_Order]) -> None:
        """All in one transaction; where that fails, each in its own, so that one cannot spoil the others."""
        failures: dict[int, Exception] = {}
        try:
            self._commit(batch)
        except Exception as error:
            if len(batch) == 1:
                failures[0] = error
            else:
                for i, order in enumerate(batch):
                    try:
                        self._commit([order])
                    except Exception as own:
                        failures[i] = own
        loop = batch[0].done.get_loop()
        try:
            loop.call_soon_threadsafe(_tell, batch, failures)
        except RuntimeError:
            return  # the loop has ended, and with it whoever waited

    def _commit(self, batch: Sequence[_Order]) -> None:
        with self._store.writing() as connection:
            now = self._store.now(connection)
            insert_moves(connection, [order.write for order in batch if isinstance(order.write, KeptMove)])
            for order in batch:
                if not isinstance(order.write, KeptMove):
                    order.write(connection, now)
        self.n_commits += 1
        self.n_writes += len(batch)


def _tell(batch: Sequence[_Order], failures: dict[int, Exception]) -> None:
    for i, order in enumerate(batch):
        if order.done.done():
            continue
        if i in failures:
            LOG.error("not stored: %s", failures[i])
            taken = isinstance(failures[i], IntegrityError)
            why = "it is there already" if taken else "the database did not take it"
            order.done.set_exception(NotStored(f"not stored: {why}; nothing has happened, try again"))
        else:
            order.done.set_result(None)


class Claim:
    """The right of one server to play on the games of a store; it ends with the process, however that ends."""

    def __init__(self, store: Store) -> None:
        self._file: IO[str] | None = None
        self._connection: Connection | None = None
        if store.is_sqlite:
            self._file = _open_lock(store.name)
            is_mine = _lock(self._file)
        else:
            self._connection = store.connect()
            query = text(f"SELECT pg_try_advisory_lock({_SERVING_LOCK})")
            is_mine = bool(self._connection.execute(query).scalar_one())
        if not is_mine:
            self.release()
            raise BadStore(f"another manhunt web plays on the games of {store.name}; end it, or name another --store")

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()


@dataclass(frozen=True)
class Held:
    """An open store on whose games nobody else plays."""

    store: Store
    claim: Claim


def hold(where: str) -> Held:
    """Open the store for a server; BadStore if it cannot be, or if another server has it."""
    store = open_store(where)
    try:
        return Held(store, Claim(store))
    except BaseException:
        store.close()
        raise


def _open_lock(store: str) -> IO[str]:
    """The file beside the database, by whatever link this was named."""
    file = f"{os.path.realpath(store)}.serving"
    try:
        return open(file, "w")
    except OSError as error:
        raise BadStore(f"cannot write {file}, which keeps two servers apart: {error.strerror}") from None


def _lock(file: IO[str]) -> bool:
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
