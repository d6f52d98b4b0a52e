"""Estimates from some rows: exact where there is room for all, and near where there is not."""

import os
from random import Random

import numpy as np
import pytest

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, SensiblePlay
from manhunt.games.fugitive.beliefs.row_estimate import RowBudget, RowEstimate
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules import rules, views
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.public import Phase

pytestmark = pytest.mark.kernel
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
GAME = make_game("fugitive")
CONFIG = make_config("mini" if SLOW else "exactly-two")


def tables(n_games):
    """What the Marshal sees before her guesses in games of random players."""
    for seed in range(n_games):
        rng = Random(seed)
        state = GAME.new(CONFIG, rng)
        while state.end is None and state.round < 12:
            if state.phase is Phase.MARSHAL_GUESS and not state.pending and not all(h.face_up for h in state.row):
                view = views.view(state, Seat.PURSUERS)
                yield view.public, view.hand
            state = rules.apply_action(state, rng.choice(rules.legal_actions(state)))


@pytest.mark.parametrize("model", [CHANCE_ONLY, SensiblePlay()])
def test_with_room_for_all_rows_it_is_the_belief(model) -> None:
    n = 0
    for table in tables(2 if SLOW else 3):
        exact = Worlds(*table, model).trails  # type: ignore[call-arg]
        found = RowEstimate(*table, model, (), RowBudget(10**9, 1))  # type: ignore[call-arg]
        assert np.array_equal(found.trails.rows, exact.rows)
        assert np.array_equal(found.trails.weights, exact.weights)
        assert [found.chance(mask) for mask in exact.masks.tolist()] == exact.weights.tolist()
        n += 1
    assert n > 10


def test_rows_asked_for_are_weighed_exactly_against_each_other() -> None:
    n = 0
    for table in tables(20 if SLOW else 8):
        exact = Worlds(*table).trails
        if len(exact.rows) < 6:
            continue
        asked = exact.masks[:: len(exact.rows) // 3].tolist()
        found = RowEstimate(*table, CHANCE_ONLY, asked, RowBudget(1, len(exact.rows) // 3))  # type: ignore[call-arg]
        assert len(found.trails.rows) <= len(exact.rows) // 3
        assert set(found.trails.masks.tolist()) < set(exact.masks.tolist())
        told = [found.chance(mask) for mask in asked]
        true = [exact.weights[exact.masks == mask][0] for mask in asked]
        assert max(told) > 0
        if max(told) < 1:
            assert np.array(told) / sum(told) == pytest.approx(np.array(true) / sum(true))
        n += 1
    assert n > 3


@pytest.mark.skipif(SLOW, reason="large tables need compiled kernels")
def test_a_third_of_many_rows_tells_nearly_as_much() -> None:
    ratios, errors = [], []
    for table in tables(30):
        exact = Worlds(*table).trails
        if len(exact.rows) < 400:
            continue
        likeliest = int(exact.masks[exact.weights.argmax()])
        found = RowEstimate(*table, CHANCE_ONLY, [likeliest], RowBudget(100, len(exact.rows) // 3))  # type: ignore[call-arg]
        ratios.append(found.chance(likeliest) / exact.weights.max())
        errors.append(float(np.abs(found.trails.hideouts - exact.hideouts).mean()))
    assert len(ratios) > 5
    assert np.mean(ratios) == pytest.approx(1, abs=0.1)
    assert np.mean(errors) < 0.02


def test_a_hand_that_does_not_fit_is_refused() -> None:
    public, hand = next(iter(tables(1)))
    with pytest.raises(ManhuntError, match="cannot be in the Marshal's hand|drawn"):
        RowEstimate(public, [*hand, CONFIG.last], CHANCE_ONLY, (), RowBudget(10, 10))
