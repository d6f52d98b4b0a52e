"""Games of agents that have a compiled twin, played without referee, events and records: for very many games.

The kernel deals and moves with its own generator, seeded by the game's number, so the games are reproducible and
paired, but they are not the games the referee would play with the same seed.
"""

from collections.abc import Sequence, Set
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from manhunt.core.jit import kernel
from manhunt.core.kernel_random import seed_generator
from manhunt.core.outcome import Outcome
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.games.scotland_yard.rules.packed import N_LOGGED, OUTCOMES, pack, pack_table
from manhunt.games.scotland_yard.rules.playouts import deal, new_scratch, playout


@kernel
def play_games(table: Any, state: Any, starts: Any, seeds: Any, scratch: Any, rng: Any, out: Any) -> None:
    """Play one dealt game for each seed; `out` gets the outcome's code, plies and log entries."""
    for i in range(len(seeds)):
        seed_generator(rng, seeds[i])
        scratch.state[:] = state
        deal(table, scratch.state, starts[0], starts[1], rng)
        code, n_plies = playout(table, scratch.state, rng, scratch.actions)
        out[i, 0], out[i, 1], out[i, 2] = code, n_plies, scratch.state[N_LOGGED]


@lru_cache(maxsize=4)
def _packed(config: ScotlandYardConfig) -> tuple[Any, ...]:
    state = pack(ScotlandYardGame().new(config, Random(0)))
    places = (config.mrx_starts, config.detective_starts)
    starts = tuple(np.array([config.board.node(label) for label in labels], np.int32) for labels in places)
    return pack_table(config), state, starts, new_scratch(config), np.zeros(4, np.uint64)


def can_play(config: ScotlandYardConfig, agents: Set[str]) -> bool:
    """Random play alone has a compiled twin, and it begins at the config's start places."""
    return agents == {"random"} and bool(config.mrx_starts and config.detective_starts)


def play(config: ScotlandYardConfig, seeds: Sequence[int]) -> list[tuple[Outcome | None, int, int]]:
    """Outcome, rounds and plies of random play, one game for each seed."""
    packed, state, starts, scratch, rng = _packed(config)
    out = np.zeros((len(seeds), 3), np.int64)
    play_games(packed, state, starts, np.array(seeds, np.uint64), scratch, rng, out)
    return [(OUTCOMES[code], rounds, plies) for code, plies, rounds in out.tolist()]
