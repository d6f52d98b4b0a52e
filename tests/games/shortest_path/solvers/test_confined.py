"""Lower bounds from refutations: exact against a plain recursion, never above the value, equal to it with time."""

import math
from functools import cache
from random import Random

import pytest

from manhunt.core.errors import ManhuntError
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import make_config
from manhunt.games.shortest_path.rules.costs import edge_index, factors
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import LowerCertificate
from manhunt.games.shortest_path.solvers.confined import confined_holds, confined_value, find_confined
from manhunt.games.shortest_path.solvers.exact import solve
from manhunt.games.shortest_path.solvers.upper import find_plan
from shortest_path_plain import CLOSE, few, random_config

pytestmark = pytest.mark.kernel


def plain_confined(state: ShortestPathState, edges: list[int]) -> float:
    """All simple paths against all raises of these edges, or none."""
    config, index, every = state.config, edge_index(state.config.board), factors(state.config)

    @cache
    def search(node: int, visited: frozenset[int], raises: tuple[int, ...]) -> float:
        best = math.inf
        for to in config.board.neighbours(node):
            if to in visited:
                continue
            edge = index[node, to]
            more = [raises, *((*raises[:e], raises[e] + 1, *raises[e + 1 :]) for e in edges)]
            rest = 0.0 if to == config.target else max(search(to, visited | {to}, each) for each in more)
            best = min(best, every[edge] ** raises[edge] + rest)
        return best

    return search(state.quarry, frozenset({state.quarry}), state.raises)


def states(seed: str, n: int, smallest: int, largest: int):
    rng = Random(seed)
    for _ in range(few(n)):
        size = rng.randint(smallest, largest)
        yield rules.start(random_config(rng, size, rng.randint(size, 2 * size - 2))), rng


def test_the_value_against_some_edges_is_that_of_a_plain_recursion() -> None:
    for state, rng in states("edges", 80, 4, 6):
        n = len(state.config.board.edges)
        edges = rng.sample(range(n), rng.randint(0, min(n, 4)))
        assert confined_value(state, edges) == pytest.approx(plain_confined(state, edges), abs=CLOSE)


def test_certificates_found_are_the_value_and_can_be_checked() -> None:
    for state, _ in states("found", 60, 5, 12):
        value = solve(state).value
        found = find_confined(state, 10.0, value)
        assert found.value == pytest.approx(value, abs=CLOSE)
        assert confined_value(state, found.edges) == pytest.approx(value, abs=CLOSE)
        assert confined_holds(state, found)
        assert not confined_holds(state, LowerCertificate(value * 1.01, found.edges, found.horizon))


def test_without_time_the_bound_is_still_valid() -> None:
    for state, _ in states("no time", 30, 5, 10):
        found = find_confined(state, 0.0)
        assert 0 < found.value <= solve(state).value + CLOSE
        assert confined_holds(state, found)


def test_both_sides_meet_on_a_contest_graph() -> None:
    state = rules.start(make_config("sqrt", board="contest:60:140:separation=5:cut=3:seed=4"))
    plan = find_plan(state, 20.0)
    found = find_confined(state, 20.0, plan.value)
    assert found.value == pytest.approx(plan.value, abs=CLOSE)
    assert confined_holds(state, found)


def test_an_edge_that_does_not_exist_is_refused() -> None:
    state = rules.start(make_config(board="contest:40:80:seed=2"))
    with pytest.raises(ManhuntError, match="80 is not an edge of board .* 0 to 79"):
        confined_value(state, [80])
