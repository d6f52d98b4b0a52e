"""Rooms without a network: a house upon a store of its own."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS
from manhunt.server.durable import Ledger, hold
from manhunt.server.house import House
from manhunt.server.limits import PERSON
from manhunt.server.rooms import Plan


def in_a_house(tmp_path, pool: Any, scene: Callable[[House], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        held = hold(str(tmp_path / "games.db"))
        ledger = Ledger(held.store)
        house = House(held.store, ledger, pool)
        try:
            return await scene(house)
        finally:
            await house.close()
            ledger.close()
            held.claim.release()
            held.store.close()

    return asyncio.run(run())


def plan_of(game: str, **seats: str) -> Plan:
    rules = make_game(game)
    places = {seat: seats.get(seat.value, PERSON) for seat in PLAYERS}
    return Plan(rules, rules.make_config(), places, seed=3)
