"""The kernels say what the plain costs say: the same distances, ways and raised costs."""

import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import kernels, packed
from manhunt.games.shortest_path.rules.config import ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import MOST_COST, cheapest_ways, edge_index, hops_to
from manhunt.games.shortest_path.rules.routes import Routes
from shortest_path_games import shortest_path_configs, shortest_path_histories

pytestmark = pytest.mark.kernel


def assert_same_ways(config: ShortestPathConfig, raises: tuple[int, ...]) -> None:
    routes, ways = Routes(config), cheapest_ways(config, raises)
    routes.follow(raises)
    assert routes.distance.tolist() == list(ways.distance)
    assert [None if node < 0 else node for node in routes.after.tolist()] == list(ways.after)
    for node in config.board.nodes():
        assert routes.way(node) == ways.from_node(node)


@given(shortest_path_configs(), st.data())
def test_distances_and_ways_agree_whatever_was_raised(config, data) -> None:
    counts = st.sampled_from((0, 0, 0, 1, 2, 7, 60, 3000))
    raises = data.draw(st.tuples(*[counts for _ in config.board.edges]))
    assert_same_ways(config, raises)


@given(shortest_path_configs())
def test_without_raises_the_distance_is_the_number_of_hops(config) -> None:
    hops = [np.inf if h is None else float(h) for h in hops_to(config.board, config.target)]
    assert Routes(config).distance.tolist() == hops


@given(shortest_path_configs(max_nodes=6), st.data())
def test_the_distance_is_the_least_of_all_simple_paths(config, data) -> None:
    raises = data.draw(st.tuples(*[st.integers(0, 3) for _ in config.board.edges]))
    routes = Routes(config)
    routes.follow(raises)
    assert routes.distance[config.source] == pytest.approx(_brute_force(config, routes, config.source, frozenset()))


def _brute_force(config: ShortestPathConfig, routes: Routes, node: Node, seen: frozenset[Node]) -> float:
    if node == config.target:
        return 0.0
    board = config.board
    return min(
        (
            float(routes.costs[edge_index(board)[node, to]]) + _brute_force(config, routes, to, seen | {node})
            for to in board.neighbours(node)
            if to not in seen
        ),
        default=float("inf"),
    )


@given(shortest_path_histories())
def test_what_a_raise_would_do_is_what_it_does(history) -> None:
    state = history[0][-1]
    routes, later = Routes(state.config), Routes(state.config)
    routes.follow(state.raises)
    for edge in range(len(state.raises)):
        raised = tuple(n + (i == edge) for i, n in enumerate(state.raises))
        later.follow(raised)
        assert routes.distance_after(edge, state.quarry) == later.distance[state.quarry]
        assert routes.raised_cost(edge) == later.costs[edge]


def test_a_large_graph_agrees() -> None:
    compiled = os.environ.get("NUMBA_DISABLE_JIT") != "1"
    config = make_config(board="contest:300:1410:separation=8:cut=4:seed=1" if compiled else "contest:60:150:seed=1")
    rng = Random(1)
    raises = tuple(rng.choice((0, 0, 1, 3)) for _ in config.board.edges)
    assert_same_ways(config, raises)


def test_costs_saturate_in_the_kernel_as_in_the_rules() -> None:
    config = make_config()
    game, costs = packed.pack_game(config), np.full(len(config.board.edges), 0.9 * MOST_COST)
    assert kernels.raised(game, costs, 0) == MOST_COST
