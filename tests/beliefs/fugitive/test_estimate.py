"""Estimates from some rows: exact where there is room for all, and near where there is not."""

import os
from random import Random

import numpy as np
import pytest

from manhunt.agents.fugitive.habit import Habit
from manhunt.beliefs.fugitive.estimate import Estimate, Room
from manhunt.beliefs.fugitive.models import CHANCE_ONLY
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.errors import ManhuntError
from manhunt.games.fugitive import rules, views
from manhunt.games.fugitive.config import make_config
from manhunt.games.fugitive.public import Phase
from manhunt.games.registry import make_game
from manhunt.ids import Seat

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


@pytest.mark.parametrize("model", [CHANCE_ONLY, Habit()])
def test_with_room_for_all_rows_it_is_the_belief(model) -> None:
    n = 0
    for table in tables(2 if SLOW else 8):
        exact = Worlds(*table, model).trails
        found = Estimate(*table, model, (), Room(10**9, 1))
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
        found = Estimate(*table, CHANCE_ONLY, asked, Room(1, len(exact.rows) // 3))
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
        found = Estimate(*table, CHANCE_ONLY, [likeliest], Room(100, len(exact.rows) // 3))
        ratios.append(found.chance(likeliest) / exact.weights.max())
        errors.append(float(np.abs(found.trails.hideouts - exact.hideouts).mean()))
    assert len(ratios) > 5
    assert np.mean(ratios) == pytest.approx(1, abs=0.1)
    assert np.mean(errors) < 0.02


def test_a_hand_that_does_not_fit_is_refused() -> None:
    public, hand = next(iter(tables(1)))
    with pytest.raises(ManhuntError, match="cannot be in the Marshal's hand|drawn"):
        Estimate(public, [*hand, CONFIG.last], CHANCE_ONLY, (), Room(10, 10))
