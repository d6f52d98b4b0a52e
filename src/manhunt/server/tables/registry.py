"""All tables of a server: made, found again after a restart, and let go when nobody is there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from manhunt.core.registry import make_game
from manhunt.server.addresses import TooMany
from manhunt.server.durable import GameWriter
from manhunt.server.errors import NotFound
from manhunt.server.room_registry import DAY, EXPIRE_SECONDS, IDLE_SECONDS, SWEEP_SECONDS, RoomRegistry
from manhunt.server.rooms import GameRoom
from manhunt.server.settings import Limits
from manhunt.server.tables.open_table import GamePeople, OpenTable
from manhunt.server.tables.state import Phase, Table, table_of
from manhunt.store.connect import BadStore, Store
from manhunt.store.tables import KeptTable, delete_abandoned_tables, has_state, insert_table, load_table

LOG = logging.getLogger("manhunt.server")


class TableRegistry:
    """The tables in memory are those in use; any other is loaded when it is asked for."""

    def __init__(self, store: Store, writer: GameWriter, rooms: RoomRegistry, limits: Limits) -> None:
        self._store, self._writer, self._rooms, self._limits = store, writer, rooms, limits
        self._tables: dict[str, OpenTable] = {}
        self._loading: dict[str, asyncio.Task[OpenTable]] = {}
        self._task: asyncio.Task[None] | None = None
        self._expired_at = 0.0
        rooms.attach = self._attach

    def open(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._sweep())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.gather(*(table.close() for table in self._tables.values()))

    async def make(self, table: Table, config: Any, address: str = "") -> OpenTable:
        """A new table; it is stored when this returns."""
        most = self._limits.tables_per_address
        waiting = [t for t in self._tables.values() if t.table.phase is Phase.WAITING]
        if sum(each.address == address for each in waiting) >= most:
            raise TooMany(f"{most} tables from your address are waiting for people; start or leave one first")
        values = make_game(table.game).config_to_json(config)
        text, at = table.to_text(), time.time()
        kept = KeptTable(table.uid, values, text, at, at)
        await self._writer.write(
            lambda connection, now: insert_table(connection, replace(kept, changed_at=now)),
            partial(has_state, uid=table.uid, state=text),
        )
        made = self._tables[table.uid] = OpenTable(table, config, [], at, self._rooms, self._limits)
        made.address = address
        return made

    async def find(self, uid: str) -> OpenTable:
        """A table that knows how its game stands; NotFound if there is none."""
        found = await self._find(uid)
        await found.settle()
        return found

    async def _find(self, uid: str) -> OpenTable:
        if uid not in self._tables:
            if uid not in self._loading:
                self._loading[uid] = asyncio.get_running_loop().create_task(self._load(uid))
            await asyncio.shield(self._loading[uid])
        found = self._tables[uid]
        found.used_at = time.monotonic()
        return found

    async def _load(self, uid: str) -> OpenTable:
        try:
            loaded = await asyncio.to_thread(self._restore, uid)
            self._tables[uid] = loaded
            return loaded
        finally:
            del self._loading[uid]

    def _restore(self, uid: str) -> OpenTable:
        kept = load_table(self._store, uid)
        if kept is None:
            raise NotFound(f"there is no table {uid[:40]!r}")
        row, said = kept
        table = table_of(row.state)
        config = make_game(table.game).config_from_json(row.config)
        return OpenTable(table, config, said, row.changed_at, self._rooms, self._limits)

    async def _attach(self, room: GameRoom) -> None:
        """A room that was loaded learns who sits there."""
        try:
            found = await self._find(room.plan.table)
        except NotFound:
            return
        room.people = GamePeople(found, room.uid)
        if room.uid == found.table.play and found.table.phase is Phase.PLAYING:
            seats = found.table.seats
            room.plan, room.referee.names = replace(room.plan, seats=seats), dict(seats)

    def listed(self) -> Sequence[OpenTable]:
        """Public tables with somebody there and a free place, that have not begun; the newest first."""
        return [
            each
            for each in reversed(self._tables.values())
            if each.table.terms.public
            and each.table.phase is Phase.WAITING
            and each.here
            and len(each.table.holders) < len(each.table.places)
        ]

    @property
    def n_open(self) -> int:
        return len(self._tables)

    async def expire(self) -> list[str]:
        """Delete tables at which nothing has happened for long, unless somebody is there."""
        if self._limits.expire_days is None:
            return []
        before = time.time() - self._limits.expire_days * DAY
        present = {uid for uid, each in self._tables.items() if not each.idle}
        gone = await asyncio.to_thread(delete_abandoned_tables, self._store, before, present)
        for uid in gone:
            self._tables.pop(uid, None)
        return gone

    def let_go(self, now: float) -> None:
        """Tables that nobody uses leave the memory; a room that is there keeps its table."""
        in_use = {room.plan.table for room in self._rooms.all_loaded}
        for uid, each in list(self._tables.items()):
            if each.idle and uid not in in_use and now - each.used_at > IDLE_SECONDS:
                del self._tables[uid]

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            self.let_go(now)
            if now - self._expired_at > EXPIRE_SECONDS:
                self._expired_at = now
                try:
                    await self.expire()
                except BadStore as error:
                    LOG.error("abandoned tables cannot be deleted: %s", error)
