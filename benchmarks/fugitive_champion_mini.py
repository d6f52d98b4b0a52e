"""The champions of Fugitive on small decks that are solved: what they win beside the value of the game.

    python benchmarks/fugitive_champion_mini.py [--games 400] [--decks six eight-two ...] [--iterations 1000]

A Fugitive who plays the solution wins at least the lower bound against anybody, a Marshal who does holds him to the
upper one.
"""

import argparse

from measure import print_machine

from manhunt.agents.registry import make_agent
from manhunt.arena.stats import wilson
from manhunt.arena.words import percent
from manhunt.core.ids import Seat, Side
from manhunt.core.registry import make_game
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.solvers.decks import DECKS
from manhunt.games.fugitive.solvers.mini import solve_mini
from manhunt.play.referee import Referee

PAIRS = (("champion", "champion"), ("champion", "exact"), ("fugitive-search", "champion"), ("fugitive-search", "exact"))


def wins(config: Config, fugitive: str, marshal: str, n_games: int) -> int:
    game = make_game("fugitive")
    agents = {
        Seat.EVADER: make_agent(fugitive, "fugitive", Seat.EVADER),
        Seat.PURSUERS: make_agent(marshal, "fugitive", Seat.PURSUERS),
    }
    won = 0
    for seed in range(n_games):
        referee = Referee(game, config, agents, seed=seed)
        while referee.outcome is None:
            referee.step()
        won += referee.outcome.winner is Side.EVADER
    return won


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--decks", nargs="*", default=list(DECKS), choices=list(DECKS))
    parser.add_argument("--iterations", type=int, default=1000)
    options = parser.parse_args()
    print_machine()
    print("| deck | value | " + " | ".join(f"{fugitive} - {marshal}" for fugitive, marshal in PAIRS) + " |")
    print("|---" * (2 + len(PAIRS)) + "|")
    for deck in options.decks:
        solved = solve_mini(DECKS[deck], options.iterations, target=1e-4)
        cells = []
        for fugitive, marshal in PAIRS:
            won = wins(DECKS[deck], fugitive, marshal, options.games)
            _, low, high = wilson(won, options.games)
            cells.append(f"{percent(won / options.games)} ({100 * low:.1f}-{100 * high:.1f})")
        print(f"| `{deck}` | {percent(solved.value)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
