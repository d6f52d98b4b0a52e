"""One start of London, 2 detectives, 10 rounds: the solver against a plain recursion with a dictionary.

python benchmarks/solve_one_start.py
"""

from __future__ import annotations

import argparse
import time

from measure import print_machine, print_peak, print_rate, print_ratio, timed

from manhunt.boards.catalog import load_board
from manhunt.games.pursuit.rules.config import make_config
from manhunt.games.pursuit.rules.game import PursuitGame, make_setup
from manhunt.games.pursuit.rules.state import PursuitState
from manhunt.games.pursuit.solvers.exhaustive import solve_one_start

ROUNDS = 10
BASELINE_SECONDS = 20.0
BASELINE_STATES = 8_000_000


class OutOfBudget(Exception):
    pass


class PlainSolver:
    """The exhaustive question by recursion over tuples, every state once; no short cuts, so that it fills a policy."""

    def __init__(self, state: PursuitState, rounds: int) -> None:
        self.near = [state.config.board.neighbours(v) for v in state.config.board.nodes()]
        self.rounds = rounds
        self.known: dict[tuple[int, int, tuple[int, ...], int], bool] = {}
        self.deadline = time.perf_counter() + BASELINE_SECONDS

    def wins(self, number: int, quarry: int, pursuers: tuple[int, ...], turn: int) -> bool:
        """`turn` is the detective to move; -1 means the quarry."""
        key = (number, quarry, pursuers, turn)
        if key in self.known:
            return self.known[key]
        if quarry in pursuers:
            result = False
        elif turn == -1 and number == self.rounds:
            result = True
        elif turn == -1:
            targets = [to for to in self.near[quarry] if to not in pursuers]
            values = [self.wins(number + 1, to, pursuers, 0) for to in targets]
            result = any(values)
        else:
            others = pursuers[:turn] + pursuers[turn + 1 :]
            targets = [to for to in self.near[pursuers[turn]] if to not in others] or [pursuers[turn]]
            after = turn + 1 if turn + 1 < len(pursuers) else -1
            moved = [(*pursuers[:turn], to, *pursuers[turn + 1 :]) for to in targets]
            values = [self.wins(number, quarry, places, after) for places in moved]
            result = all(values)
        self.known[key] = result
        if len(self.known) % 1024 == 0 and (len(self.known) >= BASELINE_STATES or time.perf_counter() > self.deadline):
            raise OutOfBudget
        return result


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print_machine()
    config = make_config(board=load_board("london"), n_detectives=2, max_rounds=ROUNDS)
    state = PursuitGame().start(config, make_setup(config, 1, [50, 100]))
    solve_one_start(state)  # compiles, or loads what is compiled
    seconds, answer = timed(lambda: solve_one_start(state), repeat=3)
    print_rate("manhunt, 2 detectives, 10 rounds", answer.states_evaluated, seconds)
    print(f"  forced escape: {answer.forced_escape}, policy of {answer.policy_size:,} entries")

    plain = PlainSolver(state, ROUNDS)
    began = time.perf_counter()
    try:
        assert state.quarry is not None
        result = plain.wins(0, state.quarry, tuple(state.pursuers), -1)
        note = f"forced escape: {result}"
    except OutOfBudget:
        note = "stopped by its budget"
    took = time.perf_counter() - began
    print_rate("plain recursion with a dictionary", len(plain.known), took, note)
    print_ratio("states per second", answer.states_evaluated / seconds, len(plain.known) / took)
    print_peak()


if __name__ == "__main__":
    main()
