"""Rooms with people at a table, a clock that is moved by hand, and listeners that keep what they hear."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.server import sockets, wire
from manhunt.server.durable import GameWriter, hold
from manhunt.server.room_clock import ServerClock
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.rooms import GamePlan, GameRoom, Holder, SpectatorPolicy, hash_of
from manhunt.server.table_options import TableOptions

ANSWER_SECONDS = 60.0


@dataclass
class HandTimer:
    due: float
    call: Callable[[], object]
    is_cancelled: bool = False

    def cancel(self) -> None:
        self.is_cancelled = True


class HandClock(ServerClock):
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.time = 1_000_000.0
        self.timers: list[HandTimer] = []

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return self.time

    def call_later(self, seconds: float, call: Callable[[], object]) -> HandTimer:
        timer = HandTimer(self.time + max(0.0, seconds), call)
        self.timers.append(timer)
        return timer

    def advance(self, seconds: float) -> None:
        self.time += seconds
        self.timers = [timer for timer in self.timers if not timer.is_cancelled]
        for timer in [timer for timer in self.timers if timer.due <= self.time]:
            self.timers.remove(timer)
            timer.call()


@dataclass
class Party:
    """People and the places they hold; the token of person 3 is `token-3`."""

    places: dict[int, frozenset[str]]
    n_moved: int = 0

    def holder(self, token_hash: str, seat: Seat | None = None) -> Holder | None:
        for person in self.places:
            if token_hash == hash_of(token_of(person)):
                return self.of(person, seat)
        return None

    def of(self, person: int, seat: Seat | None = None) -> Holder:
        for each in PLAYERS if seat is None else (seat,):
            if person in self.members(each):
                return Holder(each, self.members(each)[person], person)
        return Holder(Seat.SPECTATOR, frozenset(), person)

    def members(self, seat: Seat) -> Mapping[int, frozenset[str]]:
        held = {
            person: frozenset(place for place in places if place.partition("/")[0] == seat.value)
            for person, places in self.places.items()
        }
        return {person: places for person, places in held.items() if places}

    def name(self, person: int) -> str:
        return f"Person {person}"

    def moved(self, room: GameRoom) -> None:
        self.n_moved += 1


def token_of(person: int) -> str:
    return f"token-{person}"


@dataclass
class Ear:
    """Everything that goes out over one socket."""

    texts: list[str] = field(default_factory=list)

    def put(self, text: str) -> None:
        self.texts.append(text)

    def heard(self, kind: str | None = None) -> list[dict[str, Any]]:
        messages = [json.loads(text) for text in self.texts]
        return [message for message in messages if kind in (None, message["t"])]

    def last(self, kind: str) -> dict[str, Any]:
        return self.heard(kind)[-1]


@dataclass
class Hall:
    """All rooms of a test."""

    registry: RoomRegistry
    clock: HandClock

    async def begin(self, party: Party, **plan: Any) -> GameRoom:
        made: list[GameRoom] = []

        def seat(room: GameRoom) -> None:
            room.people = party
            made.append(room)

        await self.registry.begin(people_plan(party, **plan), stored=seat)
        return made[0]

    async def reload(self, room: GameRoom) -> GameRoom:
        """As after kill -9: nothing of the room is left but what is in the store."""
        party = room.people
        self.registry._rooms.pop(room.uid)
        room.turns.stop_timer()
        if room._thinking is not None:
            room._thinking.cancel()

        async def attach(loaded: GameRoom) -> None:
            loaded.people = party

        self.registry.attach = attach
        return await self.registry.find(room.uid)


def people_plan(
    party: Party,
    game: str = "scotland_yard",
    config: Mapping[str, Any] | None = None,
    agents: Mapping[Seat, str] | None = None,
    spectators: SpectatorPolicy = SpectatorPolicy.LIVE,
    setup: Any = None,
    **options: Any,
) -> GamePlan:
    rules = make_game(game)
    spec = {seat: "person:People" if party.members(seat) else "random" for seat in PLAYERS}
    usual = {"n_detectives": 3, "rounds": 6} if game == "scotland_yard" else {}
    return GamePlan(
        rules,
        rules.make_config(**(config or usual)),
        spec,
        seed=3,
        setup=setup,
        spectators=spectators,
        options=TableOptions.from_json(options),
        table="table",
        nonce="0" * 64,
        agents=agents or dict.fromkeys(PLAYERS, "random"),
    )


def with_hall(tmp_path: Any, pool: Any, scene: Callable[[Hall], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        held = hold(str(tmp_path / "games.db"))
        writer = GameWriter(held.store)
        clock = HandClock()
        hall = Hall(RoomRegistry(held.store, writer, pool, clock=clock), clock)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await scene(hall)
        finally:
            await hall.registry.close()
            writer.close()
            held.claim.release()
            held.store.close()

    return asyncio.run(run())


def listen(room: GameRoom, holder: Holder, person: int | None = None) -> Ear:
    ear = Ear()
    hello = wire.PageHello(token=None if person is None else token_of(person))
    connection = sockets.SeatConnection(room, holder, 0, ear, hello)  # type: ignore[arg-type]
    connection.begin(room)
    room.join(connection)
    return ear


async def until(room: GameRoom, is_so: Callable[[], bool]) -> None:
    """Wait for what other tasks do."""
    while not is_so():
        await asyncio.sleep(0.001)


async def make_first_moves(room: GameRoom, holder: Holder, places: int | None = None) -> None:
    """Draft the first offer of every piece."""
    made = 0
    while (offers := offers_of(room)) and made != places:
        await room.turns.play(holder, room.n, offers[0]["action"])
        made += 1


async def draft_all(room: GameRoom, party: Party) -> None:
    """Everybody drafts the first offer of each of their pieces."""
    while offers := offers_of(room):
        place = offers[0]["place"]
        person = next(person for person, held in party.members(Seat.PURSUERS).items() if place in held)
        await room.turns.play(party.of(person), room.n, offers[0]["action"])


def offers_of(room: GameRoom) -> list[dict[str, Any]]:
    text = wire.go_message(room, Seat.PURSUERS)
    offers: list[dict[str, Any]] = [] if text is None else json.loads(text)["offers"]
    return offers


def first_action(room: GameRoom) -> str:
    seat = room.referee.to_act
    assert seat is not None
    return room.game.format_action(room.plan.config, room.referee.view(seat).legal[0])
