"""How well `champion` keeps its time, against `minimax` and `mcts` in the same games.

    python benchmarks/champion_clock.py --games 6 --seconds 0.02 0.05 0.2

Both sides play at each limit. Prints in Markdown, by agent and seat, the mean, the 99th percentile and the longest time
of a decision, each as a share of the limit, hearing of moves included; then the peak of memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import measure
import numpy as np

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.play.referee import play_game

GAME = make_game("scotland_yard")
PAIRS = (("champion", "champion"), ("champion", "mcts"), ("minimax", "champion"), ("mcts", "minimax"))


class Watched(Agent):
    """Times another agent; what it does between two decisions counts for the next one."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.seconds = agent, list[float]()
        self._before = 0.0

    def start(self, view: View) -> None:
        self.agent.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        began = time.perf_counter()
        self.agent.observe(events)
        self._before += time.perf_counter() - began

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        began = time.perf_counter()
        advice = self.agent.act(view, limit, rng)
        self.seconds.append(time.perf_counter() - began + self._before)
        self._before = 0.0
        return advice


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.02, 0.05, 0.2])
    options = parser.parse_args()
    measure.print_machine()
    print("\n| limit | agent | seat | decisions | mean | 99th percentile | longest |")
    print("|---|---|---|---:|---:|---:|---:|")
    config = GAME.make_config("standard")
    for seconds in options.seconds:
        times: dict[tuple[str, Seat], list[float]] = {}
        for pair in PAIRS:
            for seed in range(-1, options.games):  # the first game is for warming up
                agents = {seat: Watched(make_agent(name, GAME.name)) for seat, name in zip(PLAYERS, pair, strict=True)}
                play_game(GAME, config, agents, seed=seed, limit=Limit(seconds))
                if seed >= 0:
                    for (seat, agent), name in zip(agents.items(), pair, strict=True):
                        times.setdefault((name, seat), []).extend(agent.seconds)
        for (name, seat), rows in sorted(times.items(), key=str):
            shares = np.array(rows) / seconds
            figures = " | ".join(f"{100 * x:.0f} %" for x in (shares.mean(), np.percentile(shares, 99), shares.max()))
            print(f"| {1000 * seconds:g} ms | `{name}` | {seat.value} | {len(rows)} | {figures} |")
    print()
    measure.print_peak()


if __name__ == "__main__":
    main()
