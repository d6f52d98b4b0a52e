"""Finished games between random agents, for tests of what is made of a game afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manhunt.agents.registry import make_agent
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import BUILT_IN, kit_of, make_game
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record
from manhunt.play.referee import play_game
from manhunt.store.connect import open_store
from manhunt.store.games import FinishedGame, save_game

SMALL = {name: kit_of(name).small for name in BUILT_IN}
"""For each game the options that make it short."""


def random_record(name: str, seed: int = 0, **options: Any) -> Record:
    game = make_game(name)
    agents = {seat: make_agent("random", name, seat) for seat in PLAYERS}
    return play_game(game, game.make_config(**options), agents, seed=seed)


def keep_random_games(
    url: str, games: Mapping[str, Mapping[str, Any]], seed: int, prefix: str = ""
) -> dict[str, Hindsight]:
    """One finished game of each kind in a store; its uid is the prefix with the game's name."""
    found = {}
    store = open_store(url)
    for name, options in games.items():
        record = random_record(name, seed, **options)
        size = (len(record.rounds), len(record.actions))
        save_game(
            store,
            FinishedGame(prefix + name, name, "random", "random", seed, str(record.outcome), *size, record.format()),
        )
        found[name] = Hindsight(record)
    store.close()
    return found
