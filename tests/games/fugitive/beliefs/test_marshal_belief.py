"""The Marshal's belief behind the contract: fed with events alone it holds the truth and looks like it, ply by ply."""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from few_examples import at_most
from fugitive_games import fugitive_histories
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of, make_game
from manhunt.games.fugitive.beliefs.marshal import MarshalBelief
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules import views

pytestmark = pytest.mark.kernel
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
GAME = make_game("fugitive")
SEATS = st.sampled_from((Seat.PURSUERS, Seat.SPECTATOR))


def followed(history, seat, start=0):
    """The belief after every ply from a position on, with the true state."""
    states, actions = history
    belief = MarshalBelief()
    belief.start(views.view(states[start], seat))
    yield belief, states[start]
    for before, action, after in list(zip(states, actions, states[1:], strict=False))[start:]:
        belief.observe(event.seen_by(seat) for event in views.events(before, action, after))
        yield belief, after


@at_most(10 if SLOW else 60)
@given(fugitive_histories(max_last=12), SEATS, st.data())
def test_the_truth_is_among_the_candidates_after_every_ply(history, seat, data) -> None:
    start = data.draw(st.integers(0, len(history[1])))
    for belief, state in followed(history, seat, start):
        hidden = set() if state.end else {h.card for h in state.row if not h.face_up}
        assert hidden <= belief.candidates
        assert set(belief.probabilities) == belief.candidates
        assert all(0 < chance <= 1 + 1e-9 for chance in belief.probabilities.values())
        assert sum(belief.probabilities.values()) == pytest.approx(len(hidden))


@at_most(10 if SLOW else 60)
@given(fugitive_histories(max_last=12), SEATS, st.integers(0, 1000))
def test_it_knows_what_the_seat_sees_and_samples_look_the_same(history, seat, seed) -> None:
    for belief, state in followed(history, seat):
        seen = views.view(state, seat)
        assert belief.view == seen
        assert views.view(belief.sample(Random(seed)), seat) == seen
        assert belief.sample(Random(seed)) == belief.sample(Random(seed))


@at_most(5 if SLOW else 30)
@given(fugitive_histories(max_last=12))
def test_the_marshals_chances_are_those_of_her_worlds(history) -> None:
    for belief, state in followed(history, Seat.PURSUERS):
        if state.end is None and any(not h.face_up for h in state.row):
            exact = Worlds(views.public_of(state), state.marshal).hideouts
            assert belief.probabilities == {n: p for n, p in enumerate(exact.tolist()) if p > 0}


def test_the_kit_brings_it_and_it_refuses_what_it_cannot_follow() -> None:
    made = kit_of("fugitive").belief
    assert made is MarshalBelief
    state = GAME.new(GAME.make_config("mini"), Random(0))
    with pytest.raises(BadConfig, match="for the Marshal or for a spectator"):
        made().start(views.view(state, Seat.EVADER))
    other = make_game("scotland_yard")
    truth = other.new(other.make_config(), Random(0))
    with pytest.raises(BadConfig, match="not for scotland_yard"):
        made().start(other.view(truth, Seat.PURSUERS))
