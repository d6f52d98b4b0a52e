"""Exact values against a plain minimax, and lines of best play that the rules confirm."""

from random import Random

import pytest

from manhunt.boards.build import build_board
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.exact import Solution, solve
from manhunt.solvers.memory import TooLarge
from shortest_path_plain import CLOSE, COMPILED, few, plain_value, random_config, value_by_the_rules

pytestmark = pytest.mark.kernel


def check_line(state: ShortestPathState, solution: Solution) -> None:
    """The line is legal, ends at the target, visits no node twice, and costs the value."""
    before, nodes = state.total, [state.quarry]
    for action in solution.line:
        state = rules.apply_action(state, action)
        nodes += [state.quarry] if state.quarry != nodes[-1] else []
    assert state.quarry == state.config.target
    assert len(set(nodes)) == len(nodes)
    assert state.total - before == pytest.approx(solution.value, abs=CLOSE)


def after_some_plies(config: ShortestPathConfig, rng: Random, n_plies: int) -> ShortestPathState:
    state = rules.start(config)
    for _ in range(n_plies):
        following = rules.apply_action(state, rng.choice(rules.legal_actions(state)))
        if following.quarry == config.target:
            break
        state = following
    return state


@pytest.mark.parametrize("rule", list(Rule))
def test_values_agree_with_a_plain_minimax(rule) -> None:
    """60 graphs of 5 and 6 nodes for each rule."""
    rng = Random(f"plain {rule}")
    for i in range(few(60)):
        state = rules.start(random_config(rng, 5 + i % 2, rng.randint(5, 9), rule))
        solution = solve(state)
        assert solution.value == pytest.approx(plain_value(state), abs=CLOSE)
        check_line(state, solution)


def test_par_4_passes_and_nodes_visited_again_change_nothing() -> None:
    rng = Random(4)
    for _ in range(few(20)):
        state = rules.start(random_config(rng, rng.choice([3, 4, 4]), rng.randint(3, 5)))
        n = state.config.board.n_nodes
        assert solve(state).value == pytest.approx(value_by_the_rules(state, n + 1), abs=CLOSE)


def test_positions_in_the_middle_of_a_game_either_side_to_move() -> None:
    rng = Random(7)
    turns = set()
    for i in range(few(60)):
        state = after_some_plies(random_config(rng, 5, rng.randint(5, 7)), rng, i % 6)
        turns.add(state.ply % 2)
        solution = solve(state)
        assert solution.value == pytest.approx(plain_value(state), abs=CLOSE)
        check_line(state, solution)
    assert turns == {0, 1}


def test_up_to_twelve_nodes_are_solved() -> None:
    rng = Random(12)
    for _ in range(few(150)):
        n = rng.randint(7, 12)
        state = rules.start(random_config(rng, n, rng.randint(n, 2 * n)))
        solution = solve(state)
        check_line(state, solution)
        assert solution.n_states > 0


def test_a_path_costs_what_its_last_edges_are_raised_to() -> None:
    """a-b-c-d: one raise before the second step, two before the third; both belong on the last edge."""
    board = build_board("path", [("a", "b", None), ("b", "c", None), ("c", "d", None)])
    state = rules.start(ShortestPathConfig(board, board.node("a"), board.node("d"), Rule.DOUBLE))
    solution = solve(state)
    assert solution.value == 1 + 1 + 4
    b, c, d = (board.node(label) for label in "bcd")
    assert solution.line == (OnEdge(Node(0), b), OnEdge(c, d), OnEdge(b, c), OnEdge(c, d), OnEdge(c, d))


def test_at_the_target_nothing_is_left_to_pay() -> None:
    board = build_board("edge", [("a", "b", None)])
    config = ShortestPathConfig(board, board.node("a"), board.node("b"))
    assert solve(ShortestPathState(config, config.target, (0,), 1.0, 1)) == Solution(0.0, (), 0)


def test_larger_boards_and_too_much_work_are_refused_in_one_line() -> None:
    state = rules.start(make_config(board="contest:24:44:seed=1"))
    with pytest.raises(TooLarge, match="24 nodes; an exact value needs 14 or fewer"):
        solve(state)
    with pytest.raises(TooLarge, match="no exact value in 2 steps"):
        solve(state, most_nodes=24, most_steps=2)
    if COMPILED:
        check_line(state, solve(state, most_nodes=24))
