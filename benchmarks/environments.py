"""Steps per second of our PettingZoo environments, beside PettingZoo's own board games in the same run.

    python benchmarks/environments.py [--seconds 3] [--json]

One core, processor time, so that a busy machine does not matter. A step is `last()` with observation and mask, a legal
action by lot, and `step()`; dead agents' steps are not counted. Every environment is measured as users get it
(`env()`, with checks) and bare (`raw_env()`). PettingZoo's games draw with pygame; without it a stand-in lets them be
imported, since nothing is drawn here.
"""

import argparse
import importlib.util
import json
import random
import sys
import time
import types
from typing import Any

from measure import print_machine, print_peak

from manhunt.adapters import pettingzoo as ours
from manhunt.core.registry import BUILT_IN, make_game
from manhunt.solvers.memory import peak_rss_mb

if importlib.util.find_spec("pygame") is None:
    sys.modules["pygame"] = types.ModuleType("pygame")
from pettingzoo.classic import connect_four_v3, tictactoe_v3

PEERS = {"tictactoe_v3": tictactoe_v3, "connect_four_v3": connect_four_v3}
BAR = ("scotland_yard", 20_000)


def steps_per_second(env: Any, seconds: float) -> float:
    """The best of three runs; the first game warms up."""
    _play_games(env, 0.0)
    return max(_play_games(env, seconds / 3) for _ in range(3))


def _play_games(env: Any, seconds: float) -> float:
    draw, n, began = random.Random(1).random, 0, time.process_time()
    while True:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].view(bool).nonzero()[0]
            env.step(legal[int(draw() * len(legal))])
            n += 1
        took = time.process_time() - began
        if took >= seconds:
            return n / took


def measure(seconds: float) -> dict[str, dict[str, float]]:
    rates = {
        name: {"env": steps_per_second(peer.env(), seconds), "raw_env": steps_per_second(peer.raw_env(), seconds)}
        for name, peer in PEERS.items()
    }
    for game in BUILT_IN:
        for preset in make_game(game).presets:
            made = {"env": ours.env(game, preset), "raw_env": ours.raw_env(game, preset)}
            rates[f"{game} {preset}"] = {kind: steps_per_second(env, seconds) for kind, env in made.items()}
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each environment (default: 3)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rates = measure(options.seconds)
    if options.json:
        print(json.dumps({"steps_per_second": rates, "peak_mb": peak_rss_mb()}))
        return
    print_machine()
    columns = "".join(f"{f'times {peer}':>24}" for peer in PEERS)
    print(f"{'steps per second':<28}{'env()':>10}{'raw_env()':>11}{columns}")
    for name, rate in rates.items():
        ratios = "".join(f"{rate['env'] / rates[peer]['env']:>24.2f}" for peer in PEERS)
        print(f"{name:<28}{rate['env']:>10,.0f}{rate['raw_env']:>11,.0f}{ratios}")
    game, bar = BAR
    least = min(rate["env"] for name, rate in rates.items() if name.startswith(game))
    print(f"bar of {bar:,} steps per second for {game}: {'reached' if least >= bar else 'missed'} ({least:,.0f})")
    print_peak()


if __name__ == "__main__":
    main()
