"""The route count without listing: the same numbers as from the list of rows."""

import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.fugitive import routes_kernels
from manhunt.agents.fugitive.route_count_kernels import MOST_SETS, NO_KEY, count_rows
from manhunt.agents.fugitive.routes import Routes, with_hideout
from manhunt.games.fugitive import views
from manhunt.games.fugitive.config import make_config
from manhunt.games.fugitive.public import Guess, Public, Spot
from manhunt.ids import Seat
from manhunt.testing.fugitive import fugitive_configs, fugitive_histories

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),  # bit counts without compilation
]
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
DECK = make_config("exactly-two")
MOST_SPOTS = 4 if SLOW else 6


def listed(routes):
    """How many rows, and by card how many have it face down, from the rows."""
    counts = np.zeros(routes.last + 1, np.int64)
    routes_kernels.count_cards(routes.rows, ~routes.face_up, counts)
    return len(routes.rows), counts.tolist()


def counted(routes, room=1 << 12):
    counts = np.zeros(routes.last + 1, np.int64)
    return count_rows(routes.trail, ~routes.face_up, room, counts), counts.tolist()


@st.composite
def tables(draw, configs):
    """A row with some positions face up, guesses that failed at it, and a hand of hers."""
    config = draw(configs)
    cards = sorted(draw(st.sets(st.integers(1, config.last - 1), max_size=min(MOST_SPOTS, config.last - 1))))
    row, before, n_draws = [], 0, [0] * len(config.piles)
    for card in cards:
        n_draws = [n + draw(st.integers(0, 2)) for n in n_draws]
        least = max(0, card - before - config.reach + 1) // 2
        n_sprints, face_up = least + draw(st.integers(0, 2)), draw(st.integers(0, 3)) == 0
        row.append(Spot(1, n_sprints, tuple(n_draws), card if face_up else None))
        before = card
    numbers = st.sets(st.integers(1, min(before + 3, config.last)), min_size=1, max_size=4)
    guesses = [
        Guess(1, tuple(sorted(draw(numbers))), False, draw(st.integers(1, len(row))))
        for _ in range(draw(st.integers(0, 12)) if row else 0)
    ]
    public = Public(config, row=tuple(row), guesses=tuple(guesses))
    if draw(st.booleans()) and row:
        public = with_hideout(public, draw(st.integers(0, 12)), 1, config.last)
    return public, draw(st.sets(st.sampled_from(range(1, config.last)), max_size=3))


@given(tables(st.just(DECK)))
def test_the_count_is_that_of_the_list(table) -> None:
    routes = Routes(*table)
    assert counted(routes) == listed(routes)
    assert (len(routes), routes.counts.tolist()) == listed(routes)


@given(tables(fugitive_configs()))
def test_the_count_is_that_of_the_list_in_any_deck(table) -> None:
    routes = Routes(*table)
    assert counted(routes) == listed(routes)


@given(fugitive_histories())
def test_the_count_is_that_of_the_list_in_games(history) -> None:
    for state in history[0]:
        for seat in (Seat.EVADER, Seat.PURSUERS):
            view = views.view(state, seat)
            routes = Routes(view.public, view.hand if seat is Seat.PURSUERS else ())
            assert counted(routes) == listed(routes)


@pytest.mark.parametrize("seed", range(1 if SLOW else 30))
def test_the_count_is_that_of_the_list_after_many_failed_sets(seed) -> None:
    rng = Random(seed)
    n = 4 if SLOW else rng.randint(5, 7)
    row = tuple(Spot(1, rng.randint(0, 3), (rng.randint(0, 1), i // 3, i // 4)) for i in range(n))
    sets = [tuple(sorted(rng.sample(range(1, 25), rng.randint(2, 4)))) for _ in range(rng.randint(20, 40))]
    guesses = tuple(Guess(1, cards, False, rng.randint(2, n)) for cards in sets)
    routes = Routes(Public(DECK, row=row, guesses=guesses))
    assert counted(routes) == listed(routes)
    assert len(routes)
    assert len(routes) < len(Routes(Public(DECK, row=row)))


def test_the_count_by_hand() -> None:
    # Both steps at most 3: 1, 2 or 3, and then one of the next three; but not 1 and 2.
    row = (Spot(1, 0, (0, 0, 0)),) * 2
    routes = Routes(Public(DECK, row=row, guesses=(Guess(1, (1, 2), False, 2), Guess(1, (2, 3, 4), False, 2))))
    assert counted(routes) == (8, [0, 2, 3, 5, 3, 2, 1, *[0] * 36])
    # Asked when one position lay there, the same set tells nothing.
    early = Routes(Public(DECK, row=row, guesses=(Guess(1, (1, 2), False, 1),)))
    assert counted(early) == (9, [0, 3, 4, 5, 3, 2, 1, *[0] * 36])


def test_too_many_sets_are_listed() -> None:
    row = (Spot(1, 1, (0, 0, 0)),) * 3
    pairs = [(low, high) for high in range(2, 16) for low in range(1, high)][: MOST_SETS + 1]
    public = Public(DECK, row=row, guesses=tuple(Guess(1, pair, False, 3) for pair in pairs))
    routes = Routes(public)
    assert counted(routes)[0] == NO_KEY
    assert (len(routes), routes.counts.tolist()) == listed(routes)


@given(tables(st.just(DECK)), st.integers(0, 6))
def test_the_room_for_states_grows(table, doublings) -> None:
    routes = Routes(*table)
    assert counted(routes, 1 << doublings) == counted(routes)
