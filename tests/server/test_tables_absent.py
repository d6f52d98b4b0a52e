"""People leave a table, for a moment or for good, and the others go on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from manhunt.core.ids import Seat
from manhunt.core.turns import TurnEnd
from manhunt.server.agent_turns import AgentTurn
from manhunt.server.api_tables import TableBody, _new_table
from manhunt.server.durable import GameWriter
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.settings import Limits, Settings
from manhunt.server.tables import changes, messages
from manhunt.server.tables.open_table import AWAY_SECONDS, OpenTable
from manhunt.server.tables.registry import TableRegistry
from manhunt.server.tables.state import NotAllowed, Phase
from manhunt.store.connect import open_store
from people_rooms import HandClock, first_action, until

ANNA, BEN, CLEO, DORA = 1, 2, 3, 4


@dataclass(eq=False)
class Somebody:
    """A page at the table."""

    person: int
    heard: list[dict[str, Any]] = field(default_factory=list)

    def changed(self, open_table: OpenTable) -> None:
        self.heard.append(json.loads(messages.table_message(open_table, self.person)))

    def said(self, message: object) -> None: ...

    def reacted(self, person: int, name: str, sign: str) -> None: ...


class Evening:
    def __init__(self, table: OpenTable, clock: HandClock, rooms: RoomRegistry) -> None:
        self.open, self.clock, self.rooms = table, clock, rooms
        self.pages = {person: Somebody(person) for person in (ANNA, BEN, CLEO, DORA)}

    def come(self, *people: int) -> None:
        for person in people:
            self.open.enter(self.pages[person])

    def leave(self, *people: int) -> None:
        for person in people:
            self.open.leave(self.pages[person])

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        while self.open._work:
            await asyncio.sleep(0)

    def state(self, person: int) -> dict[str, Any]:
        return self.pages[person].heard[-1]

    async def start(self, person: int = ANNA) -> None:
        await self.open.start(person, lambda: "")

    @property
    def holders(self) -> dict[str, int]:
        return dict(self.open.table.holders)


def evening(tmp_path: Any, pool: Any, scene: Callable[[Evening], Awaitable[None]], **terms: Any) -> None:
    """Anna is Mr X and the host, Ben and Cleo have a detective each, Dora looks on; all are here."""

    async def run() -> None:
        store = open_store(tmp_path / "games.db")
        writer, clock = GameWriter(store), HandClock()
        rooms = RoomRegistry(store, writer, pool, clock=clock)
        tables = TableRegistry(store, writer, rooms, Limits())
        site: Any = type("NoSite", (), {"settings": Settings("x"), "boards": type("B", (), {"checked": print})()})
        options: Any = {"n_detectives": 2, "rounds": 3}
        body = TableBody(game="scotland_yard", name="Anna", sit=["evader"], options=options, table=terms)  # type: ignore[arg-type]
        try:
            table = await tables.make(*_new_table(site, body, "token"))
            for name in ("Ben", "Cleo", "Dora"):
                await table.change(partial(changes.join, name=name, token_hash=name))
            await table.change(partial(changes.sit, number=BEN, name="pursuers/0"))
            await table.change(partial(changes.sit, number=CLEO, name="pursuers/1"))
            made = Evening(table, clock, rooms)
            made.come(ANNA, BEN, CLEO, DORA)
            async with asyncio.timeout(60):
                await scene(made)
        finally:
            await rooms.close()
            await tables.close()
            await asyncio.to_thread(writer.close)
            store.close()

    asyncio.run(run())


def test_while_the_host_is_away_somebody_else_starts_the_game(tmp_path, scripted_pool) -> None:
    async def scene(made: Evening) -> None:
        made.come(DORA)
        made.leave(ANNA)
        with pytest.raises(NotAllowed, match="only the host"):
            await made.start(BEN)
        await made.pass_time(AWAY_SECONDS - 1)
        assert made.state(BEN)["host"] == ANNA, "a phone that slept for a moment"
        await made.pass_time(1.1)
        assert made.state(BEN)["host"] == BEN, "the first of those with a place"
        with pytest.raises(NotAllowed, match="only the host"):
            await made.start(CLEO)
        made.come(ANNA)
        assert made.state(BEN)["host"] == ANNA
        made.leave(ANNA)
        await made.pass_time(AWAY_SECONDS + 0.1)
        await made.start(BEN)
        assert made.open.table.phase is Phase.PLAYING

    evening(tmp_path, scripted_pool, scene)


def test_the_new_host_frees_the_place_of_one_who_left(tmp_path, scripted_pool) -> None:
    """An agent goes on there, or somebody else who has not played the other side."""

    async def scene(made: Evening) -> None:
        await made.start()
        made.leave(ANNA)
        await made.pass_time(AWAY_SECONDS + 0.1)
        remove = made.open.remove
        with pytest.raises(NotAllowed, match="only the host"):
            await remove(CLEO, "evader")
        await remove(BEN, "evader")
        assert made.holders == {"pursuers/0": BEN, "pursuers/1": CLEO}
        room = made.rooms.loaded(made.open.table.play or "")
        assert room is not None
        assert room.thinking is Seat.EVADER
        scripted_pool.give(AgentTurn(TurnEnd.OK, first_action(room)))
        await until(room, lambda: room.n == 2)
        with pytest.raises(NotAllowed, match="has played the other side|play the other side"):
            await made.open.sit(BEN, "evader")
        await made.open.sit(DORA, "evader")
        assert made.holders["evader"] == DORA

    evening(tmp_path, scripted_pool, scene)


def test_an_agent_takes_over_where_the_table_wants_it(tmp_path, scripted_pool) -> None:
    async def scene(made: Evening) -> None:
        made.leave(CLEO)
        await made.pass_time(AWAY_SECONDS + 0.1)
        assert made.holders["pursuers/1"] == CLEO, "before the game people may come late"
        made.come(CLEO)
        await made.start()
        made.leave(CLEO)
        await made.pass_time(AWAY_SECONDS - 1)
        assert made.holders["pursuers/1"] == CLEO
        await made.pass_time(1.1)
        assert made.holders == {"evader": ANNA, "pursuers/0": BEN}
        made.come(CLEO)
        await made.open.sit(CLEO, "pursuers/1")
        made.leave(CLEO)
        made.come(CLEO)
        await made.pass_time(2 * AWAY_SECONDS)
        assert made.holders["pursuers/1"] == CLEO, "who came back keeps the place"

    evening(tmp_path, scripted_pool, scene, on_leave="agent")


def test_anyone_takes_the_place_over_where_the_table_wants_it(tmp_path, scripted_pool) -> None:
    async def scene(made: Evening) -> None:
        await made.start()
        made.leave(CLEO)
        await made.pass_time(AWAY_SECONDS - 1)
        with pytest.raises(NotAllowed, match="Cleo sits there"):
            await made.open.sit(DORA, "pursuers/1")
        await made.pass_time(1.1)
        assert next(each["away"] for each in made.state(DORA)["people"] if each["id"] == CLEO)
        with pytest.raises(NotAllowed, match="play the other side"):
            await made.open.sit(ANNA, "pursuers/1")
        await made.open.sit(DORA, "pursuers/1")
        assert made.holders["pursuers/1"] == DORA

    evening(tmp_path, scripted_pool, scene, on_leave="anyone")


def test_usually_the_host_decides_about_a_place(tmp_path, scripted_pool) -> None:
    async def scene(made: Evening) -> None:
        await made.start()
        made.leave(CLEO)
        await made.pass_time(2 * AWAY_SECONDS)
        with pytest.raises(NotAllowed, match="Cleo sits there"):
            await made.open.sit(DORA, "pursuers/1")
        await made.open.remove(ANNA, "pursuers/1")
        assert made.holders == {"evader": ANNA, "pursuers/0": BEN}

    evening(tmp_path, scripted_pool, scene)


def test_a_rematch_goes_on_without_those_who_left(tmp_path, scripted_pool) -> None:
    async def scene(made: Evening) -> None:
        await made.start()
        room = made.rooms.loaded(made.open.table.play or "")
        assert room is not None
        await room.resign(Seat.EVADER)
        await made.pass_time(0)
        made.leave(ANNA)
        await made.pass_time(AWAY_SECONDS + 0.1)
        await made.open.rematch(BEN, False, lambda: "")
        await made.open.rematch(CLEO, False, lambda: "")
        assert made.open.table.phase is Phase.PLAYING
        assert made.holders == {"pursuers/0": BEN, "pursuers/1": CLEO}, "an agent is Mr X"

    evening(tmp_path, scripted_pool, scene)


def test_with_days_for_a_turn_nobody_need_be_here(tmp_path, scripted_pool) -> None:
    """The clock says what happens to those who do not move."""

    async def scene(made: Evening) -> None:
        await made.start()
        made.leave(ANNA, CLEO)
        await made.pass_time(86_400 - 1)
        assert made.holders["pursuers/1"] == CLEO
        with pytest.raises(NotAllowed, match="only the host"):
            await made.open.remove(BEN, "evader")
        with pytest.raises(NotAllowed, match="Cleo sits there"):
            await made.open.sit(DORA, "pursuers/1")

    evening(tmp_path, scripted_pool, scene, on_leave="agent", turn_seconds=86_400.0)
