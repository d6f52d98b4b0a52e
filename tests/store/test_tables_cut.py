"""A line that breaks during anything people do at a table: memory and store agree again, and nothing is stuck."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest import mock

import pytest

from cut_line import FileLine, Line, PostgresLine
from manhunt.core.ids import Seat
from manhunt.server import rooms
from manhunt.server.api_tables import TableBody, _new_table
from manhunt.server.durable import GameWriter, NotStored
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.rooms import GameRoom, Holder
from manhunt.server.settings import Limits, Settings
from manhunt.server.tables import changes, open_table
from manhunt.server.tables.open_table import OpenTable
from manhunt.server.tables.registry import TableRegistry
from manhunt.server.tables.state import Phase, Table, table_of
from manhunt.server.take_backs import TakenBack
from manhunt.store.connect import Store, open_store
from manhunt.store.running import load_running
from manhunt.store.tables import load_table
from people_rooms import first_action, offers_of

MR_X, ANN, BEN = 1, 2, 3
PATIENCE = 120.0


@pytest.fixture
def line(url: str) -> Iterator[Line]:
    if "://" not in url:
        yield FileLine(url)
        return
    opened = PostgresLine(url)
    yield opened
    opened.close()


class NoAgents:
    """People hold all places."""

    def forget(self, key: object) -> None: ...


@dataclass(frozen=True)
class Here:
    """The page of somebody who is at the table."""

    person: int

    def changed(self, table: OpenTable) -> None: ...

    def said(self, message: object) -> None: ...


@dataclass
class Evening:
    """Three people at a table; whatever they do, the line breaks the first time."""

    line: Line
    store: Store
    tables: TableRegistry
    registry: RoomRegistry
    is_late: bool
    is_down: bool
    table: OpenTable = field(init=False)

    @property
    def room(self) -> GameRoom:
        room = self.registry.loaded(self.table.table.play or "")
        assert room is not None
        return room

    async def do(self, act: Callable[[], Awaitable[Any]], is_done: Callable[[], bool]) -> None:
        """Once while the line breaks, and again if nothing has come of it, as a person would."""
        with self.line.cut(is_late=self.is_late, is_down=self.is_down):
            try:
                await act()
            except NotStored:
                if self.is_down:
                    with pytest.raises(NotStored):
                        await act()
            while self.table._work:  # such as the end of a game, which the table keeps by itself
                await asyncio.sleep(0.01)
        await self.settle()
        if not is_done():
            assert not self.is_late, "what the store has counts"
            await act()
            await self.settle()
        assert is_done()
        self.check()

    async def settle(self) -> None:
        """Until the table, and its room where one is in memory, know what the store has."""

        def is_busy() -> bool:
            rooms_busy = any(room._work or not room.is_sure for room in self.registry.all_loaded)
            return bool(rooms_busy or self.table._work or self.table._catching_up)

        async with asyncio.timeout(PATIENCE):
            while is_busy():
                await asyncio.sleep(0.01)
        assert self.table.is_sure
        if (play := self.table.table.play) is not None:
            await self.registry.find(play)

    def check(self) -> None:
        """What is in memory is what would be there after a power cut."""
        kept = load_table(self.store, self.table.table.uid)
        assert kept is not None
        assert table_of(kept[0].state) == self.table.table
        assert kept[1] == self.table.messages
        if self.table.table.phase is not Phase.PLAYING or self.room.over:
            return
        running = load_running(self.store, self.room.uid)
        assert running is not None
        row, moves = running
        assert [move.ply for move in moves] == list(range(1, len(moves) + 1))
        assert [move.notation for move in moves] == self.room._texts()
        assert row.draft == (self.room.turns.draft and self.room.turns.draft.to_json())
        assert TakenBack.from_json(row.taken_back) == self.room.turns.taken_back

    def of(self, person: int) -> Holder:
        assert self.room.people is not None
        seat = Seat.EVADER if person == MR_X else Seat.PURSUERS
        return Holder(seat, self.room.people.members(seat)[person], person)


def new_table() -> tuple[Any, Any]:
    site: Any = type("NoSite", (), {"settings": Settings("x"), "boards": type("NoBoards", (), {"checked": print})()})
    options: Any = {"n_detectives": 2, "rounds": 3}
    body = TableBody(game="scotland_yard", name="Anna", sit=["evader"], options=options, table={"confirm": True})  # type: ignore[arg-type]
    return _new_table(site, body, "token")


async def play_an_evening(evening: Evening) -> None:
    tables = evening.tables
    made = new_table()
    with evening.line.cut(is_late=evening.is_late, is_down=evening.is_down), suppress(NotStored):
        evening.table = await tables.make(*made)
    if not hasattr(evening, "table"):
        evening.table = await tables.make(*new_table())
    evening.check()

    def table() -> Table:
        return evening.table.table

    def change(make: Callable[..., Table], *args: Any) -> Callable[[], Awaitable[Table]]:
        return lambda: evening.table.change(lambda before: make(before, *args))

    def has_joined(person: int) -> bool:
        return person in {each.id for each in table().people}

    def sits(person: int, place: str) -> bool:
        return table().holders.get(place) == person

    def has_said(text: str) -> bool:
        return [message.text for message in evening.table.messages].count(text) == 1

    for person in (MR_X, ANN, BEN):
        evening.table.enter(Here(person))  # type: ignore[arg-type]
    for person, name in ((ANN, "Ann"), (BEN, "Ben")):
        await evening.do(change(changes.join, name, f"hash {name}"), partial(has_joined, person))
    for person, place in ((ANN, "pursuers/0"), (BEN, "pursuers/1")):
        await evening.do(change(changes.sit, person, place), partial(sits, person, place))
    await evening.do(lambda: evening.table.say(ANN, "table", "hello"), partial(has_said, "hello"))
    await evening.do(lambda: evening.table.start(MR_X, lambda: ""), lambda: table().phase is Phase.PLAYING)
    await evening.do(lambda: evening.table.say(BEN, "team", "psst"), partial(has_said, "psst"))
    await play_a_turn(evening)
    await evening.do(lambda: evening.room.resign(Seat.EVADER), lambda: evening.room.over)
    assert table().phase is Phase.OVER
    assert [played.winner for played in table().series] == [Seat.PURSUERS]
    first = table().play

    def has_asked(person: int) -> bool:
        asked = table().rematch
        return asked is not None and person in asked.agreed

    def rematch(person: int) -> Callable[[], Awaitable[None]]:
        return lambda: evening.table.rematch(person, True, lambda: "")

    for person in (MR_X, ANN):
        await evening.do(rematch(person), partial(has_asked, person))
    await evening.do(rematch(BEN), lambda: table().play != first)
    assert table().holders["evader"] == ANN


async def play_a_turn(evening: Evening) -> None:
    """Mr X moves, the detectives draft, undo, confirm, and take their turn back."""
    mrx = first_action(evening.room)
    await evening.do(lambda: evening.room.turns.play(evening.of(MR_X), 1, mrx), lambda: evening.room.n == 2)

    def drafted() -> list[str]:
        return [move.place for move in evening.room.turns.present_draft.moves]

    async def draft(person: int) -> None:
        place = f"pursuers/{person - 2}"
        action = next(offer["action"] for offer in offers_of(evening.room) if offer["place"] == place)
        act = partial(evening.room.turns.play, evening.of(person), 2, action)
        await evening.do(act, lambda: place in drafted())

    await draft(ANN)
    await evening.do(lambda: evening.room.turns.undo(evening.of(BEN), "pursuers/0"), lambda: drafted() == [])
    await draft(ANN)
    await draft(BEN)
    has_confirmed = lambda: ANN in evening.room.turns.present_draft.confirmed  # noqa: E731
    await evening.do(lambda: evening.room.turns.confirm(evening.of(ANN)), has_confirmed)
    await evening.do(lambda: evening.room.turns.confirm(evening.of(BEN)), lambda: evening.room.n == 4)
    await evening.do(lambda: take_back(evening), lambda: evening.room.n == 2)
    assert evening.room.turns.taken_back.counts[Seat.PURSUERS] == 1


async def take_back(evening: Evening) -> None:
    await evening.room.turns.take_back(evening.of(BEN))
    await evening.room.turns.answer(evening.of(MR_X), True)


@pytest.mark.parametrize("is_down", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("is_late", [False, True], ids=["not stored", "stored"])
def test_nothing_is_stuck(line: Line, is_late: bool, is_down: bool) -> None:
    async def run() -> None:
        store = open_store(line.url)
        writer = GameWriter(store)
        registry = RoomRegistry(store, writer, NoAgents())  # type: ignore[arg-type]
        tables = TableRegistry(store, writer, registry, Limits())
        try:
            await play_an_evening(Evening(line, store, tables, registry, is_late, is_down))
        finally:
            await registry.close()
            await tables.close()
            await asyncio.to_thread(writer.close)
            store.close()

    with (
        mock.patch.object(rooms, "RETRY_SECONDS", 0.05),
        mock.patch.object(open_table, "RETRY_SECONDS", 0.05, create=True),
    ):
        asyncio.run(run())
