"""Sampled states look like the true one to the seat that they are drawn for."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from scipy.stats import chisquare

from fugitive_coverage import coverage_states
from fugitive_positions import random_states, small_positions
from manhunt.core.ids import Seat
from manhunt.games.fugitive.beliefs.seats import sample_states
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.views import view

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("seat", [Seat.PURSUERS, Seat.EVADER, Seat.SPECTATOR])
def test_samples_look_like_the_truth(seat: Seat) -> None:
    for state in small_positions(40, 21):
        seen = view(state, seat)
        for sampled in sample_states(seen, Random(1), 3):
            assert view(sampled, seat) == seen
            places = [*sampled.fugitive, *sampled.marshal, *(c for pile in sampled.piles for c in pile)]
            places += [card for h in sampled.row for card in (h.card, *h.sprints)]
            assert sorted(places) == list(range(1, state.config.last + 1))


def test_sampled_states_can_be_played_on() -> None:
    for state in list(coverage_states(2))[:6]:
        for sampled in sample_states(view(state, Seat.PURSUERS), Random(3), 2):
            action = rules.legal_actions(sampled)[0]
            assert rules.apply_action(sampled, action).config == state.config


def test_the_fugitive_thinks_all_her_hands_alike() -> None:
    state = next(s for s in random_states(make_config(), Random(4)) if len(s.marshal) == 2)
    seen = view(state, Seat.EVADER)
    found = Counter(sampled.marshal for sampled in sample_states(seen, Random(5), 6000))
    pools = [[c for c in (*state.piles[p], *state.marshal) if state.config.pile_of[c] == p] for p in range(3)]
    n_drawn = [sum(state.config.pile_of[c] == p for c in state.marshal) for p in range(3)]
    hands = [()]
    for pool, n in zip(pools, n_drawn, strict=True):
        hands = [(*hand, *more) for hand in hands for more in combinations(sorted(pool), n)]  # type: ignore[misc]
    assert set(found) <= {tuple(sorted(hand)) for hand in hands}
    assert chisquare([found[tuple(sorted(hand))] for hand in hands]).pvalue > 1e-4
