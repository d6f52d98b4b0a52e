"""Games of agents that have a compiled twin, played without referee, events and records: for very many games.

The kernel deals and moves with its own generator, seeded by the game's number, so the games are reproducible and
paired, but they are not the games the referee would play with the same seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from manhunt.arena.match import Table
from manhunt.arena.result import Played, Result
from manhunt.games.jit import kernel
from manhunt.games.scotland_yard.config import Config
from manhunt.games.scotland_yard.game import ScotlandYardGame
from manhunt.games.scotland_yard.packed import N_LOGGED, OUTCOMES, pack, pack_table
from manhunt.games.scotland_yard.playouts import deal, new_scratch, playout, uniform_policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

GOLDEN, MIX1, MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
U27, U30, U31 = np.uint64(27), np.uint64(30), np.uint64(31)


@kernel
def seed_generator(rng: NDArray[np.uint64], seed: np.uint64) -> None:
    """Fill the four words of a xoshiro generator from one number by splitmix64."""
    for i in range(4):
        seed = seed + GOLDEN
        z = (seed ^ (seed >> U30)) * MIX1
        z = (z ^ (z >> U27)) * MIX2
        rng[i] = z ^ (z >> U31)


@kernel
def play_games(table: Any, state: Any, starts: Any, seeds: Any, policy: Any, scratch: Any, rng: Any, out: Any) -> None:
    """Play one dealt game for each seed; `out` gets the outcome's code, plies and log entries."""
    for i in range(len(seeds)):
        seed_generator(rng, seeds[i])
        scratch.state[:] = state
        deal(table, scratch.state, starts[0], starts[1], rng)
        code, n_plies = playout(table, scratch.state, rng, policy, scratch.actions)
        out[i, 0], out[i, 1], out[i, 2] = code, n_plies, scratch.state[N_LOGGED]


@lru_cache(maxsize=4)
def _packed(config: Config) -> tuple[Any, ...]:
    state = pack(ScotlandYardGame().new(config, Random(0)))
    places = (config.mrx_starts, config.detective_starts)
    starts = tuple(np.array([config.board.node(label) for label in labels], np.int32) for labels in places)
    return pack_table(config), state, starts, uniform_policy(), new_scratch(config), np.zeros(4, np.uint64)


def play_compiled(table: Table, numbers: Sequence[int]) -> list[Played]:
    """The matches of these numbers; all random against random."""
    packed, state, starts, policy, scratch, rng = _packed(table.config)
    seeds = np.array([table.plan.match(number).seed for number in numbers], np.uint64)
    out = np.zeros((len(numbers), 3), np.int64)
    play_games(packed, state, starts, seeds, policy, scratch, rng, out)
    return [
        Played(Result(number, OUTCOMES[code], rounds, plies))
        for number, (code, plies, rounds) in zip(numbers, out.tolist(), strict=True)
    ]
