"""What the levels of Adversarial Shortest Path pay and take: every traveller against every adversary on 40 graphs.

    python benchmarks/shortest_path_levels.py --travellers dijkstra navigator --adversaries last-edge blocker

The graphs are like the one that two clicks start: 24 nodes, 44 edges, seeds 101 to 140. Agents have no chance in them
but `random`; searches are limited by iterations, so a run can be repeated.
"""

from __future__ import annotations

import argparse
import statistics

from measure import peak_rss_mb, print_machine

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Limit
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.play.referee import Referee

GAME = "shortest_path"
FIRST = 101


def cost_of(seed: int, traveller: str, adversary: str, iterations: int) -> float | None:
    game = make_game(GAME)
    config = game.make_config("sqrt", board=f"contest:24:44:separation=5:cut=3:seed={seed}")
    agents = {
        Seat.EVADER: make_agent(traveller, GAME, Seat.EVADER),
        Seat.PURSUERS: make_agent(adversary, GAME, Seat.PURSUERS),
    }
    return Referee(game, config, agents, seed=seed, limit=Limit(iterations=iterations)).run().cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--travellers", nargs="+", required=True, metavar="AGENT")
    parser.add_argument("--adversaries", nargs="+", required=True, metavar="AGENT")
    parser.add_argument("--graphs", type=int, default=40)
    parser.add_argument("--iterations", type=int, default=200)
    options = parser.parse_args()
    print_machine()
    print("| traveller | " + " | ".join(options.adversaries) + " |\n|---" + "|---" * len(options.adversaries) + "|")
    for traveller in options.travellers:
        cells = []
        for adversary in options.adversaries:
            seeds = range(FIRST, FIRST + options.graphs)
            paid = [cost_of(seed, traveller, adversary, options.iterations) for seed in seeds]
            there = [cost for cost in paid if cost is not None]
            arrived = "" if len(there) == len(paid) else f" ({len(there)} arrived)"
            cells.append(f"{statistics.mean(there):.2f}{arrived}" if there else "-")
        print(f"| `{traveller}` | " + " | ".join(cells) + " |", flush=True)
    print(f"peak memory {peak_rss_mb():.0f} MB")


if __name__ == "__main__":
    main()
