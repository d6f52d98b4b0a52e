"""How near the value is `navigator`'s first promise? Hard graphs of 200 nodes, one bank for the whole game.

    python benchmarks/navigator_first_bound.py --bank 8 --cpu

The value lies between the two bounds, which get `--seconds` in all. With `--cpu` seconds are those that this process
computes, so that a busy machine gives the same figures.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from measure import print_machine

from manhunt.core.agent import ClockFace, Limit
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.agents.navigator import NavigatorAgent
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.rules.rules import start
from manhunt.games.shortest_path.solvers.bounds import compile_searches, find_bounds

GRAPHS = (
    "contest:200:600:separation=8:cut=6:seed=102",
    "contest:200:600:separation=9:cut=6:seed=5",
    "contest:200:500:separation=9:cut=6:seed=6",
    "contest:200:600:separation=9:cut=7:seed=7",
    "contest:200:600:separation=10:cut=8:seed=3",
    "contest:200:600:separation=10:cut=7:seed=4",
    "contest:200:500:separation=10:cut=5:seed=8",
    "contest:200:500:separation=12:cut=5:seed=1",
)
NEAR = 0.02


def first_bound(name: str, rule: str, bank: float) -> tuple[float, float]:
    """The promise, and the seconds that it took."""
    agent, view = NavigatorAgent(), ShortestPathGame().view(start(make_config(rule, name)), Seat.EVADER)
    agent.start(view)
    began = time.perf_counter()
    agent.act(view, Limit(bank, clock=ClockFace(bank)), Random(1))
    assert agent.first_bound is not None
    return agent.first_bound, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bank", type=float, default=8.0)
    parser.add_argument("--seconds", type=float, default=16.0, help="for the bounds on the value (default 16)")
    parser.add_argument("--cpu", action="store_true", help="count what this process computes")
    options = parser.parse_args()
    print_machine()
    if options.cpu:
        time.perf_counter = time.process_time
    compile_searches()
    n_solved = n_near = 0
    print("| graph | rule | lower | upper | first promise | above lower | seconds |", "|---" * 7 + "|", sep="\n")
    for name in GRAPHS:
        for rule in ("sqrt", "double"):
            bounds = find_bounds(start(make_config(rule, name)), options.seconds)
            first, seconds = first_bound(name, rule, options.bank)
            above = first / bounds.lower.value - 1
            n_solved += bounds.solved
            n_near += bounds.solved and above <= NEAR
            figures = f"{bounds.lower.value:.4f} | {bounds.upper.value:.4f} | {first:.4f} | {above:.1%} | {seconds:.2f}"
            print(f"| `{name}` | {rule} | {figures} |", flush=True)
    print(f"\nof {n_solved} starts whose value is known, the first promise is within {NEAR:.0%} on {n_near}")


if __name__ == "__main__":
    main()
