"""Certified upper bounds: never below the value, exact on their arcs, and found in the time given."""

import itertools
import math
import time
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.config import Rule, make_config
from manhunt.games.shortest_path.rules.costs import factors
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.certificate import UpperCertificate
from manhunt.games.shortest_path.solvers.exact import solve
from manhunt.games.shortest_path.solvers.upper import find_plan, find_upper, holds, upper_value, warm_up
from manhunt.games.shortest_path.solvers.upper_arena import all_arcs, build_named_arena, trim_arcs, useful_arcs
from manhunt.games.shortest_path.solvers.upper_frames_kernels import clear_bit, has_bit, set_bit
from manhunt.games.shortest_path.solvers.upper_plan import best_path, committed_value
from manhunt.games.shortest_path.solvers.upper_proof import NO, OPEN, YES, Prover
from manhunt.games.shortest_path.solvers.upper_proof_kernels import search, start_search
from manhunt.games.shortest_path.solvers.upper_results_kernels import best_proof
from manhunt.solvers.memory import TooLarge
from shortest_path_plain import CLOSE, COMPILED, few, plain_value, random_config

pytestmark = pytest.mark.kernel


def starts(seed: object, n: int, sizes: tuple[int, int] = (5, 6)):
    rng = Random(str(seed))
    for _ in range(few(n)):
        size = rng.randint(*sizes)
        yield rules.start(random_config(rng, size, rng.randint(size, 2 * size - 2))), rng


def some_play(state: ShortestPathState, rng: Random, n_plies: int) -> ShortestPathState:
    for _ in range(n_plies):
        following = rules.apply_action(state, rng.choice(rules.legal_actions(state)))
        state = state if following.quarry == state.config.target else following
    return state


def test_the_value_on_some_arcs_is_that_of_a_plain_recursion() -> None:
    for state, rng in starts("arcs", 120):
        arcs = {arc for arc in all_arcs(state) if rng.random() < 0.75}
        assert upper_value(state, sorted(arcs)) == pytest.approx(plain_value(state, arcs), abs=CLOSE)


def test_the_same_in_the_middle_of_a_game() -> None:
    for state, rng in starts("middle", 60, (4, 5)):
        here = some_play(state, rng, rng.randint(1, 5))
        arcs = {arc for arc in all_arcs(state) if rng.random() < 0.8}
        assert upper_value(here, sorted(arcs)) == pytest.approx(plain_value(here, arcs), abs=CLOSE)


def test_on_all_arcs_it_is_the_exact_value_and_on_fewer_no_less() -> None:
    for state, rng in starts("all", 100, (6, 12)):
        value = solve(state).value
        assert upper_value(state, all_arcs(state)) == pytest.approx(value, abs=CLOSE)
        arcs = [arc for arc in all_arcs(state) if rng.random() < 0.8]
        assert upper_value(state, arcs) >= value - CLOSE


def test_certificates_found_are_valid_and_with_time_exact() -> None:
    for state, _ in starts("found", 100, (6, 12)):
        value = solve(state).value
        for most_steps in (0, 30, 100_000):
            plan = find_plan(state, math.inf, most_steps=most_steps)
            assert plan.value >= value - CLOSE
            assert upper_value(state, plan.arcs) <= plan.value + CLOSE
            assert holds(state, UpperCertificate(plan.value, plan.arcs))
            assert not holds(state, UpperCertificate(value * 0.99, plan.arcs))
        assert plan.value == pytest.approx(value, abs=CLOSE)


@pytest.mark.skipif(not COMPILED, reason="takes seconds where nothing is compiled")
@pytest.mark.parametrize("rule", list(Rule))
def test_contest_graphs(rule) -> None:
    """Both bounds meet in a blink; the certificate is far below the committed path and can be checked."""
    warm_up()
    for seed in range(3):
        state = rules.start(make_config(rule.value, board=f"contest:100:250:separation=6:cut=3:seed={seed}"))
        found = find_upper(state, 5.0)
        assert found.value < best_path(state, 24)[0]
        assert upper_value(state, found.arcs) == pytest.approx(found.value, abs=CLOSE)
        prover = Prover(build_named_arena(state, useful_arcs(all_arcs(state), state.quarry, state.config.target)))
        assert prover.ask(found.value * (1 - 1e-6), math.inf, 10**6) == NO
        assert prover.ask(found.value, math.inf, 10**6) == YES


def test_looking_ends_at_the_lower_bound_and_with_the_time() -> None:
    warm_up()
    state = rules.start(make_config(board="contest:100:250:separation=6:cut=3:seed=1"))
    path = best_path(state, 0)[0]
    assert find_upper(state, 100.0, lower=path).value == path
    began = time.perf_counter()
    assert find_upper(state, 1e-9).value <= path
    assert time.perf_counter() - began < 100.0


def test_a_certificate_is_the_same_every_time() -> None:
    state = rules.start(make_config(board="contest:40:80:seed=2"))
    first = find_plan(state, math.inf, most_steps=2_000)
    again = find_plan(state, math.inf, most_steps=2_000)
    assert (first.value, first.arcs) == (again.value, again.arcs)


def test_nothing_is_concluded_from_a_search_that_was_broken_off() -> None:
    state = rules.start(make_config(board="contest:40:80:seed=2"))
    prover = Prover(build_named_arena(state, useful_arcs(all_arcs(state), state.quarry, state.config.target)))
    assert prover.ask(prover.floor * 1.3, math.inf, 3) == OPEN
    with pytest.raises(TooLarge, match="not found in 60 s"):
        upper_value(state, all_arcs(state), most_steps=3)


def test_arcs_that_lead_nowhere_or_do_not_exist() -> None:
    state = rules.start(make_config(board="contest:40:80:seed=2"))
    assert upper_value(state, []) == math.inf
    with pytest.raises(ManhuntError, match=r"\(0, 0\) is not an arc of board contest:40"):
        upper_value(state, [(Node(0), Node(0))])


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 2)), min_size=1, max_size=6), st.booleans())
def test_a_committed_path_costs_the_worst_spread_of_raises(edges, is_late) -> None:
    """The edges' hops and raises are drawn; all spreads with at most i - 1 raises on the first i edges are tried."""
    rng = Random(str(edges))
    state = rules.start(random_config(rng, len(edges) + 1, 0))
    path = next(path for _, path in [best_path(state, 0)])
    chain = list(zip(path, path[1:], strict=False))
    index = {frozenset((e.a, e.b)): i for i, e in enumerate(state.config.board.edges)}
    numbers = [index[frozenset(arc)] for arc in chain]
    raises = list(state.raises)
    for number, (_, n) in zip(numbers, edges, strict=False):
        raises[number] = n
    state = ShortestPathState(state.config, state.quarry, tuple(raises), 0.0, int(is_late))
    every = factors(state.config)
    worst = 0.0
    for spread in itertools.product(range(len(chain) + 1), repeat=len(chain)):
        used = itertools.accumulate(spread)
        if all(n <= i + is_late for i, n in enumerate(used)):
            costs = (every[e] ** (state.raises[e] + x) for e, x in zip(numbers, spread, strict=True))
            worst = max(worst, sum(costs))
    assert committed_value(state, path) == pytest.approx(worst)
    assert upper_value(state, chain) == pytest.approx(worst)


def test_floors_are_never_above_the_value() -> None:
    for state, _ in starts("floor", 60):
        arena = build_named_arena(state, useful_arcs(all_arcs(state), state.quarry, state.config.target))
        assert Prover(arena).floor <= plain_value(state) + CLOSE


def test_trimmed_arcs_are_few_and_lead_to_the_target() -> None:
    state = rules.start(make_config(board="contest:200:600:separation=7:cut=3:seed=1"))
    config, hops = state.config, rules_hops(state)
    arcs = useful_arcs(all_arcs(state), state.quarry, config.target)
    for most in (50, 100, 300):
        kept = trim_arcs(arcs, state.quarry, config.target, hops, most)
        assert 0 < len({frozenset(arc) for arc in kept}) <= most
        assert set(kept) <= set(arcs)
        assert kept == useful_arcs(kept, state.quarry, config.target)


def rules_hops(state: ShortestPathState) -> list[float]:
    from manhunt.games.shortest_path.rules.costs import hops_to

    return [math.inf if h is None else h for h in hops_to(state.config.board, state.config.target)]


@given(st.sets(st.integers(0, 190), max_size=12), st.integers(0, 190))
def test_bits(members, other) -> None:
    words = np.zeros(3, dtype=np.uint64)
    for bit in members:
        set_bit(words, bit)
    assert [bit for bit in range(191) if has_bit(words, bit)] == sorted(members)
    clear_bit(words, other)
    assert [bit for bit in range(191) if has_bit(words, bit)] == sorted(members - {other})


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_warming_up_leaves_nothing_to_compile() -> None:
    warm_up()
    compiled: list[Any] = [search, best_proof, start_search]
    before = [len(each.signatures) for each in compiled]
    state = rules.start(make_config(board="contest:40:80:seed=3"))
    plan = find_plan(state, math.inf, most_steps=2_000)
    plan.step([state.quarry], state)
    assert before == [1, 1, 1]
    assert len(compiled[0].signatures) == 1
