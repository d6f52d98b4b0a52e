"""Random games of Scotland Yard: plies per second of the kernel, of a plain loop over the rules, and of OpenSpiel.

    python benchmarks/scotland_yard_playouts.py [--preset standard] [--detectives 5] [--seconds 2] [--json]

One core; seconds of processor time, the best of three runs. A ply is one action. OpenSpiel's lines are games
between its random bots, in C++, of other and smaller games; they are there for scale, where `pyspiel` can be imported.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable
from random import Random

import measure as support  # noqa: F401  (finds the helpers of the tests)
import numpy as np

from manhunt.core.kernel_random import new_rng
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, make_config
from manhunt.games.scotland_yard.rules.packed import pack, pack_table
from manhunt.games.scotland_yard.rules.playouts import new_scratch
from scotland_yard_policy import PlayoutPolicy, dealt_games, greedy_policy, uniform_policy

GAME = make_game("scotland_yard")


def best_rate(run: Callable[[], int], seconds: float, n_runs: int = 3) -> float:
    """Plies per second of `run`, which plays some games and returns their plies."""
    run()
    rates = []
    for _ in range(n_runs):
        began, n_plies = time.process_time(), 0
        while time.process_time() - began < seconds / n_runs:
            n_plies += run()
        rates.append(n_plies / (time.process_time() - began))
    return max(rates)


def kernel_run(config: ScotlandYardConfig, policy: PlayoutPolicy) -> Callable[[], int]:
    board, scratch, counts = config.board, new_scratch(config), np.zeros(5, np.int64)
    table, row, rng = pack_table(config), pack(GAME.new(config, Random(1))), new_rng(1)
    starts = tuple(
        np.array([board.node(label) for label in labels], np.int32)
        for labels in (config.mrx_starts, config.detective_starts)
    )
    return lambda: dealt_games(table, row, starts, 2_000, rng, policy, scratch, counts)


def rules_run(config: ScotlandYardConfig) -> Callable[[], int]:
    rng = Random(1)

    def run() -> int:
        state, n_plies = GAME.new(config, rng), 0
        while legal := rules.legal_actions(state):
            state, n_plies = rules.apply_action(state, rng.choice(legal)), n_plies + 1
        return n_plies

    return run


def openspiel_run(name: str) -> Callable[[], int]:
    """Whole games between OpenSpiel's own random bots; one call into C++ for each game."""
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, 1 + player) for player in range(game.num_players())]

    def run() -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, 1)
        return int(state.move_number())

    return run


def measure(preset: str, n_detectives: int, seconds: float) -> dict[str, float]:
    config = make_config(preset, n_detectives=n_detectives)
    found = {
        "kernel": best_rate(kernel_run(config, uniform_policy()), seconds),
        "kernel, best of 4 draws": best_rate(kernel_run(config, greedy_policy(config)), seconds),
        "rules": best_rate(rules_run(config), seconds),
    }
    try:
        for name in ("dark_hex(board_size=5)", "phantom_ttt"):
            found[f"OpenSpiel {name}, C++"] = best_rate(openspiel_run(name), seconds)
    except ImportError:
        print("OpenSpiel (pyspiel) is not installed: its games are left out", file=sys.stderr)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--detectives", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each line")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.preset, options.detectives, options.seconds)
    ratio = found["kernel"] / found["rules"]
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if options.json:
        print(json.dumps({"plies_per_second": found, "kernel_over_rules": ratio, "peak_mib": peak_mib}))
        return
    for name, rate in found.items():
        print(f"{name:34} {rate:14,.0f} plies/s")
    print(f"{'kernel over rules':34} {ratio:14,.0f} times")
    print(f"{'peak memory':34} {peak_mib:14,.0f} MiB")


if __name__ == "__main__":
    main()
