"""A table in use: one change at a time, stored before anybody hears of it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from secrets import compare_digest
from typing import Any, Protocol, TypeVar

from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.seeds import new_secret
from manhunt.play.fair_deal import nonce_of
from manhunt.server.addresses import Bucket
from manhunt.server.durable import NotStored, NotSure
from manhunt.server.limits import check_config, check_seconds
from manhunt.server.people_turns import LATE_SECONDS
from manhunt.server.room_clock import LONG_SECONDS
from manhunt.server.room_registry import RoomRegistry, new_uid
from manhunt.server.rooms import RETRY_SECONDS, Forbidden, GamePlan, GameRoom, Holder, SpectatorPolicy
from manhunt.server.settings import Limits
from manhunt.server.tables import changes, chat
from manhunt.server.tables.state import HOST, NotAllowed, OnLeave, Phase, Table, table_of
from manhunt.server.tables.words import result_of
from manhunt.store.connect import BadStore
from manhunt.store.tables import KeptMessage, has_message, has_state, insert_message, load_table, update_table

AWAY_SECONDS = 60.0
"""A page that was closed for so long was not closed by mistake."""
LOG = logging.getLogger("manhunt.server")
Change = Callable[[Table], Table]
ResultT = TypeVar("ResultT")


class TableListener(Protocol):
    """A socket, as a table sees it."""

    @property
    def person(self) -> int | None: ...

    def changed(self, open_table: OpenTable) -> None: ...

    def said(self, message: KeptMessage) -> None: ...

    def reacted(self, person: int, name: str, sign: str) -> None: ...


class OpenTable:
    """Whatever changes it happens on the event loop."""

    def __init__(
        self,
        table: Table,
        config: Any,
        said: list[KeptMessage],
        changed_at: float,
        rooms: RoomRegistry,
        limits: Limits,
    ) -> None:
        self.table, self.config, self.messages = table, config, said
        self.listeners: set[TableListener] = set()
        self.used_at = time.monotonic()
        self.changed_at = changed_at
        self._talk: dict[int, Bucket] = {}
        self.address = ""
        """Where it was made, for the limits; nobody keeps it."""
        self.is_sure = True
        """Whether the store has what is here."""
        self._rooms, self._limits = rooms, limits
        self._lock = asyncio.Lock()
        self._work: set[asyncio.Task[Any]] = set()
        self._catching_up: asyncio.Task[None] | None = None
        self._loaded_at = rooms.clock.now()
        self._left_at: dict[int, float] = {}

    @property
    def here(self) -> frozenset[int]:
        """Those whose page is open."""
        return frozenset(listener.person for listener in self.listeners if listener.person is not None)

    @property
    def idle(self) -> bool:
        return not (self.listeners or self._work or self._catching_up)

    # -- who is here ---------------------------------------------------------------------------------

    @property
    def host(self) -> int:
        """Who made the table; while they are away, the first of those here, people with a place before others."""
        seated = self.table.seated
        if HOST in (self.away if self.table.phase is Phase.PLAYING else self._gone):
            return min(self.here, key=lambda person: (person not in seated, person), default=HOST)
        return HOST

    @property
    def away(self) -> frozenset[int]:
        """Those without whom the others may go on; nobody where a turn may take days."""
        is_slow = (self.table.terms.rules.turn_seconds or 0.0) >= LONG_SECONDS
        return frozenset() if is_slow else self._gone

    @property
    def _gone(self) -> frozenset[int]:
        """Those whose page has not been open for a while."""
        since = self._rooms.clock.now() - AWAY_SECONDS
        gone = {p.id for p in self.table.people if self._left_at.get(p.id, self._loaded_at) <= since}
        return frozenset(gone) - self.here

    def _look_later(self) -> None:
        """When somebody has left, or has come to a table that others may have left."""
        self._rooms.clock.call_later(AWAY_SECONDS + LATE_SECONDS, self._look_who_is_away)

    def _look_who_is_away(self) -> None:
        if self.listeners:
            for listener in list(self.listeners):
                listener.changed(self)
            self._let_agents_take_over()

    def _let_agents_take_over(self) -> None:
        table = self.table
        is_wanted = table.terms.on_leave is OnLeave.AGENT and table.phase is Phase.PLAYING
        if is_wanted and not self.away.isdisjoint(table.seated):
            self._spawn(self._without_those_away())

    async def _without_those_away(self) -> None:
        try:
            await self.change(lambda table: changes.without_those_away(table, self.away))
        except NotStored as error:
            LOG.error("table %s: an agent could not take over: %s", self.table.uid, error)

    def enter(self, listener: TableListener) -> None:
        """Everybody hears of a person who comes; of somebody who only looks, nobody does."""
        before = self.here
        if not self.listeners:
            self._look_later()
        self.listeners.add(listener)
        self._tell_presence(before, listener)

    def leave(self, listener: TableListener) -> None:
        before = self.here
        self.listeners.discard(listener)
        for person in before - self.here:
            self._left_at[person] = self._rooms.clock.now()
            self._look_later()
        self._tell_presence(before)

    def _tell_presence(self, before: frozenset[int], *newcomers: TableListener) -> None:
        self.used_at = time.monotonic()
        for listener in list(self.listeners) if self.here != before else newcomers:
            listener.changed(self)

    def _tell(self) -> None:
        self.used_at, self.changed_at = time.monotonic(), time.time()
        for listener in list(self.listeners):
            listener.changed(self)

    # -- changes -------------------------------------------------------------------------------------

    async def change(self, make: Change) -> Table:
        """The next table; what `make` raises leaves everything as it was."""

        async def keep() -> Table:
            before, after = self.table, make(self.table)
            if after != before:
                await self._keep(after)
                self._set(after)
            return self.table

        return await self._in_turn(keep)

    async def _keep(self, after: Table) -> None:
        text = after.to_text()
        await self._rooms.writer.write(
            lambda connection, now: update_table(connection, after.uid, text, now),
            partial(has_state, uid=after.uid, state=text),
        )

    def _set(self, after: Table) -> None:
        self.table = after
        if after.phase is Phase.PLAYING and after.play is not None:
            self.seat_people(self._rooms.loaded(after.play))
        self._tell()

    def seat_people(self, room: GameRoom | None) -> None:
        """Tell the present game who sits where, if that has changed."""
        seats = self.table.seats
        people = room.people if room is not None else None
        if room is None or not isinstance(people, GamePeople) or room.over:
            return
        if room.plan.seats != seats or people.seated != self.table.holders:
            people.seated = self.table.holders
            room.seat_people(seats)

    async def _in_turn(self, work: Callable[[], Awaitable[ResultT]]) -> ResultT:
        """When nobody else does anything. Goes on to its end when the caller is cancelled: what is stored happens."""
        return await asyncio.shield(self._spawn(self._alone(work)))

    def _spawn(self, work: Coroutine[Any, Any, ResultT]) -> asyncio.Task[ResultT]:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _alone(self, work: Callable[[], Awaitable[ResultT]]) -> ResultT:
        async with self._lock:
            if not self.is_sure:
                try:
                    await self._look_into_store()
                except BadStore:
                    raise NotSure("the database does not answer; the table continues when it does") from None
            try:
                return await work()
            except NotSure:
                self.is_sure = False
                self._catch_up_later()
                raise

    def _catch_up_later(self) -> None:
        if self._catching_up is None:
            self._catching_up = asyncio.get_running_loop().create_task(self._catch_up())

    async def _catch_up(self) -> None:
        """Something could not be stored, or nobody knows whether it was: until the store answers."""
        try:
            while True:
                await asyncio.sleep(RETRY_SECONDS)
                try:
                    async with self._lock:
                        if not self.is_sure:
                            await self._look_into_store()
                    await self.settle()
                    return
                except (BadStore, NotStored) as error:
                    LOG.error("table %s waits for its store: %s", self.table.uid, error)
        finally:
            self._catching_up = None

    async def _look_into_store(self) -> None:
        """Make the table what the store says it is."""
        kept = await asyncio.to_thread(load_table, self._rooms.store, self.table.uid)
        self.is_sure = True
        if kept is None:
            return
        table, n_heard = table_of(kept[0].state), self.messages[-1].number if self.messages else 0
        self.messages = kept[1]
        if table != self.table:
            self._set(table)
        for message in self.messages:
            if message.number > n_heard:
                self._tell_said(message)

    async def sit(self, person: int, place: str) -> None:
        await self.change(lambda table: changes.sit(table, person, place, self.away))

    async def remove(self, person: int, place: str) -> None:
        await self.change(lambda table: changes.remove(table, person, place, self.here, self.host))

    # -- games ---------------------------------------------------------------------------------------

    async def start(self, person: int, allow: Callable[[], str]) -> None:
        """The host begins a game. `allow` tells the address that asks for it, and raises where that has too many."""

        async def begin() -> None:
            changes.check_start(self.table, person, self.host)
            await self._begin(self.table, allow)

        await self._in_turn(begin)

    async def rematch(self, person: int, swap: bool, allow: Callable[[], str]) -> None:
        """Somebody wants another game; it begins when everybody with a place who is here does."""

        async def ask() -> None:
            asked = changes.ask_rematch(self.table, person, swap)
            if changes.is_agreed(asked, self.here | {person}):
                staying = changes.without_those_away(asked, self.away)
                await self._begin(changes.swapped(staying) if swap else staying, allow)
            elif asked != self.table:
                await self._keep(asked)
                self._set(asked)

        await self._in_turn(ask)

    async def _begin(self, table: Table, allow: Callable[[], str]) -> None:
        plan = replace(plan_of(table, self.config, self._limits), address=allow())
        uid = new_uid()
        after = changes.begun(table, uid)
        text = after.to_text()

        def stored(room: GameRoom) -> None:
            self.table = after
            room.people = GamePeople(self, uid)

        await self._rooms.begin(
            plan, uid, lambda connection, now: update_table(connection, table.uid, text, now, uid), stored
        )
        self._tell()
        room = self._rooms.loaded(uid)
        if room is not None and room.over:
            self.moved(room)

    def moved(self, room: GameRoom) -> None:
        """Something happened in a game of this table; called by its room."""
        if room.over and room.uid == self.table.play and self.table.phase is Phase.PLAYING:
            self._spawn(self._end_soon(room))

    async def _end_soon(self, room: GameRoom) -> None:
        try:
            await self._end(room)
        except NotStored:
            self._catch_up_later()
        except Exception:
            LOG.exception("the end of game %s could not be kept at its table", room.uid)

    async def _end(self, room: GameRoom) -> None:
        winner, words, reason = result_of(room)
        await self.change(lambda table: changes.ended(table, room.uid, winner, words, reason))

    async def settle(self) -> None:
        """Catch up with a game that ended, or was deleted, without its table."""
        play = self.table.play
        if self.table.phase is not Phase.PLAYING or play is None:
            return
        room = await self._rooms.find_or_none(play)
        if room is None:
            await self.change(lambda table: changes.lost(table, play))
        elif room.over:
            await self._end(room)

    # -- talk ----------------------------------------------------------------------------------------

    def check_pace(self, person: int) -> None:
        """NotAllowed for somebody who says too much, from however many pages."""
        limits = self._limits
        bucket = self._talk.setdefault(person, Bucket(limits.chat_per_second, limits.chat_burst))
        if not bucket.take():
            raise NotAllowed("not so fast: wait a moment before you write again")

    async def say(self, person: int, to: str, text: str) -> None:
        async def keep() -> None:
            number = self.messages[-1].number + 1 if self.messages else 1
            message = chat.make_message(self.table, person, to, text, number, time.time())
            kept = chat.kept_with(message, self.messages)
            gone = {each.number for each in self.messages}.difference(each.number for each in kept)
            await self._rooms.writer.write(
                lambda connection, now: insert_message(connection, message, gone), partial(has_message, message=message)
            )
            self.messages = kept
            self._tell_said(message)

        await self._in_turn(keep)

    def _tell_said(self, message: KeptMessage) -> None:
        for listener in list(self.listeners):
            listener.said(message)

    def react(self, person: int, sign: str) -> None:
        if sign not in chat.SIGNS:
            raise NotAllowed("unknown reaction")
        name = self.table.person(person).name
        for listener in list(self.listeners):
            listener.reacted(person, name, sign)

    async def close(self) -> None:
        if self._catching_up is not None:
            self._catching_up.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)


class GamePeople:
    """The table, as one of its games sees it."""

    def __init__(self, open_table: OpenTable, play: str) -> None:
        self._open, self._play = open_table, play
        self.seated: Mapping[str, int] = open_table.table.holders_in(play)
        """The places that the room knows of."""

    def holder(self, token_hash: str, seat: Seat | None = None) -> Holder | None:
        table = self._open.table
        person = next((p.id for p in table.people if compare_digest(p.token_hash, token_hash)), None)
        if person is None:
            return None
        places = {each: self.members(each).get(person) for each in PLAYERS}
        held = [each for each in PLAYERS if places[each]]
        if seat in PLAYERS and seat not in held:
            raise Forbidden(f"you hold no place of {seat.value} in this game")
        if not held or seat is Seat.SPECTATOR:
            return Holder(Seat.SPECTATOR, frozenset(), person)
        chosen = seat or held[0]
        return Holder(chosen, places[chosen], person)

    def members(self, seat: Seat) -> Mapping[int, frozenset[str]]:
        return self._open.table.members(seat, self._open.table.holders_in(self._play))

    def name(self, person: int) -> str:
        try:
            return self._open.table.person(person).name
        except NotAllowed:
            return ""

    def moved(self, room: GameRoom) -> None:
        self._open.moved(room)


def plan_of(table: Table, config: Any, limits: Limits) -> GamePlan:
    """The next game of a table; BadConfig where it cannot be played so."""
    game, terms = make_game(table.game), table.terms
    seats = table.seats
    check_seconds(terms.seconds, limits)
    check_config(game, config, seats, limits)
    secret = new_secret()
    seed, nonce = (secret, None) if table.seed is None else (table.seed, nonce_of(secret))
    return GamePlan(
        game,
        config,
        seats,
        seed,
        seconds=terms.seconds,
        spectators=SpectatorPolicy(terms.spectators),
        nonce=nonce,
        options=terms.rules,
        table=table.uid,
        agents={seat: table.agents[seat.value] for seat in PLAYERS},
    )
