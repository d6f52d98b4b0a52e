"""Iterations of `mcts` per second and core, for both sides, in positions of the middle game.

Counts the processor's time of this process, so other load hardly matters; best of some runs a position.
"""

from __future__ import annotations

import argparse
import statistics
import time
from random import Random

from measure import print_machine

from manhunt.core.agent import Limit
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.agents.mcts import MctsAgent
from manhunt.play.referee import Referee

ROUNDS = (6, 10, 14)
QUICK = Limit(iterations=200)


def position(seat: Seat, round_: int, seed: int) -> tuple[MctsAgent, Referee] | None:
    """A game between quick searches, at the first decision of a seat in a round; None if it ended before."""
    game = make_game("scotland_yard")
    agents = {each: MctsAgent() for each in PLAYERS}
    referee = Referee(game, game.make_config("standard"), agents, seed=seed, limit=QUICK)
    while not referee.over and (game.round_of(referee.state) < round_ or referee.to_act is not seat):
        referee.step()
    return None if referee.over else (agents[seat], referee)


def rate(seat: Seat, round_: int, seed: int, n_iterations: int, repeat: int) -> float | None:
    found = position(seat, round_, seed)
    if found is None:
        return None
    agent, referee = found
    best = 0.0
    for run in range(repeat):
        began = time.process_time()
        agent.act(referee.view(seat), Limit(iterations=n_iterations), Random(run))
        best = max(best, n_iterations / (time.process_time() - began))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--games", type=int, default=3)
    options = parser.parse_args()
    print_machine()
    for seat in PLAYERS:
        for round_ in ROUNDS:
            rates = [rate(seat, round_, seed, options.iterations, options.repeat) for seed in range(options.games)]
            known = [each for each in rates if each is not None]
            if known:
                spread = f"({min(known):,.0f} to {max(known):,.0f}, {len(known)} positions)"
                print(
                    f"{seat.value:<9} after round {round_:>2}  {statistics.median(known):>9,.0f} iterations/s  {spread}"
                )


if __name__ == "__main__":
    main()
