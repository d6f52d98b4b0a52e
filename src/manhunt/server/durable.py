"""Running games on the disk: a move is stored before anybody hears that it was made."""

from __future__ import annotations

import asyncio

from manhunt.store.connect import Store
from manhunt.store.games import FinishedGame, save_game


class Ledger:
    """Writes for the event loop, which never waits for the disk itself."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def finish(self, game: FinishedGame) -> None:
        await asyncio.to_thread(save_game, self.store, game)
