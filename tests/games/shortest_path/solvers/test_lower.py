"""Lower bounds: the compiled game of short memory against plain recursions, and never above the true value."""

import math
import os
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.build import build_board
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import Rule, ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import cheapest_ways, cost_of, edge_index, factors, raised_cost
from manhunt.games.shortest_path.rules.packed import pack_game
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers import lower_kernels
from manhunt.games.shortest_path.solvers.lower import LowerBudget, Memory, find_lower, find_memory, lower_value, options
from shortest_path_games import shortest_path_configs, shortest_path_histories

pytestmark = pytest.mark.kernel

PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def true_value(state: ShortestPathState) -> float:
    """Plain minimax: the traveller on simple paths, the adversary on all edges, with nothing clever."""
    config, board = state.config, state.config.board
    index, every = edge_index(board), factors(config)

    @cache
    def standing(node: Node, raises: tuple[int, ...], visited: frozenset[Node]) -> float:
        steps = [math.inf]
        for to in board.neighbours(node):
            cost = raised_cost(every[index[node, to]], raises[index[node, to]])
            if to == config.target:
                steps.append(cost)
            elif to not in visited:
                steps.append(cost + reply(to, raises, visited | {to}))
        return min(steps)

    def reply(node: Node, raises: tuple[int, ...], visited: frozenset[Node]) -> float:
        if any(to == config.target for to in board.neighbours(node)) and len(visited) >= board.n_nodes - 1:
            only = index[node, config.target]
            return standing(node, (*raises[:only], raises[only] + 1, *raises[only + 1 :]), visited)
        every_raise = ((*raises[:edge], raises[edge] + 1, *raises[edge + 1 :]) for edge in range(len(raises)))
        return max(standing(node, after, visited) for after in every_raise)

    start = frozenset({state.quarry})
    return (reply if state.ply % 2 else standing)(state.quarry, state.raises, start)


def watched_value(state: ShortestPathState, edges: tuple[int, ...], horizon: int) -> float:
    """Plain recursion for an adversary who raises `edges` alone, `horizon` times at most."""
    config, board = state.config, state.config.board
    index = edge_index(board)

    @cache
    def standing(node: Node, raises: tuple[int, ...], left: int) -> float:
        if left == 0 or node == config.target:
            return cheapest_ways(config, raises).distance[node]
        steps = [math.inf]
        for to in board.neighbours(node):
            cost = cost_of(config, raises, index[node, to])
            steps.append(cost + (0.0 if to == config.target else reply(to, raises, left)))
        return min(steps)

    def reply(node: Node, raises: tuple[int, ...], left: int) -> float:
        if left == 0 or not edges:
            return standing(node, raises, 0)
        every_raise = ((*raises[:edge], raises[edge] + 1, *raises[edge + 1 :]) for edge in edges)
        return max(standing(node, after, left - 1) for after in every_raise)

    return (reply if state.ply % 2 else standing)(state.quarry, state.raises, horizon)


class PlainMemory:
    """The game of short memory as `lower.py` tells it, by sweeps over dictionaries."""

    def __init__(self, state: ShortestPathState, edges: tuple[int, ...], horizon: int) -> None:
        self.config, self.edges, self.horizon = state.config, edges, horizon
        self.base = state.raises
        board, index = state.config.board, edge_index(state.config.board)
        reach = cheapest_ways(state.config, state.raises).distance
        self.nodes = [v for v in board.nodes() if v != state.config.target and reach[v] < math.inf]
        self.arcs = {v: [(to, index[v, to]) for to in board.neighbours(v)] for v in self.nodes}
        self.cached: dict[tuple[int, ...], dict[tuple[Node, int | None], float]] = {}

    def cost(self, tally: tuple[int, ...], edge: int, more: int = 0) -> float:
        raises = self.base[edge] + more + (tally[self.edges.index(edge)] if edge in self.edges else 0)
        return raised_cost(factors(self.config)[edge], raises)

    def standing(
        self, tally, reply, node, dear: tuple[int | None, ...], ahead: tuple[Node, int] | None = None
    ) -> float:
        """The traveller's best step; `dear` edges are raised for it, `ahead` is a node and an edge raised there."""
        steps = []
        for to, edge in self.arcs[node]:
            after = reply.get((to, ahead[1] if ahead and ahead[0] == to else None), 0.0)
            steps.append(self.cost(tally, edge, dear.count(edge)) + after)
        return min(steps)

    def replies(self, tally: tuple[int, ...]) -> dict[tuple[Node, int | None], float]:
        if tally not in self.cached:
            self.cached[tally] = self._replies(tally)
        return self.cached[tally]

    def _replies(self, tally: tuple[int, ...]) -> dict[tuple[Node, int | None], float]:
        raises = list(self.base)
        for edge, n in zip(self.edges, tally, strict=True):
            raises[edge] += n
        distance = cheapest_ways(self.config, tuple(raises)).distance
        keys = [(v, dear) for v in self.nodes for dear in (None, *(edge for _, edge in self.arcs[v]))]
        reply = {key: distance[key[0]] for key in keys}
        if sum(tally) < self.horizon:
            for i in range(len(self.edges)):
                after = tuple(n + (j == i) for j, n in enumerate(tally))
                above = self.replies(after)
                for v, dear in keys:
                    reply[v, dear] = max(reply[v, dear], self.standing(after, above, v, (dear,)))
        while True:
            before = dict(reply)
            for v, dear in keys:
                here = [self.standing(tally, reply, v, (dear, edge)) for _, edge in self.arcs[v]]
                for to, _ in self.arcs[v]:
                    if to != self.config.target:
                        there = self.arcs[to]
                        here += [self.standing(tally, reply, v, (dear,), (to, edge)) for _, edge in there]
                reply[v, dear] = max(reply[v, dear], *here)
            if reply == before:
                return reply

    def value(self, state: ShortestPathState) -> float:
        tally = (0,) * len(self.edges)
        reply = self.replies(tally)
        return reply[state.quarry, None] if state.ply % 2 else self.standing(tally, reply, state.quarry, (None,))


@st.composite
def small_positions(draw, max_nodes: int = 6, max_plies: int = 4):
    """A running position, some watched edges, a horizon."""
    states, _ = draw(shortest_path_histories(max_nodes, max_plies))
    state = [s for s in states if rules.to_act(s) is not None][-1]
    n = len(state.raises)
    edges = draw(st.lists(st.integers(0, n - 1), unique=True, max_size=3))
    return state, tuple(edges), draw(st.integers(0, 3))


@given(small_positions())
def test_value_is_that_of_the_plain_game_of_short_memory(position) -> None:
    state, edges, horizon = position
    assert lower_value(state, edges, horizon) == near(PlainMemory(state, edges, horizon).value(state))


@given(small_positions())
def test_short_memory_is_worth_at_least_the_watched_edges_alone(position) -> None:
    state, edges, horizon = position
    assert lower_value(state, edges, horizon) >= watched_value(state, edges, horizon) - 1e-9


@given(small_positions(max_nodes=5, max_plies=3))
def test_never_above_the_true_value(position) -> None:
    state, edges, horizon = position
    assert lower_value(state, edges, horizon) <= true_value(state) + 1e-9


@given(small_positions())
def test_more_edges_and_a_longer_horizon_are_never_worse(position) -> None:
    state, edges, horizon = position
    value = lower_value(state, edges, horizon)
    assert lower_value(state, edges, horizon + 1) >= value - 1e-9
    assert lower_value(state, edges[1:], horizon) <= value + 1e-9


@given(small_positions(max_nodes=8, max_plies=8), st.floats(1.0, 30.0))
def test_a_window_leaves_a_value_below_it_as_it_is(position, beta) -> None:
    state, edges, horizon = position
    whole = lower_value(state, edges, horizon)
    memory = Memory(state, edges, horizon, beta)
    assert memory.solve(LowerBudget())
    assert min(whole, beta) - 1e-9 <= memory.value <= whole + 1e-9
    if memory.exact:
        assert memory.value == near(whole)


@given(small_positions(max_nodes=8, max_plies=8))
def test_the_best_option_is_worth_the_position(position) -> None:
    state, edges, horizon = position
    memory = Memory(state, edges, horizon, math.inf)
    memory.solve(LowerBudget())
    zero = np.zeros(len(edges), dtype=np.int64)
    value = float(memory.replies(zero)[state.quarry])
    assert max(option.value for option in options(memory, zero, int(state.quarry))) == near(value)


@given(shortest_path_configs(max_nodes=8))
def test_found_certificates_can_be_checked(config) -> None:
    found = find_memory(rules.start(config), LowerBudget(tallies=400)).certificate
    assert lower_value(rules.start(config), found.edges, found.horizon) == found.value
    assert found.value >= cheapest_ways(config, (0,) * len(config.board.edges)).distance[config.source]


def test_a_single_edge_costs_what_it_costs() -> None:
    config = ShortestPathConfig(build_board("pair", [("x", "y", None)]), Node(0), Node(1))
    assert find_lower(rules.start(config), 1.0).value == 1.0


def test_a_path_is_solved() -> None:
    """x - a - y: one raise doubles the last edge. The traveller pays 1 + 2."""
    board = build_board("path", [("x", "a", None), ("a", "y", None)])
    config = ShortestPathConfig(board, board.node("x"), board.node("y"), Rule.DOUBLE)
    assert find_lower(rules.start(config), 1.0).value == 3.0


@pytest.mark.parametrize("rule", ["sqrt", "double"])
def test_the_search_ends_when_the_upper_bound_is_reached(rule) -> None:
    config = make_config(rule, board="contest:14:22:separation=4:cut=2:seed=1")
    best = find_memory(rules.start(config), LowerBudget(tallies=5000))
    again = find_memory(rules.start(config), budget := LowerBudget(tallies=5000), best.value)
    assert again.value == near(best.value)
    assert budget.tallies > 0


def test_no_time_still_gives_a_bound() -> None:
    config = make_config(board="contest:40:90:separation=6:cut=3:seed=1")
    found = find_lower(rules.start(config), 0.0)
    assert found.value >= 6.0
    assert lower_value(rules.start(config), found.edges, found.horizon) == found.value


def test_edges_that_do_not_exist_are_refused() -> None:
    state = rules.start(make_config(board="contest:14:22:separation=4:cut=2:seed=1"))
    for edges, horizon, words in (((99,), 2, "0 to 21"), ((1, 1), 2, "different"), ((1,), -1, "the minimum is 0")):
        with pytest.raises(ManhuntError, match=words):
            lower_value(state, edges, horizon)


def test_tallies_are_ranked_without_gaps() -> None:
    for k, level in product(range(1, 5), range(5)):
        choose = np.array([[math.comb(a, b) for b in range(k + 1)] for a in range(level + k + 1)])
        tally = np.zeros(k, dtype=np.int64)
        tally[0] = level
        ranks = [lower_kernels.rank(choose, tally)]
        while lower_kernels.next_tally(tally):
            assert tally.sum() == level
            ranks.append(lower_kernels.rank(choose, tally))
        assert sorted(ranks) == list(range(math.comb(level + k - 1, k - 1)))


def test_solved_small_contest_graphs() -> None:
    """Here the bound is the value, found by plain minimax."""
    for seed in range(2 if PLAIN else 6):
        config = make_config("sqrt" if seed % 2 else "double", board=f"contest:6:8:separation=3:cut=2:seed={seed}")
        state = rules.start(config)
        assert pack_game(config).hops[config.source] == 3
        assert find_memory(state, LowerBudget(tallies=2000)).value == near(true_value(state))
