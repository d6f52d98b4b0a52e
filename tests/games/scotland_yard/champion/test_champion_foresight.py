"""What informed detectives believe: by level, the same as Mr X foresees, and never blind."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from champion_positions import mrx_turns, random_belief
from few_examples import at_most
from manhunt.core.arrays import Floats
from manhunt.core.ids import Seat
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.champion.answers import Answers
from manhunt.games.scotland_yard.champion.foresight import LEVELS, Foresight, InformedChains, PublicMove
from manhunt.games.scotland_yard.champion.informed import PublicBelief
from manhunt.games.scotland_yard.champion.mixing import INFORMED_SHARE
from manhunt.games.scotland_yard.champion.move_kernels import SHOWN, end_of, sight_of
from manhunt.games.scotland_yard.champion.mrx import MrXSearch
from manhunt.games.scotland_yard.champion.nets import new_nets
from manhunt.games.scotland_yard.champion.selfplay import seen_between
from manhunt.games.scotland_yard.rules import kernels
from manhunt.games.scotland_yard.rules.packed import pack
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions, to_act
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import events, view
from scotland_yard_games import History, random_board, random_new_game, scotland_yard_histories

pytestmark = pytest.mark.kernel
NETS = new_nets(3)


def unlimited() -> SearchBudget:
    return SearchBudget(1 << 62, math.inf)


def surprised(state: ScotlandYardState, rng: Random) -> tuple[Foresight, dict[int, Floats], Floats]:
    """A foresight with any beliefs of the levels, all within the public one."""
    belief = random_belief(state, rng)
    priors = {}
    for level in LEVELS:
        weights = belief * np.array([rng.random() for _ in belief]) + 1e-3 * belief
        priors[level] = weights / weights.sum()
    return Foresight(Answers(state.config, NETS)), priors, belief


@given(scotland_yard_histories(), st.integers(0, 2**32), st.sampled_from([2, 3]))
@at_most(30)
def test_deeper_levels_suppose_the_values_of_his_search(history: History, seed: int, level: int) -> None:
    rng = Random(seed)
    turns = mrx_turns(history)
    if not turns:
        return
    state = rng.choice(turns)
    foresight, priors, belief = surprised(state, rng)
    priors[level] = np.full_like(belief, 0.0)
    priors[level][state.quarry] = 1.0  # so that all of his moves are looked at
    row = pack(state)
    table = foresight._table(level, row, belief, priors, unlimited())
    search = MrXSearch(foresight.answers, foresight, 2, (1,) if level == 3 else ())
    found = search.run(row.copy(), belief, priors, unlimited())
    if found.depth < 2:
        return  # there is but one move
    n_compared = 0
    n_verified = len(found.actions) if level == 2 else 1  # the hedge verifies the best move, others only where needed
    for action, value in list(zip(found.actions, found.values, strict=True))[:n_verified]:
        sight = sight_of(foresight.answers.graph, row, action)
        if sight < SHOWN and not math.isnan(table[sight, end_of(action)]):
            assert table[sight, end_of(action)] == pytest.approx(value, abs=1e-9)
            n_compared += 1
    assert n_compared or sight_of(foresight.answers.graph, row, found.actions[0]) >= SHOWN


@given(scotland_yard_histories(), st.integers(0, 2**32), st.sampled_from(LEVELS))
@at_most(30)
def test_mrx_foresees_what_they_will_believe(history: History, seed: int, level: int) -> None:
    rng = Random(seed)
    turns = mrx_turns(history)
    if not turns:
        return
    state = rng.choice(turns)
    foresight, priors, belief = surprised(state, rng)
    row = pack(state)
    rows = foresight.sights(level, row, belief, priors, unlimited())
    action = rng.choice(legal_actions(state))
    after = pack(apply_action(state, action))
    seen = seen_between(row, after)
    even = np.full_like(belief, 1 / len(belief))
    believed = foresight.after(level, PublicMove(row, belief, even, seen), priors, unlimited())
    coded = next(code for code in _codes(foresight, row) if seen_between(row, _made(foresight, row, code)) == seen)
    sight = sight_of(foresight.answers.graph, row, coded)
    if sight >= SHOWN or rows[sight].sum() <= 1e-9:
        return
    expected = INFORMED_SHARE * rows[sight] / rows[sight].sum() + (1 - INFORMED_SHARE) * even
    np.testing.assert_allclose(believed, expected, atol=1e-9)


def _codes(foresight: Foresight, row: np.ndarray) -> list[int]:
    out = np.zeros(4096, np.int64)
    n = kernels.singles(foresight.answers.graph.table, row, 0, out, 0)
    if kernels.doubles_allowed(foresight.answers.graph.table, row):
        n = kernels.doubles(foresight.answers.graph.table, row, out, n)
    return [int(code) for code in out[:n]]


def _made(foresight: Foresight, row: np.ndarray, code: int) -> np.ndarray:
    after = row.copy()
    kernels.move_mrx(foresight.answers.graph.table, after, code)
    return after


@given(seed=st.integers(0, 2**32), steps=st.sampled_from([1, 4, 1 << 62]))
@at_most(15)
def test_the_truth_is_always_possible_whatever_the_budget(seed: int, steps: int) -> None:
    """And the beliefs are the same whether they are brought up to date every turn or once at the end."""
    rng = Random(seed)
    state = random_new_game(rng, random_board(rng, 8), max_rounds=5)
    beliefs = []
    for _ in range(2):
        chains = InformedChains(Foresight(Answers(state.config, NETS)), tuple(LEVELS))
        beliefs.append(PublicBelief(chains))
        beliefs[-1].start(view(state, Seat.PURSUERS))
    while legal := legal_actions(state):
        before, action = state, rng.choice(legal)
        state = apply_action(before, action)
        told = [event.seen_by(Seat.PURSUERS) for event in events(before, action, state)]
        for belief in beliefs:
            belief.observe(told)
        if to_act(state) is None:
            return
        priors = beliefs[0].chains.catch_up(SearchBudget(steps, math.inf))
        for prior in priors.values():
            assert prior.sum() == pytest.approx(1.0)
            assert prior[state.quarry] > 0
            assert (beliefs[0].array[prior > 0] > 0).all()
        if steps > 4 and rng.random() < 0.2:
            for level, prior in beliefs[1].chains.catch_up(unlimited()).items():
                np.testing.assert_array_equal(prior, priors[level])
