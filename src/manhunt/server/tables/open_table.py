"""A table in use: one change at a time, stored before anybody hears of it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from secrets import compare_digest
from typing import Any, Protocol, TypeVar

from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.core.seeds import new_secret
from manhunt.play.fair_deal import nonce_of
from manhunt.server.addresses import Bucket
from manhunt.server.limits import check_config, check_seconds
from manhunt.server.room_registry import RoomRegistry, new_uid
from manhunt.server.rooms import Forbidden, GamePlan, GameRoom, Holder, SpectatorPolicy
from manhunt.server.settings import Limits
from manhunt.server.tables import changes, chat
from manhunt.server.tables.state import NotAllowed, Phase, Table
from manhunt.server.tables.words import result_of
from manhunt.store.tables import KeptMessage, insert_message, update_table

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
        self._rooms, self._limits = rooms, limits
        self._lock = asyncio.Lock()
        self._work: set[asyncio.Task[Any]] = set()

    @property
    def here(self) -> frozenset[int]:
        """Those whose page is open."""
        return frozenset(listener.person for listener in self.listeners if listener.person is not None)

    @property
    def idle(self) -> bool:
        return not (self.listeners or self._work)

    # -- who is here ---------------------------------------------------------------------------------

    def enter(self, listener: TableListener) -> None:
        """Everybody hears of a person who comes; of somebody who only looks, nobody does."""
        before = self.here
        self.listeners.add(listener)
        self._tell_presence(before, listener)

    def leave(self, listener: TableListener) -> None:
        before = self.here
        self.listeners.discard(listener)
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
        return await self._undisturbed(self._change(make))

    async def _change(self, make: Change) -> Table:
        async with self._lock:
            before, after = self.table, make(self.table)
            if after != before:
                await self._keep(after)
                self._set(after)
            return self.table

    async def _keep(self, after: Table) -> None:
        text = after.to_text()
        await self._rooms.writer.write(lambda connection, now: update_table(connection, after.uid, text, now))

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

    async def _undisturbed(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        """To its end, also when the caller is cancelled: what is stored has happened."""
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return await asyncio.shield(task)

    # -- games ---------------------------------------------------------------------------------------

    async def start(self, person: int, allow: Callable[[], str]) -> None:
        """The host begins a game. `allow` tells the address that asks for it, and raises where that has too many."""

        async def begin() -> None:
            async with self._lock:
                changes.check_start(self.table, person)
                await self._begin(self.table, allow)

        await self._undisturbed(begin())

    async def rematch(self, person: int, swap: bool, allow: Callable[[], str]) -> None:
        """Somebody wants another game; it begins when everybody with a place who is here does."""

        async def ask() -> None:
            async with self._lock:
                asked = changes.ask_rematch(self.table, person, swap)
                if changes.is_agreed(asked, self.here | {person}):
                    await self._begin(changes.swapped(asked) if swap else asked, allow)
                elif asked != self.table:
                    await self._keep(asked)
                    self._set(asked)

        await self._undisturbed(ask())

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
            task = asyncio.get_running_loop().create_task(self._end(room))
            self._work.add(task)
            task.add_done_callback(self._work.discard)

    async def _end(self, room: GameRoom) -> None:
        winner, words, reason = result_of(room)
        try:
            await self._change(lambda table: changes.ended(table, room.uid, winner, words, reason))
        except Exception:  # the next one who asks for the table tries again
            LOG.exception("the end of game %s could not be kept at its table", room.uid)

    async def settle(self) -> None:
        """Catch up with a game that ended, or was deleted, without its table."""
        play = self.table.play
        if self.table.phase is not Phase.PLAYING or play is None:
            return
        room = await self._rooms.find_or_none(play)
        if room is None:
            await self.change(lambda table: changes.lost(table, play))
        elif room.over:
            await self._undisturbed(self._end(room))

    # -- talk ----------------------------------------------------------------------------------------

    def check_pace(self, person: int) -> None:
        """NotAllowed for somebody who says too much, from however many pages."""
        limits = self._limits
        bucket = self._talk.setdefault(person, Bucket(limits.chat_per_second, limits.chat_burst))
        if not bucket.take():
            raise NotAllowed("not so fast: wait a moment before you write again")

    async def say(self, person: int, to: str, text: str) -> None:
        async def keep() -> None:
            async with self._lock:
                number = self.messages[-1].number + 1 if self.messages else 1
                message = chat.make_message(self.table, person, to, text, number, time.time())
                oldest = number - chat.MOST_KEPT
                await self._rooms.writer.write(lambda connection, now: insert_message(connection, message, oldest))
                self.messages.append(message)
                del self.messages[: -chat.MOST_KEPT]
                for listener in list(self.listeners):
                    listener.said(message)

        await self._undisturbed(keep())

    def react(self, person: int, sign: str) -> None:
        if sign not in chat.SIGNS:
            raise NotAllowed("unknown reaction")
        name = self.table.person(person).name
        for listener in list(self.listeners):
            listener.reacted(person, name, sign)

    async def close(self) -> None:
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
