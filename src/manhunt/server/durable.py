"""Running games on the disk: a move is stored before anybody hears that it was made.

One thread writes for the whole server. What has come together while it wrote goes into the next transaction, so that
many games share one commit and the event loop never waits for the disk.
"""

import asyncio
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import IO, Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from manhunt.core.errors import ManhuntError
from manhunt.core.files import lock
from manhunt.play.fault import Fault
from manhunt.store.connect import BadStore, Store, StoreLost, open_store, parse_url
from manhunt.store.games import FinishedGame, has_game, load_record
from manhunt.store.running import (
    KeptMove,
    RunningGame,
    finish_running,
    has_draft,
    has_move,
    has_running,
    insert_moves,
    insert_running,
    insert_tokens,
    is_taken_back,
    load_running,
    save_draft,
    take_back,
)

MOST_TOGETHER = 500
BUSY_SECONDS = 5.0
"""How long a write waits for another program that holds the database; people wait for it."""
LOG = logging.getLogger("manhunt.server")
Write = Callable[[Connection, float], None]
"""Part of a transaction; gets the time by the database's clock."""
_SERVING_LOCK = 7_126_002


class NotStored(ManhuntError):
    """The store did not take it, so it did not happen."""


class NotSure(NotStored):
    """Nobody knows yet whether the store took it: look there before anything else is done with this game."""


IsStored = Callable[[Connection], bool]


@dataclass(frozen=True, slots=True)
class _QueuedWrite:
    write: Write | KeptMove
    done: asyncio.Future[None]
    found: IsStored
    """Tells whether it is in the store."""


class GameWriter:
    """Writes for the event loop. An await that returns means that it is on the disk."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[_QueuedWrite | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="manhunt-game-writer", daemon=True)
        self._thread.start()
        self.n_commits = 0
        self.n_refused = 0
        self.seconds = 0.0
        """How long all commits together took."""

    async def begin(
        self, game: RunningGame, hashes: dict[str, str], moves: Sequence[str], also: Write | None = None
    ) -> None:
        """`also` is written in the same transaction."""
        kept = [KeptMove(game.uid, ply, notation, game.created_at) for ply, notation in enumerate(moves, 1)]

        def write(connection: Connection, now: float) -> None:
            insert_running(connection, game, hashes)
            insert_moves(connection, kept)
            if also is not None:
                also(connection, now)

        await self._write(write, lambda connection: has_running(connection, game.uid))

    async def move(
        self, uid: str, ply: int, notation: str, fault: Fault | None = None, seconds: float | None = None
    ) -> None:
        """One ply; `fault` is the failed turn that it stands for."""
        why = None if fault is None else fault.to_json()
        move = KeptMove(uid, ply, notation, time.time(), why, seconds)
        await self._write(move, partial(has_move, move=move))

    async def turn(
        self, uid: str, first: int, notations: Sequence[str], fault: Fault | None, seconds: float | None
    ) -> None:
        """The plies of one turn from number `first`, at once; the draft that they were made from goes.

        Fault and time used are those of the first.
        """
        now = time.time()
        why = None if fault is None else fault.to_json()
        more = [(why, seconds), *[(None, None)] * (len(notations) - 1)]
        kept = [KeptMove(uid, first + i, text, now, *more[i]) for i, text in enumerate(notations)]

        def write(connection: Connection, _: float) -> None:
            insert_moves(connection, kept)
            save_draft(connection, uid, None)

        await self._write(write, lambda connection: has_move(connection, kept[-1]))

    async def look(self, uid: str) -> tuple[RunningGame, list[KeptMove]] | str:
        """What is stored of a game: a running one with its moves, or the record of a finished one."""
        return await asyncio.to_thread(lambda: load_running(self._store, uid) or load_record(self._store, uid))

    async def draft(self, uid: str, draft: Any) -> None:
        """What a team has drafted, as JSON."""
        found = partial(has_draft, uid=uid, draft=draft)
        await self._write(lambda connection, _: save_draft(connection, uid, draft), found)

    async def take_back(self, uid: str, n_plies: int, taken_back: Any) -> None:
        """Only the first `n_plies` of a running game have happened."""
        found = partial(is_taken_back, uid=uid, taken_back=taken_back)
        await self._write(lambda connection, _: take_back(connection, uid, n_plies, taken_back), found)

    async def finish(self, game: FinishedGame, hashes: dict[str, str] | None = None, also: Write | None = None) -> None:
        """The last move and the finished game at once. `hashes` are those of a game that was never a running one."""

        def write(connection: Connection, now: float) -> None:
            finish_running(connection, game, now)
            insert_tokens(connection, game.uid, hashes or {})
            if also is not None:
                also(connection, now)

        await self._write(write, lambda connection: has_game(connection, game.uid))

    async def write(self, write: Write, found: IsStored) -> None:
        """Anything else that belongs into one transaction; `found` tells whether it is in the store."""
        await self._write(write, found)

    def close(self) -> None:
        """Everything that was queued is written first."""
        self._queue.put(None)
        self._thread.join()

    async def _write(self, write: Write | KeptMove, found: IsStored) -> None:
        done = asyncio.get_running_loop().create_future()
        self._queue.put(_QueuedWrite(write, done, found))
        await done

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            batch, is_last = [first], False
            while len(batch) < MOST_TOGETHER and not self._queue.empty():
                queued = self._queue.get()
                if queued is None:
                    is_last = True
                    break
                batch.append(queued)
            self._settle(batch)
            if is_last:
                return

    def _settle(self, batch: list[_QueuedWrite]) -> None:
        """All in one transaction; where that fails, each in its own, so that one cannot spoil the others.

        A commit whose answer was lost may have happened all the same, so what failed is looked for before it is
        written again, and before anybody hears that it is not there.
        """
        failures: dict[int, Exception] = {}
        try:
            self._commit(batch)
        except Exception as error:
            for i, queued in enumerate(batch):
                failure = self._failed(queued, error) if len(batch) == 1 else self._alone(queued, error)
                if failure is not None:
                    failures[i] = failure
        self.n_refused += len(failures)
        loop = batch[0].done.get_loop()
        try:
            loop.call_soon_threadsafe(_resolve, batch, failures)
        except RuntimeError:
            return  # the loop has ended, and with it whoever waited

    def _alone(self, queued: _QueuedWrite, together: Exception) -> Exception | None:
        failure = self._failed(queued, together)
        if failure is None or isinstance(failure, NotSure):
            return failure
        try:
            self._commit([queued])
        except Exception as own:
            return self._failed(queued, own)
        return None

    def _failed(self, queued: _QueuedWrite, failure: Exception) -> Exception | None:
        """What became of a write whose commit failed; None if it is in the store."""
        if isinstance(failure, StoreLost | IntegrityError):
            return failure
        try:
            with self._store.reading() as connection:
                return None if queued.found(connection) else failure
        except BadStore:
            return NotSure("the database does not answer; whether this was stored is not known yet")

    def _commit(self, batch: Sequence[_QueuedWrite]) -> None:
        began = time.monotonic()
        with self._store.writing() as connection:
            now = self._store.now(connection)
            insert_moves(connection, [queued.write for queued in batch if isinstance(queued.write, KeptMove)])
            for queued in batch:
                if not isinstance(queued.write, KeptMove):
                    queued.write(connection, now)
        self.n_commits += 1
        self.seconds += time.monotonic() - began


def _resolve(batch: Sequence[_QueuedWrite], failures: dict[int, Exception]) -> None:
    for i, queued in enumerate(batch):
        if queued.done.done():
            continue
        if i in failures:
            LOG.error("not stored: %s", failures[i])
            queued.done.set_exception(_refusal(failures[i]))
        else:
            queued.done.set_result(None)


def _refusal(failure: Exception) -> NotStored:
    if isinstance(failure, NotSure):
        return failure
    if isinstance(failure, IntegrityError):
        return NotSure("not stored: something else is there; the game continues from what is stored")
    if isinstance(failure, StoreLost):
        return NotStored("not stored: the server's database is damaged or gone, and its operator must restore it")
    return NotStored("not stored: the database did not take it; nothing has happened, try again")


class Claim:
    """The right of one server to play on the games of a store; it ends with the process, however that ends."""

    def __init__(self, store: Store) -> None:
        self._file: IO[str] | None = None
        self._connection: Connection | None = None
        if store.is_sqlite:
            self._file = _open_lock(store.name)
            is_mine = lock(self._file)
        else:
            self._connection = store.connect()
            query = text(f"SELECT pg_try_advisory_lock({_SERVING_LOCK})")
            is_mine = bool(self._connection.execute(query).scalar_one())
        if not is_mine:
            self.release()
            raise BadStore(f"another manhunt web is using the games of {store.name}; end it, or name another --store")

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()


@dataclass(frozen=True)
class HeldStore:
    """An open store on whose games nobody else plays."""

    store: Store
    claim: Claim


def hold(where: str) -> HeldStore:
    """Open the store for a server; BadStore if it cannot be, or if another server has it."""
    _check_not_emptied(where)
    store = open_store(where, busy_seconds=BUSY_SECONDS)
    try:
        store.watch_file()
        return HeldStore(store, Claim(store))
    except BaseException:
        store.close()
        raise


def _check_not_emptied(where: str) -> None:
    """A file of no bytes would be taken for a new store, and everything in it would seem never to have been."""
    url = parse_url(where)
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    file = os.path.realpath(url.database)
    if os.path.exists(f"{file}.serving") and os.path.exists(file) and os.path.getsize(file) == 0:
        raise BadStore(
            f"{file} is empty, but a server has played on it before; restore a backup, or delete it to start again"
        )


def _open_lock(store: str) -> IO[str]:
    """The file beside the database, by whatever link this was named."""
    file = f"{os.path.realpath(store)}.serving"
    try:
        return open(file, "w", opener=lambda name, flags: os.open(name, flags, 0o600))
    except OSError as error:
        raise BadStore(f"cannot write {file}, which keeps two servers apart: {error.strerror}") from None
