"""Exact values of Adversarial Shortest Path on small graphs, against a plain minimax; upper bounds on contest graphs.

python benchmarks/shortest_path_exact.py [--contest SECONDS]
"""

from __future__ import annotations

import argparse
import math
import time
from random import Random

from measure import print_machine, print_peak, print_ratio, timed

from manhunt.boards.build import build_board
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import edge_index, factors, hops_to
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import UpperCertificate
from manhunt.games.shortest_path.solvers.exact import Solution, solve
from manhunt.games.shortest_path.solvers.upper import find_plan, holds, upper_value, warm_up
from manhunt.games.shortest_path.solvers.upper_arena import all_arcs
from manhunt.games.shortest_path.solvers.upper_plan import best_path

N_GRAPHS, LARGEST = 500, 12
COMPARED, COMPARED_NODES = 6, 9
CLOSE = 1e-6
CONTEST = (
    "contest:150:375:separation=4:cut=3:seed=1",
    "contest:150:375:separation=5:cut=4:seed=2",
    "contest:200:500:separation=6:cut=3:seed=3",
    "contest:200:600:separation=7:cut=5:seed=4",
    "contest:300:750:separation=8:cut=3:seed=5",
    "contest:300:900:separation=8:cut=6:seed=6",
    "contest:300:750:separation=10:cut=3:seed=7",
    "contest:300:750:separation=12:cut=3:seed=8",
    "contest:1000:3000:separation=8:cut=4:seed=9",
)


class Plain:
    """Simple paths and all raises by recursion with a dictionary; cut off where a move is no better already."""

    def __init__(self, state: ShortestPathState) -> None:
        self.config, self.index, self.factors = state.config, edge_index(state.config.board), factors(state.config)
        self.known: dict[tuple[Node, frozenset[Node], tuple[int, ...]], float] = {}

    def value(self, node: Node, visited: frozenset[Node], raises: tuple[int, ...]) -> float:
        key = (node, visited, raises)
        if key not in self.known:
            best = math.inf
            for to in self.config.board.neighbours(node):
                edge = self.index[node, to]
                cost = self.factors[edge] ** raises[edge]
                if to in visited or cost >= best:
                    continue
                worst = 0.0
                for raised in range(len(raises)) if to != self.config.target else ():
                    more = (*raises[:raised], raises[raised] + 1, *raises[raised + 1 :])
                    worst = max(worst, self.value(to, visited | {to}, more))
                    if cost + worst >= best:
                        break
                best = min(best, cost + worst)
            self.known[key] = best
        return self.known[key]


def small_state(rng: Random, n: int) -> ShortestPathState:
    """A connected graph with up to twice as many edges as nodes, its ends as far apart as can be."""
    pairs = {(rng.randrange(node), node) for node in range(1, n)}
    while len(pairs) < min(rng.randint(n, 2 * n), n * (n - 1) // 2):
        a, b = sorted(rng.sample(range(n), 2))
        pairs.add((a, b))
    board = build_board("small", [(a, b, None) for a, b in sorted(pairs)], range(n))
    target = Node(rng.randrange(n))
    source = max(board.nodes(), key=lambda node: hops_to(board, target)[node] or 0)
    return rules.start(ShortestPathConfig(board, source, target, rng.choice(list(Rule))))


def check(state: ShortestPathState, solution: Solution) -> None:
    """The line costs the value, and both ways to an upper bound agree with it."""
    end = state
    for action in solution.line:
        end = rules.apply_action(end, action)
    assert end.quarry == state.config.target
    assert abs(end.total - solution.value) < CLOSE
    assert abs(upper_value(state, all_arcs(state)) - solution.value) < CLOSE
    plan = find_plan(state, math.inf, most_steps=200)
    assert plan is not None
    assert plan.value > solution.value - CLOSE
    assert holds(state, UpperCertificate(plan.value, plan.arcs))


def compare_with_plain() -> None:
    rng = Random(1)
    states = [small_state(rng, COMPARED_NODES) for _ in range(COMPARED)]
    fast, solutions = timed(lambda: [solve(state) for state in states], repeat=3)
    began = time.perf_counter()
    for state, solution in zip(states, solutions, strict=True):
        value = Plain(state).value(state.quarry, frozenset({state.quarry}), state.raises)
        assert abs(value - solution.value) < CLOSE
    slow = time.perf_counter() - began
    print(f"{COMPARED} graphs of {COMPARED_NODES} nodes: {fast:.2f} s, plain minimax {slow:.2f} s, same values")
    print_ratio("as quick as the plain minimax", slow, fast)


def solve_many() -> None:
    rng = Random(2)
    states = [small_state(rng, rng.randint(7, LARGEST)) for _ in range(N_GRAPHS)]
    seconds, steps = list[float](), 0
    for state in states:
        took, solution = timed(lambda state=state: solve(state))
        seconds.append(took)
        steps += solution.n_states
        check(state, solution)
    seconds.sort()
    print(
        f"{N_GRAPHS} graphs of 7 to {LARGEST} nodes, all solved: {sum(seconds):.1f} s, {steps:,} positions; "
        f"median {1000 * seconds[len(seconds) // 2]:.1f} ms, most {1000 * seconds[-1]:.0f} ms; bounds valid on all"
    )


def contest(seconds: float) -> None:
    print(f"contest graphs, up to {seconds:g} s each: committed path, upper bound")
    for spec in CONTEST:
        for rule in Rule:
            state = rules.start(make_config(rule.value, board=spec))
            took, plan = timed(lambda state=state: find_plan(state, seconds))
            assert plan is not None
            print(f"  {spec:<46} {rule.value:<6} {best_path(state, 0)[0]:>9.1f} {plan.value:>9.3f}  {took:>6.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contest", type=float, default=2.0, metavar="SECONDS", help="for each contest graph")
    seconds = parser.parse_args().contest
    print_machine()
    warm_up()
    compare_with_plain()
    solve_many()
    contest(seconds)
    print_peak()


if __name__ == "__main__":
    main()
