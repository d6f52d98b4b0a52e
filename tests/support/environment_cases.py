"""All games with their presets, and random games of them, for tests of environments."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from manhunt.core.ids import Seat
from manhunt.core.registry import BUILT_IN, kit_of

N_COPIES = int(os.environ.get("ENVIRONMENT_COPIES", "25"))
"""How often a game is copied at a random time, for each way to copy."""
GAMES = (*BUILT_IN, "night_chase")
PRESETS = [(name, preset) for name in BUILT_IN for preset in kit_of(name).presets]
PRESETS += [("night_chase", preset) for preset in ("standard", "blind", "moonlight")]
HIDDEN = {"pursuit": {"visibility": "rounds", "reveal_rounds": [3, 6]}}
"""Options that hide something in games where that is not usual."""
SEATS = (Seat.EVADER, Seat.PURSUERS)


def small_options(game: str) -> dict[str, Any]:
    return {**kit_of(game).small, **HIDDEN.get(game, {})}


def random_number(mask: Any, rng: Random) -> int:
    return int(rng.choice(np.flatnonzero(mask).tolist()))


def play_randomly(env: Any, rng: Random, n_plies: int) -> None:
    """So many plies, or until the game is over."""
    for _ in range(n_plies):
        if not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            return
        env.step(random_number(env.infos[env.agent_selection]["action_mask"], rng))


def seen_by_all(env: Any) -> list[Any]:
    """Everything that agents can know of an environment now, as bytes and numbers."""
    found = [(a, *(part.tobytes() for part in env.observe(a).values())) for a in env.agents]
    turn = env.agent_selection if env.agents else None
    return [turn, found, dict(env.rewards), dict(env.terminations), dict(env.truncations)]


def random_states(game: Any, config: Any, seed: int, most: int = 200) -> Iterator[Any]:
    """The states of one game by lot, chance included."""
    rng = Random(seed)
    state = game.new(config, rng)
    yield state
    for _ in range(most):
        legal = game.legal_actions(state)
        if not legal:
            return
        state = game.apply_action(state, rng.choice(legal))
        yield state
