"""The route count without listing: the same numbers as from the list of rows."""

import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.fugitive import routes_kernels
from manhunt.agents.fugitive.route_count_kernels import MOST_SETS, NO_KEY, count_rows
from manhunt.agents.fugitive.routes import Routes, bits_of, with_hideout
from manhunt.agents.fugitive.routes_kernels import Trail
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


def listed(trail, hidden):
    """How many rows, and how many of them hold each of the hidden cards, from the rows."""
    rows, counts = np.empty(1 << 20, np.int64), np.zeros(trail.last + 1, np.int64)
    n = routes_kernels.list_rows(trail, rows)
    routes_kernels.count_cards(rows[:n], hidden, counts)
    return n, counts.tolist()


def counted(trail, hidden, room=1 << 12):
    counts = np.zeros(trail.last + 1, np.int64)
    return count_rows(trail, hidden, room, counts), counts.tolist()


@st.composite
def trails(draw):
    """Few cards in narrow piles, and many failed sets of them; not all of these trails can come up in a game."""
    last, n = draw(st.integers(4, 16)), draw(st.integers(0, 5))
    n_piles = draw(st.integers(1, 3))
    borders = sorted(draw(st.lists(st.integers(1, last), min_size=n_piles, max_size=n_piles)))
    numbers = st.sets(st.integers(1, last - 1), min_size=2, max_size=4)
    sets = draw(st.lists(st.tuples(numbers, st.integers(0, n)), max_size=10))

    def ints(elements, *shape):
        size = int(np.prod(shape))
        return np.array(draw(st.lists(elements, min_size=size, max_size=size)), np.int64).reshape(shape)

    return Trail(
        ints(st.just((1 << last) - 2) | st.integers(0, (1 << last) - 1).map(lambda bits: bits & ~1), n),
        ints(st.integers(1, 6), n),
        ints(st.sampled_from([0, 1, 1, 2, 2, 3, 4]) if draw(st.booleans()) else st.just(5), n, n_piles),
        np.array([sum(card >= low for low in borders) - 1 for card in range(last + 1)], np.int64) % (n_piles + 1),
        np.array([bits_of(cards) for cards, _ in sets], np.int64),
        np.array([size for _, size in sets], np.int64),
        last,
        draw(st.just(0) | st.integers(1, last)),
    )


@given(trails(), st.integers(0, 1 << 16))
def test_the_count_is_that_of_the_list_on_any_trail(trail, face_up) -> None:
    assert counted(trail, ~face_up) == listed(trail, ~face_up)


@given(trails(), st.integers(0, 6))
def test_the_room_for_states_grows(trail, doublings) -> None:
    assert counted(trail, -1, 1 << doublings) == counted(trail, -1)


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


@given(tables(st.just(DECK) | fugitive_configs()))
def test_the_count_is_that_of_the_list_on_tables(table) -> None:
    routes = Routes(*table)
    assert (len(routes), routes.counts.tolist()) == listed(routes.trail, ~routes.face_up)


@given(fugitive_histories())
def test_the_count_is_that_of_the_list_in_games(history) -> None:
    for state in history[0]:
        for seat in (Seat.EVADER, Seat.PURSUERS):
            view = views.view(state, seat)
            routes = Routes(view.public, view.hand if seat is Seat.PURSUERS else ())
            assert (len(routes), routes.counts.tolist()) == listed(routes.trail, ~routes.face_up)


@pytest.mark.parametrize("seed", range(1 if SLOW else 30))
def test_the_count_is_that_of_the_list_after_many_failed_sets(seed) -> None:
    rng = Random(seed)
    n = 4 if SLOW else rng.randint(5, 7)
    row = tuple(Spot(1, rng.randint(0, 3), (rng.randint(0, 1), i // 3, i // 4)) for i in range(n))
    sets = [tuple(sorted(rng.sample(range(1, 25), rng.randint(2, 4)))) for _ in range(rng.randint(20, 40))]
    guesses = tuple(Guess(1, cards, False, rng.randint(2, n)) for cards in sets)
    routes = Routes(Public(DECK, row=row, guesses=guesses))
    assert (len(routes), routes.counts.tolist()) == listed(routes.trail, ~routes.face_up)
    assert len(routes)
    assert len(routes) < len(Routes(Public(DECK, row=row)))


def test_the_count_by_hand() -> None:
    # Both steps at most 3: 1, 2 or 3, and then one of the next three; but not 1 and 2.
    row = (Spot(1, 0, (0, 0, 0)),) * 2
    routes = Routes(Public(DECK, row=row, guesses=(Guess(1, (1, 2), False, 2), Guess(1, (2, 3, 4), False, 2))))
    assert counted(routes.trail, -1) == (8, [0, 2, 3, 5, 3, 2, 1, *[0] * 36])
    # Asked when one position lay there, the same set tells nothing.
    early = Routes(Public(DECK, row=row, guesses=(Guess(1, (1, 2), False, 1),)))
    assert counted(early.trail, -1) == (9, [0, 3, 4, 5, 3, 2, 1, *[0] * 36])


def test_too_many_sets_are_listed() -> None:
    row = (Spot(1, 1, (0, 0, 0)),) * 3
    pairs = [(low, high) for high in range(2, 16) for low in range(1, high)][: MOST_SETS + 1]
    public = Public(DECK, row=row, guesses=tuple(Guess(1, pair, False, 3) for pair in pairs))
    routes = Routes(public)
    assert counted(routes.trail, -1)[0] == NO_KEY
    assert (len(routes), routes.counts.tolist()) == listed(routes.trail, ~routes.face_up)
