"""Random games of Fugitive: games and plies per second of the kernel and of a plain loop over the rules.

    python benchmarks/fugitive_playouts.py [--preset standard] [--seconds 2] [--json]

One core; seconds of processor time, the best of three runs. A game is dealt and played to its end, every step uniform
over the legal ones; a ply is one step. Neither the kernel nor the loop checks again what was listed as legal.
"""

import argparse
import json
import time
from collections.abc import Callable
from random import Random

import numpy as np
from measure import print_machine

from manhunt.core.registry import make_game
from manhunt.games.fugitive.rules import playouts, rules
from manhunt.games.fugitive.rules.config import Config, make_config
from manhunt.games.fugitive.rules.packed import pack_config, pack_piles, state_size
from manhunt.solvers.memory import peak_rss_mb

GAME = make_game("fugitive")
GAMES_A_CALL = 2_000


def best_rate(run: Callable[[], tuple[int, int]], seconds: float, n_runs: int = 3) -> tuple[float, float]:
    """Games and plies per second of `run`, which plays some games and counts both."""
    run()
    best = (0.0, 0.0)
    for _ in range(n_runs):
        began, n_games, n_plies = time.process_time(), 0, 0
        while time.process_time() - began < seconds / n_runs:
            games, plies = run()
            n_games, n_plies = n_games + games, n_plies + plies
        used = time.process_time() - began
        best = max(best, (n_games / used, n_plies / used))
    return best


def kernel_run(config: Config) -> Callable[[], tuple[int, int]]:
    table, piles, rng = pack_config(config), pack_piles(config), playouts.new_rng(1)
    state, deck = np.zeros(state_size(config), np.int64), np.zeros(len(piles.cards), np.int64)
    counts = np.zeros(5, np.int64)
    return lambda: (GAMES_A_CALL, playouts.play_dealt(table, piles, GAMES_A_CALL, rng, state, deck, counts))


def rules_run(config: Config) -> Callable[[], tuple[int, int]]:
    rng = Random(1)
    random = rng.random

    def run() -> tuple[int, int]:
        state, n_plies = GAME.new(config, rng), 0
        while legal := rules.legal_actions(state):
            state, n_plies = rules.apply_legal(state, legal[int(random() * len(legal))]), n_plies + 1
        return 1, n_plies

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each line")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    config = make_config(options.preset)
    found = {"kernel": best_rate(kernel_run(config), options.seconds)}
    found["rules"] = best_rate(rules_run(config), options.seconds)
    ratio = found["kernel"][0] / found["rules"][0]
    if options.json:
        rates = {name: {"games_per_second": games, "plies_per_second": plies} for name, (games, plies) in found.items()}
        print(json.dumps({**rates, "kernel_over_rules": ratio, "peak_mb": peak_rss_mb()}))
        return
    print_machine()
    for name, (games, plies) in found.items():
        print(f"{name:8} {games:12,.0f} games/s {plies:14,.0f} plies/s  {plies / games:6.1f} plies a game")
    print(f"kernel over rules: {ratio:,.0f} times; peak memory {peak_rss_mb():,.0f} MB")


if __name__ == "__main__":
    main()
