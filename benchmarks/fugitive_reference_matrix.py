"""The Fugitive opponents hr-1, bir-1, continuation against hr-1c, hr-1.1c, bir-2u on the deals of the reference.

    python benchmarks/fugitive_reference_matrix.py [--games 300] [--first 0] [--evader NAME ...] [--pursuers NAME ...]
                                                   [--workers 2] [--json]

Game j has the same deal in every cell, that of the reference's game j; chance of the players is our own. Beside the
Marshal's wins with their 95 % interval stand those of a run of the reference itself on its games 0, 1, 2, ..., and the
two decimals that its author published without a number of games. Seconds are processor time.
"""

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from measure import print_machine

from manhunt.agents.registry import make_agent
from manhunt.arena.stats import wilson
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.rules.config import make_config
from manhunt.play.referee import Referee
from reference_deals import shuffled_deal

FUGITIVES = ("hr-1", "bir-1", "continuation")
MARSHALS = ("hr-1c", "hr-1.1c", "bir-2u")
PUBLISHED = {
    ("hr-1", "hr-1c"): 0.68,
    ("bir-1", "hr-1c"): 0.56,
    ("continuation", "hr-1c"): 0.45,
    ("hr-1", "hr-1.1c"): 0.72,
    ("bir-1", "hr-1.1c"): 0.60,
    ("continuation", "hr-1.1c"): 0.45,
    ("hr-1", "bir-2u"): 0.86,
    ("bir-1", "bir-2u"): 0.81,
    ("continuation", "bir-2u"): 0.73,
}
RUN_AGAIN = {
    ("hr-1", "hr-1c"): (619, 1000),
    ("bir-1", "hr-1c"): (149, 300),
    ("continuation", "hr-1c"): (35, 100),
    ("hr-1", "hr-1.1c"): (673, 1000),
    ("bir-1", "hr-1.1c"): (164, 300),
    ("hr-1", "bir-2u"): (32, 40),
}
BATCH = 10


class Cell(NamedTuple):
    """Games of one pair: Marshal's wins, rounds and seconds together."""

    games: int
    wins: int
    rounds: int
    seconds: float


def play_some(seeds: Sequence[int], evader: str, pursuers: str) -> Cell:
    game, config = make_game("fugitive"), make_config("exactly-two")
    wins = rounds = 0
    began = time.process_time()
    for seed in seeds:
        agents = {Seat.EVADER: make_agent(evader, "fugitive"), Seat.PURSUERS: make_agent(pursuers, "fugitive")}
        referee = Referee(game, config, agents, seed=seed, setup=shuffled_deal(seed))
        while not referee.over:
            referee.step()
        assert referee.outcome is not None
        wins += referee.outcome.winner is Side.PURSUERS
        rounds += referee.state.round
    return Cell(len(seeds), wins, rounds, time.process_time() - began)


def play_cell(evader: str, pursuers: str, seeds: range, pool: ProcessPoolExecutor) -> Cell:
    lots = [seeds[i : i + BATCH] for i in range(0, len(seeds), BATCH)]
    parts = list(pool.map(partial(play_some, evader=evader, pursuers=pursuers), lots))
    return Cell(*(sum(column) for column in zip(*parts, strict=True)))


def line_of(evader: str, pursuers: str, cell: Cell) -> str:
    rate, low, high = wilson(cell.wins, cell.games)
    again = RUN_AGAIN.get((evader, pursuers))
    beside = f"{again[0] / again[1]:.3f} of {again[1]}" if again else "-"
    return (
        f"{evader:<13} {pursuers:<8} {cell.wins:>5}/{cell.games:<5} {rate:.3f} "
        f"[{low:.3f}, {high:.3f}]   reference {beside:<14} published {PUBLISHED.get((evader, pursuers), '-'):<5} "
        f"{cell.rounds / cell.games:5.1f} rounds  {cell.seconds / cell.games:.3f} s a game"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--evader", nargs="+", default=FUGITIVES)
    parser.add_argument("--pursuers", nargs="+", default=MARSHALS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.games)
    if not options.json:
        print_machine()
    with ProcessPoolExecutor(options.workers) as pool:
        for pursuers in options.pursuers:
            for evader in options.evader:
                cell = play_cell(evader, pursuers, seeds, pool)
                named = {"evader": evader, "pursuers": pursuers, **cell._asdict()}
                print(json.dumps(named) if options.json else line_of(evader, pursuers, cell), flush=True)


if __name__ == "__main__":
    main()
