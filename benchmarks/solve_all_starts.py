"""All starts of London at once, against a plain backward sweep in Python sets on a smaller board.

python benchmarks/solve_all_starts.py            2 and 3 detectives
python benchmarks/solve_all_starts.py 2          only 2
"""

from __future__ import annotations

import argparse

from measure import print_machine, print_peak, print_rate, print_ratio, timed

from manhunt.boards.board import Board
from manhunt.boards.catalog import load_board
from manhunt.games.pursuit.rules.config import make_config
from manhunt.games.pursuit.solvers.all_starts import solve_all_starts

BASELINE_BOARD, BASELINE_ROUNDS = "planar:60:seed=7", 4


def plain_sweep(board: Board, rounds: int) -> int:
    """Two detectives, one round after the other; returns the survivors of the last."""
    n = board.n_nodes
    near = [board.neighbours(v) for v in board.nodes()]
    tuples = [(a, b) for a in range(n) for b in range(n) if a != b]
    alive = {d: frozenset(range(n)).difference(d) for d in tuples}
    for _ in range(rounds):
        second, first = {}, {}
        for a, b in tuples:
            second[a, b] = frozenset.intersection(*[alive[a, v] for v in near[b] if v != a] or [alive[a, b]])
        for a, b in tuples:
            first[a, b] = frozenset.intersection(*[second[v, b] for v in near[a] if v != b] or [second[a, b]])
        alive = {d: frozenset(x for to in first[d].difference(d) for x in near[to]).difference(d) for d in tuples}
    return sum(len(nodes) for nodes in alive.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", type=int, nargs="*", default=[2, 3], metavar="DETECTIVES")
    options = parser.parse_args()
    print_machine()
    board, small = load_board("london"), load_board(BASELINE_BOARD)
    found = solve_all_starts(make_config(board=small, n_detectives=2), BASELINE_ROUNDS)  # compiles, or loads
    seconds, left = timed(lambda: plain_sweep(small, BASELINE_ROUNDS))
    if left != found.survivors_by_round[BASELINE_ROUNDS - 1]:
        raise SystemExit("the plain sweep and the solver disagree")
    work = found.states * BASELINE_ROUNDS
    print_rate(f"plain Python, {BASELINE_BOARD}", work, seconds, "2 detectives; states times rounds")
    plain = work / seconds
    for k in options.numbers:
        config = make_config(board=board, n_detectives=k)
        seconds, found = timed(lambda config=config: solve_all_starts(config), repeat=3 if k < 3 else 1)  # type: ignore[misc]
        rounds = len(found.survivors_by_round)
        print_rate(f"london, {k} detectives, {rounds} rounds", found.states * rounds, seconds, "states times rounds")
        print(f"  {found.states:,} starts; all caught after {found.rounds_to_capture_all} rounds")
        print(f"  survivors by round: {list(found.survivors_by_round)}")
        print_ratio("  against plain Python", found.states * rounds / seconds, plain)
        print("  ", end="")
        print_peak()


if __name__ == "__main__":
    main()
