"""Bounds of Adversarial Shortest Path together: found, written, checked again; and what a game surely gave away."""

import json
import math
import time
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.boards.build import build_board
from manhunt.core import thinking_time
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge
from manhunt.games.shortest_path.rules.config import ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.costs import cost_of, edge_index, factors
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.bounds import (
    Bounds,
    bounds_from_json,
    carry_bounds,
    check_bounds,
    compile_searches,
    find_bounds,
    rounded_down,
    rounded_up,
    tighter,
)
from manhunt.games.shortest_path.solvers.certificate import LowerCertificate, UpperCertificate
from manhunt.games.shortest_path.solvers.review import review
from manhunt.games.shortest_path.solvers.verdict import promise, verdict

SECONDS = 0.1
LITTLE = [(1, 2), (1, 3), (2, 4), (3, 4), (3, 5), (4, 6), (5, 6)]


def config_of(edges, target: int, rule: str = "sqrt") -> ShortestPathConfig:
    board = build_board("small", [(a, b, None) for a, b in edges])
    return make_config(None, board, source="1", target=str(target), rule=rule)


def small_config(seed: int) -> ShortestPathConfig:
    """A connected graph of five or six nodes and at most eight edges."""
    rng = Random(seed)
    n = rng.choice((5, 6))
    edges = {(rng.randrange(1, b), b) for b in range(2, n + 1)}
    pairs = [(a, b) for a in range(1, n + 1) for b in range(a + 1, n + 1) if (a, b) not in edges]
    edges |= set(rng.sample(pairs, rng.randrange(1, 9 - len(edges))))
    return config_of(sorted(edges), n, rng.choice(("sqrt", "double")))


def true_value(state: ShortestPathState) -> float:
    """Plain minimax: the traveller walks a simple path, the adversary raises anything."""
    config = state.config
    board, index, every = config.board, edge_index(config.board), factors(config)

    @cache
    def step(node: Node, been: frozenset[Node], raises: tuple[int, ...]) -> float:
        ways = [to for to in board.neighbours(node) if to not in been]
        worth = (cost_of(config, raises, index[node, to]) + answer(to, been | {to}, raises) for to in ways)
        return min(worth, default=math.inf)

    def answer(node: Node, been: frozenset[Node], raises: tuple[int, ...]) -> float:
        if node == config.target:
            return 0.0
        return max(
            step(node, been, (*raises[:edge], raises[edge] + 1, *raises[edge + 1 :])) for edge in range(len(every))
        )

    here = frozenset({state.quarry})
    if state.ply % 2:
        return answer(state.quarry, here, state.raises)
    return step(state.quarry, here, state.raises)


def random_game(config: ShortestPathConfig, seed: int, longest: int = 8) -> tuple[list[ShortestPathState], list]:
    rng, states, actions = Random(seed), [rules.start(config)], []
    while rules.outcome(states[-1]) is None and len(actions) < longest:
        actions.append(rng.choice(rules.legal_actions(states[-1])))
        states.append(rules.apply_action(states[-1], actions[-1]))
    return states, actions


@pytest.mark.parametrize("seed", range(20))
def test_the_value_lies_between_the_bounds_and_both_can_be_checked(seed) -> None:
    state = rules.start(small_config(seed))
    bounds, value = find_bounds(state, SECONDS), true_value(state)
    assert bounds.lower.value <= value + 1e-9
    assert value <= bounds.upper.value + 1e-9
    assert bounds.solved == (bounds.gap == 0)
    check_bounds(state, bounds)
    words = json.loads(json.dumps(bounds.to_json(state.config.board)))
    assert bounds_from_json(words, state.config.board) == bounds


@pytest.mark.parametrize("rule", ["sqrt", "double"])
def test_the_search_ends_when_both_sides_meet_however_much_time_there_is(rule: str, monkeypatch) -> None:
    """A clock of work, not of the wall: what it shows does not depend on how busy the machine is."""
    state = rules.start(make_config(rule, "contest:60:150:separation=5:cut=3:seed=4"))
    compile_searches()
    monkeypatch.setattr(thinking_time, "_read", time.process_time)
    began = time.process_time()
    assert find_bounds(state, 300.0).solved
    assert time.process_time() - began < 20.0


def little() -> tuple[ShortestPathState, Bounds]:
    state = rules.start(config_of(LITTLE, 6))
    return state, find_bounds(state, SECONDS)


def test_a_claim_that_does_not_follow_is_named() -> None:
    state, bounds = little()
    for change in (0.25, -0.25):
        word = "high" if change > 0 else "low"
        lower = replace(bounds.lower, value=bounds.lower.value + change)
        with pytest.raises(ManhuntError, match=rf"the lower bound \S+ is 0\.25 too {word}: the adversary's edges give"):
            check_bounds(state, Bounds(lower, bounds.upper))
        upper = replace(bounds.upper, value=bounds.upper.value + change)
        with pytest.raises(ManhuntError, match=rf"the upper bound \S+ is 0\.25 too {word}: the traveller's arcs give"):
            check_bounds(state, Bounds(bounds.lower, upper))
    with pytest.raises(ManhuntError, match="the upper bound"):
        check_bounds(state, Bounds(bounds.lower, replace(bounds.upper, arcs=bounds.upper.arcs[:1])))


def test_a_certificate_too_large_to_check_is_refused_at_once() -> None:
    state, bounds = little()
    huge = replace(bounds.lower, edges=tuple(range(7)), horizon=1000)
    with pytest.raises(ManhuntError, match="cannot be checked: 7 edges and a horizon of 1000"):
        check_bounds(state, Bounds(huge, bounds.upper))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("lower",), None, "the wrong type"),
        (("lower", "value"), "much", "must be a number of 0 or more, not 'much'"),
        (("lower", "value"), -1, "must be a number of 0 or more, not -1"),
        (("lower", "value"), math.inf, "must be a number of 0 or more, not inf"),
        (("lower", "edges"), [["1", "6"]], "there is no edge 1-6 on board small"),
        (("lower", "edges"), [["1", "9"]], "no node '9'"),
        (("lower", "edges"), [["1"]], "an edge is written as two labels"),
        (("lower", "edges"), [[1, 2]], "an edge is written as two labels"),
        (("lower", "horizon"), 1.5, "the horizon must be a whole number"),
        (("lower", "horizon"), True, "the horizon must be a whole number"),
        (("upper", "arcs"), [["1", "5"]], "there is no edge 1-5"),
        (("upper", "arcs"), 7, "the wrong type"),
    ],
)
def test_spoiled_json_is_one_line(path, value, message) -> None:
    state, bounds = little()
    words = bounds.to_json(state.config.board)
    place = words if len(path) == 1 else words[path[0]]
    place[path[-1]] = value
    with pytest.raises(ManhuntError, match=message) as caught:
        bounds_from_json(words, state.config.board, "here")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["lower", "upper"])
def test_a_missing_part_is_named(key) -> None:
    state, bounds = little()
    words = bounds.to_json(state.config.board)
    del words[key]
    with pytest.raises(BadText, match=f"here: '{key}' is missing"):
        bounds_from_json(words, state.config.board, "here")


@given(st.floats(1e-6, 1e12))
def test_printed_bounds_claim_no_more_than_is_certain(value) -> None:
    slack = 1e-11 * value  # noise far behind the point
    assert float(rounded_down(value)) <= value + slack
    assert float(rounded_up(value)) >= value - slack
    assert float(rounded_up(value)) - float(rounded_down(value)) <= 2e-4 * value


def bounds_between(lower: float, upper: float) -> Bounds:
    return Bounds(LowerCertificate(lower, (), 0), UpperCertificate(upper, ()))


def test_words() -> None:
    wide, exact = bounds_between(20.12345, 22.00001), bounds_between(3.5, 3.5 + 1e-12)
    assert promise(wide) == "best play costs 20.123 to 22.001 (certified)"
    assert promise(exact) == "best play costs 3.5 exactly (certified)"
    assert promise(bounds_between(9.73205, 9.73205)) == "best play costs 9.73 (certified)"
    assert verdict(wide, 23.5).endswith("22.001: the traveller lost at least 1.4999")
    assert verdict(wide, 18.0).endswith("22.001: the adversary lost at least 2.1234")
    assert verdict(wide, 21.0) == "paid 21; best play costs 20.123 to 22.001: nothing is surely lost"
    assert verdict(exact, 3.5) == "paid 3.5; best play costs 3.5 exactly: what best play gives"
    assert verdict(exact, None) == "not arrived; best play costs 3.5 exactly"
    assert wide.gap == pytest.approx((22.00001 - 20.12345) / 20.12345)
    assert exact.gap == 0.0
    assert tighter(wide, bounds_between(21.0, 30.0)) == Bounds(LowerCertificate(21.0, (), 0), wide.upper)


@pytest.mark.parametrize("seed", range(8))
def test_old_certificates_hold_in_later_positions(seed) -> None:
    states, _ = random_game(small_config(seed), seed)
    bounds = find_bounds(states[0], SECONDS)
    for state in states[2::2]:
        if rules.outcome(state) is not None:
            break
        carried = carry_bounds(state, bounds, 10.0)
        if carried is not None:
            assert carried.lower.value <= true_value(state) + 1e-9
            assert true_value(state) <= carried.upper.value + 1e-9
            check_bounds(state, carried)


@pytest.mark.parametrize("seed", range(10))
def test_what_is_said_to_be_lost_was_lost(seed) -> None:
    states, actions = random_game(small_config(seed), seed)
    rounds = list(review(states, actions, find_bounds(states[0], SECONDS), SECONDS))
    assert [r.step for r in rounds] == actions[::2]
    assert [r.reply for r in rounds if r.reply is not None] == actions[1::2]
    for i, r in enumerate(rounds):
        before, after = true_value(r.before), 0.0 if rules.outcome(r.after) else true_value(r.after)
        assert r.traveller_lost <= r.cost + after - before + 1e-9
        if r.reply is not None:
            assert r.adversary_lost <= after - true_value(states[2 * i + 2]) + 1e-9
        else:
            assert r.adversary_lost == 0.0


def test_a_mistake_of_each_side_is_found() -> None:
    """There and back again costs two; a raise that is far from all ways is wasted."""
    config = config_of([(1, 2), (1, 3), (3, 4)], 4, "double")
    node = config.board.node
    actions = [OnEdge(node("1"), node("2")), OnEdge(node("1"), node("2")), OnEdge(node("2"), node("1")), EmptyMove()]
    states = [rules.start(config)]
    for action in actions:
        states.append(rules.apply_action(states[-1], action))
    first, second = review(states, actions, find_bounds(states[0], SECONDS), SECONDS)
    # At the start 1 + 2. After the step to 2: 1 + 1 + 8, but the wrong raise leaves 2 + 1 + 4; a pass then 1 + 2.
    assert [true_value(state) for state in states] == [3.0, 10.0, 7.0, 5.0, 3.0]
    assert (first.traveller_lost, first.adversary_lost) == (8.0, 3.0)
    assert (second.traveller_lost, second.adversary_lost) == (0.0, 2.0)


def test_a_game_near_its_last_move_is_not_judged() -> None:
    config = config_of(LITTLE, 6)
    states, actions = [rules.start(config)], []
    while rules.outcome(states[-1]) is None:
        actions.append(EmptyMove())
        states.append(rules.apply_action(states[-1], EmptyMove()))
    assert len(list(review(states, actions, find_bounds(states[0], SECONDS), SECONDS))) == config.board.n_nodes
