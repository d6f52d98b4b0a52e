"""How well `champion` keeps its time, against other agents in the same games.

    python benchmarks/champion_clock.py --games 3 --seconds 0.02 0.05 0.2
    python benchmarks/champion_clock.py --game fugitive --games 3 --seconds 0.02 0.05 0.2

Both sides play at each limit, which counts processor time, or with --clock wall that of the wall clock. Prints in
Markdown, by agent and seat, the mean, the 99th percentile and the longest processor time of a decision, each as a share
of the limit, hearing of moves included; then the 99th percentile of the wall clock, which on a busy machine also counts
what others do; then the peak of memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import measure
import numpy as np

from manhunt.agents.registry import make_agent
from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.play.referee import play_game

PAIRS = {
    "scotland_yard": (("champion", "champion"), ("champion", "mcts"), ("minimax", "champion"), ("mcts", "minimax")),
    "fugitive": (("champion", "champion"), ("champion", "exact"), ("fugitive-search", "champion")),
}


WARM_UP_SECONDS = 0.02


class Spent(NamedTuple):
    """Seconds of the processor and of the wall clock."""

    processor: float
    wall: float


class Watched(Agent):
    """Times another agent; what it does between two decisions counts for the next one."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.spent = agent, list[Spent]()
        self._heard = Spent(0.0, 0.0)

    def start(self, view: View) -> None:
        self.agent.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        began = _now()
        self.agent.observe(events)
        self._heard = _since(began, self._heard)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        began = _now()
        advice = self.agent.act(view, limit, rng)
        self.spent.append(_since(began, self._heard))
        self._heard = Spent(0.0, 0.0)
        return advice


def _now() -> Spent:
    return Spent(time.thread_time(), time.perf_counter())


def _since(began: Spent, before: Spent) -> Spent:
    return Spent(*(b + n - a for a, b, n in zip(began, before, _now(), strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(PAIRS), default="scotland_yard")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.02, 0.05, 0.2])
    parser.add_argument("--clock", choices=list(thinking_time.CLOCKS), default=thinking_time.PROCESSOR)
    options = parser.parse_args()
    measure.print_machine()
    head = ("limit", "agent", "seat", "decisions", "mean", "99th percentile", "longest", "wall clock, 99th percentile")
    print(f"\n| {' | '.join(head)} |\n|---|---|---|---:|---:|---:|---:|---:|")
    for seconds in options.seconds:
        with thinking_time.count_by(options.clock):
            times = decisions_of(options.game, options.games, seconds)
        for (name, seat), rows in sorted(times.items(), key=str):
            shares, wall = (np.array(each) / seconds for each in zip(*rows, strict=True))
            figures = (shares.mean(), np.percentile(shares, 99), shares.max(), np.percentile(wall, 99))
            cells = (
                f"{1000 * seconds:g} ms",
                f"`{name}`",
                seat.value,
                len(rows),
                *(f"{100 * x:.0f} %" for x in figures),
            )
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
    print()
    measure.print_peak()


def decisions_of(name: str, n_games: int, seconds: float) -> dict[tuple[str, Seat], list[Spent]]:
    """By agent and seat what every decision took."""
    game, times = make_game(name), dict[tuple[str, Seat], list[Spent]]()
    config = game.make_config()
    for pair in PAIRS[name]:
        for seed in range(-1, n_games):  # the first game is for warming up
            agents = {seat: Watched(make_agent(spec, name, seat)) for seat, spec in zip(PLAYERS, pair, strict=True)}
            play_game(
                game, config, agents, seed=seed, limit=Limit(seconds if seed >= 0 else min(seconds, WARM_UP_SECONDS))
            )
            if seed >= 0:
                for (seat, agent), spec in zip(agents.items(), pair, strict=True):
                    times.setdefault((spec, seat), []).extend(agent.spent)
    return times


if __name__ == "__main__":
    main()
