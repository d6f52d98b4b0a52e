"""Rooms without a network, on a store of their own."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from manhunt.core.ids import PLAYERS
from manhunt.core.registry import make_game
from manhunt.server.durable import GameWriter, hold
from manhunt.server.limits import PERSON
from manhunt.server.room_registry import RoomRegistry
from manhunt.server.rooms import GamePlan


def with_rooms(tmp_path, pool: Any, scene: Callable[[RoomRegistry], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        held = hold(str(tmp_path / "games.db"))
        writer = GameWriter(held.store)
        rooms = RoomRegistry(held.store, writer, pool)
        try:
            return await scene(rooms)
        finally:
            await rooms.close()
            writer.close()
            held.claim.release()
            held.store.close()

    return asyncio.run(run())


def plan_of(game: str, **seats: str) -> GamePlan:
    rules = make_game(game)
    places = {seat: seats.get(seat.value, PERSON) for seat in PLAYERS}
    return GamePlan(rules, rules.make_config(), places, seed=3)
