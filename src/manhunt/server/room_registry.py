"""All rooms of a server: games are begun, found again, taken up after a restart, and let go when nobody is there."""

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.seeds import Secret, parse_secret
from manhunt.play.fault import fault_from_json
from manhunt.play.record import parse_record
from manhunt.server.drafts import Draft
from manhunt.server.durable import GameWriter, Write
from manhunt.server.room_clock import ServerClock, TimerHandle
from manhunt.server.rooms import (
    PERSON,
    Forbidden,
    GamePlan,
    GameRoom,
    NoSuchGame,
    SpectatorPolicy,
    hash_of,
    make_referee,
)
from manhunt.server.table_options import TableOptions
from manhunt.server.take_backs import TakenBack
from manhunt.store.connect import BadStore, Store
from manhunt.store.games import NoRecord, load_record
from manhunt.store.running import (
    KeptMove,
    RunningGame,
    delete_abandoned,
    delete_boards,
    load_running,
    load_tokens,
    running_options,
    running_uids,
)
from manhunt.store.tables import table_of_game
from manhunt.store.tournaments import is_in_running_tournament
from manhunt.workers.pool import WorkerPool

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that are easy to read out."""
SWEEP_SECONDS = 15.0
EXPIRE_SECONDS = 600.0
DAY = 86_400.0
IDLE_SECONDS = 60.0
"""A room in which nobody is leaves the memory after this; the store has it."""
LOG = logging.getLogger("manhunt.server")


@dataclass(frozen=True)
class BegunGame:
    """A new room and the secrets of its seats, which nobody keeps."""

    room: GameRoom
    tokens: Mapping[Seat, str]


class RoomRegistry:
    """The rooms in memory are those in use; any other game is loaded when it is asked for."""

    def __init__(
        self,
        store: Store,
        writer: GameWriter,
        pool: WorkerPool,
        expire_days: float | None = None,
        clock: ServerClock | None = None,
    ) -> None:
        self.store, self.writer, self.pool = store, writer, pool
        self.clock = clock or ServerClock()
        self._due: dict[str, TimerHandle] = {}
        """When to load a game again whose players have days for a turn."""
        self._expire_days = expire_days
        self._expired_at = 0.0
        self.n_begun = 0
        self._rooms: dict[str, GameRoom] = {}
        self._loading: dict[str, asyncio.Task[GameRoom]] = {}
        self._addresses: dict[str, str] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.attach: Callable[[GameRoom], Awaitable[None]] | None = None
        """Gives a room that was loaded the people of its table."""

    def open(self) -> None:
        """Go on with the agents' turns of all running games, and sweep from time to time."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._resume_running()), loop.create_task(self._sweep())]

    async def close(self) -> None:
        for handle in self._due.values():
            handle.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *(room.close() for room in self._rooms.values()), return_exceptions=True)

    async def begin(
        self,
        plan: GamePlan,
        uid: str | None = None,
        also: Write | None = None,
        stored: Callable[[GameRoom], None] | None = None,
    ) -> BegunGame:
        """A new game; it is stored when this returns, and its agents begin to think.

        `also` goes into the same transaction; `stored` is called after it, before anything happens in the room.
        """
        if set(plan.seats) != set(PLAYERS):
            raise BadConfig("seats: give both evader and pursuers, as 'person' or an agent")
        tokens = {seat: secrets.token_urlsafe(24) for seat in PLAYERS if plan.seats[seat] == PERSON}
        hashes = {seat: hash_of(token) for seat, token in tokens.items()}
        try:
            room = await asyncio.to_thread(self._make_room, uid or new_uid(), plan, hashes, time.time())
        except ManhuntError:
            raise
        except Exception as error:  # whatever an odd config does to the deal
            raise BadConfig(f"this game cannot be dealt: {' '.join(str(error).split())[:200]}") from None
        kept = {seat.value: text for seat, text in hashes.items()}
        if room.over:
            await self.writer.finish(room.finished(room.referee.record()), kept, also)
        else:
            await self.writer.begin(_row(room), kept, plan.actions, also)
            self._addresses[room.uid] = plan.address
        self._rooms[room.uid] = room
        self.n_begun += 1
        if stored is not None:
            stored(room)
        room.start()
        return BegunGame(room, tokens)

    async def find(self, uid: str) -> GameRoom:
        """The room of a running or finished game; NoSuchGame if there is none."""
        if uid in self._rooms:
            return self._rooms[uid]
        if uid not in self._loading:
            self._loading[uid] = asyncio.get_running_loop().create_task(self._load(uid))
        return await asyncio.shield(self._loading[uid])

    async def find_or_none(self, uid: str) -> GameRoom | None:
        try:
            return await self.find(uid)
        except NoSuchGame:
            return None

    def loaded(self, uid: str) -> GameRoom | None:
        """The room if it is in memory."""
        return self._rooms.get(uid)

    @property
    def all_loaded(self) -> Iterable[GameRoom]:
        return self._rooms.values()

    async def running(self, limit: int) -> list[GameRoom]:
        """The newest games that are not over, without those that nobody may watch."""
        found: list[GameRoom] = []
        for uid in await asyncio.to_thread(self._watchable):
            if len(found) == limit:
                break
            try:
                room = await self.find(uid)
            except ManhuntError:
                continue
            if not room.over:
                found.append(room)
        return found

    def _watchable(self) -> list[str]:
        hidden = SpectatorPolicy.NEVER.value
        return [uid for uid, options in running_options(self.store) if options.get("spectators") != hidden]

    async def expire(self) -> list[str]:
        """Delete the games in which nobody has moved for long, unless somebody is there; and old boards."""
        if self._expire_days is None:
            return []
        before = time.time() - self._expire_days * DAY
        present = {uid for uid, room in self._rooms.items() if not room.idle}
        gone = await asyncio.to_thread(delete_abandoned, self.store, before, present)
        await asyncio.to_thread(delete_boards, self.store, before)
        for uid in gone:
            self._addresses.pop(uid, None)
            if (room := self._rooms.pop(uid, None)) is not None:
                room.release()
        if gone:
            LOG.warning("%d abandoned games were deleted", len(gone))
        return gone

    def n_running_of(self, address: str) -> int:
        """Games that were begun from this address and run."""
        return Counter(self._addresses.values())[address]

    @property
    def n_running(self) -> int:
        return len(self._addresses)

    @property
    def n_rooms(self) -> int:
        return len(self._rooms)

    async def _load(self, uid: str) -> GameRoom:
        try:
            room = await asyncio.to_thread(self._restore, uid)
            if room.plan.table and self.attach is not None:
                await self.attach(room)
            self._rooms[uid] = room
            if (handle := self._due.pop(uid, None)) is not None:
                handle.cancel()
            if not room.over:
                self._addresses[uid] = room.plan.address
            room.start()
            return room
        finally:
            del self._loading[uid]

    def _restore(self, uid: str) -> GameRoom:
        hashes = {Seat(seat): kept for seat, kept in load_tokens(self.store, uid).items()}
        running = load_running(self.store, uid)
        if running is not None:
            row, moves = running
            return self._make_room(uid, _plan(row, moves), hashes, row.created_at)
        try:
            record = parse_record(open_record(self.store, uid), f"game {uid}")
        except NoRecord:
            raise NoSuchGame(f"there is no game {uid[:40]!r}") from None
        game = make_game(record.game)
        seats = {seat: record.seats.get(seat.value, seat.value) for seat in PLAYERS}
        config, dealt = game.config_from_json(record.config), (record.seed, record.setup)
        table = table_of_game(self.store, uid)
        plan = GamePlan(game, config, seats, *dealt, actions=record.actions, nonce=record.nonce, table=table)
        room = self._make_room(uid, plan, hashes, time.time())
        room.end_as(record)
        return room

    def _make_room(self, uid: str, plan: GamePlan, hashes: dict[Seat, str], created_at: float) -> GameRoom:
        referee = make_referee(plan, self.clock)
        return GameRoom(uid, plan, referee, hashes, self.writer, self.pool, created_at, clock=self.clock)

    async def _resume_running(self) -> None:
        """Games in which an agent is to move go on by themselves."""
        for uid in await asyncio.to_thread(running_uids, self.store):
            try:
                await self.find(uid)
            except Exception as error:  # one spoilt row must not keep the others from going on
                LOG.error("the game %s cannot be resumed: %s", uid, error)

    def _unload(self, room: GameRoom) -> None:
        """Out of the memory; a game whose clock runs comes back when that is over."""
        del self._rooms[room.uid]
        due = room.turns.due_in
        room.release()
        if due is not None:
            self._due[room.uid] = self.clock.call_later(due + 1.0, lambda: self._wake(room.uid))

    def _wake(self, uid: str) -> None:
        self._due.pop(uid, None)
        if uid not in self._rooms and uid not in self._loading:
            self._loading[uid] = asyncio.get_running_loop().create_task(self._load(uid))
            self._loading[uid].add_done_callback(_log_failure)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for uid, room in list(self._rooms.items()):
                if room.over:
                    self._addresses.pop(uid, None)
                if room.idle and now - room.used_at > IDLE_SECONDS:
                    self._unload(room)
            if now - self._expired_at > EXPIRE_SECONDS:
                self._expired_at = now
                try:
                    await self.expire()
                except BadStore as error:
                    LOG.error("abandoned games cannot be deleted: %s", error)


def _log_failure(task: asyncio.Task[GameRoom]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        LOG.error("a game whose clock ran out cannot be loaded: %s", error)


def new_uid() -> str:
    """A name that is hard to guess."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def _row(room: GameRoom) -> RunningGame:
    plan, seed = room.plan, room.plan.seed
    return RunningGame(
        room.uid,
        plan.game.name,
        plan.game.config_to_json(plan.config),
        dict(room.referee.setup),
        0 if isinstance(seed, Secret) else seed,
        {seat.value: plan.seats[seat] for seat in PLAYERS},
        {
            "seconds": plan.seconds,
            "spectators": plan.spectators.value,
            "address": plan.address,
            "nonce": plan.nonce,
            "options": plan.options.to_json(),
            "table": plan.table,
            "agents": {seat.value: spec for seat, spec in plan.agents.items()},
        },
        room.created_at,
        seed.hex if isinstance(seed, Secret) else None,
    )


def _plan(row: RunningGame, moves: Sequence[KeptMove]) -> GamePlan:
    game = make_game(row.game)
    options: Mapping[str, Any] = row.options
    return GamePlan(
        game,
        game.config_from_json(row.config),
        {seat: row.seats[seat.value] for seat in PLAYERS},
        row.seed if row.secret is None else parse_secret(row.secret),
        row.setup,
        float(options["seconds"]),
        SpectatorPolicy(options["spectators"]),
        tuple(move.notation for move in moves),
        {move.ply: fault_from_json(move.fault) for move in moves if move.fault is not None},
        seconds_used={move.ply: move.seconds for move in moves if move.seconds is not None},
        moved_at=moves[-1].at if moves else None,
        draft=None if row.draft is None else Draft.from_json(row.draft),
        taken_back=TakenBack.from_json(row.taken_back),
        address=str(options.get("address", "")),
        nonce=options.get("nonce"),
        options=TableOptions.from_json(options.get("options", {})),
        table=str(options.get("table", "")),
        agents={Seat(seat): str(spec) for seat, spec in options.get("agents", {}).items()},
    )


def open_record(store: Store, uid: str) -> str:
    """The record of a finished game; Forbidden while its tournament runs, NoRecord if there is none."""
    text = load_record(store, uid)
    if is_in_running_tournament(store, uid):
        raise Forbidden("the tournament of this game is not over; others may still play the same deal")
    return text
