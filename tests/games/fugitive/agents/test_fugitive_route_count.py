"""The route count without listing: the same numbers as from the list of rows."""

import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fugitive_games import fugitive_configs, fugitive_histories
from manhunt.core.ids import Seat, Side
from manhunt.games.fugitive.agents.route_count import RouteCount
from manhunt.games.fugitive.agents.route_count_kernels import MOST_SETS, NO_KEY, count_rows
from manhunt.games.fugitive.beliefs.row_kernels import RowLimits
from manhunt.games.fugitive.beliefs.row_limits import list_rows
from manhunt.games.fugitive.rules import views
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.public import Draw, Guess, Public, Spot, with_hideout

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),  # bit counts without compilation
]
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
DECK = make_config("exactly-two")
MOST_SPOTS = 4 if SLOW else 6


def listed(limits, hidden):
    """How many rows, and how many of them hold each of the hidden cards, from the rows."""
    rows, counts = list_rows(limits), [0] * len(limits.group)
    for card in range(len(counts)):
        counts[card] = int((rows == card).sum()) if hidden >> card & 1 else 0
    return len(rows), counts


def counted(limits, hidden, room=1 << 12):
    counts = np.zeros(len(limits.group), np.int64)
    return count_rows(limits, hidden, room, counts), counts.tolist()


@st.composite
def row_limits(draw):
    """Few cards in narrow piles, and many failed sets of them; not all of these limits can come up in a game."""
    last, n = draw(st.integers(4, 16)), draw(st.integers(0, 5))
    n_piles = draw(st.integers(1, 3))
    borders = sorted(draw(st.lists(st.integers(1, last), min_size=n_piles, max_size=n_piles)))
    numbers = st.sets(st.integers(1, last - 1), min_size=2, max_size=4)
    sets = draw(st.lists(st.tuples(numbers, st.integers(0, n)), max_size=10))
    allowed = st.just((1 << last) - 2) | st.integers(0, (1 << last) - 1).map(lambda bits: bits & ~1)

    def ints(elements, *shape):
        size = int(np.prod(shape))
        return np.array(draw(st.lists(elements, min_size=size, max_size=size)), np.int64).reshape(shape)

    return RowLimits(
        ints(st.integers(1, 6), n),
        ints(allowed, n).astype(np.uint64),
        np.array([sum(card >= low for low in borders) for card in range(last + 1)], np.int64),
        ints(st.sampled_from([0, 1, 1, 2, 2, 3, 4]) if draw(st.booleans()) else st.just(5), n, n_piles),
        ints(st.sampled_from([0, 0, 0, 1]), n, n_piles),
        np.array([bits_of(cards) for cards, _ in sets], np.uint64),
        np.array([size for _, size in sets], np.int64),
    )


@given(row_limits(), st.integers(0, 1 << 16))
def test_the_count_is_that_of_the_list_on_any_limits(limits, face_up) -> None:
    assert counted(limits, ~face_up) == listed(limits, ~face_up)


@given(row_limits(), st.integers(0, 6))
def test_the_room_for_states_grows(limits, doublings) -> None:
    assert counted(limits, -1, 1 << doublings) == counted(limits, -1)


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
    shown = {spot.card for spot in row}
    numbers = st.sets(st.integers(1, min(before + 3, config.last)), min_size=1, max_size=4)
    guesses = [
        Guess(1, tuple(sorted(draw(numbers))), False, draw(st.integers(1, len(row))))
        for _ in range(draw(st.integers(0, 12)) if row else 0)
    ]
    in_piles = [card for card in range(1, config.last) if config.pile_of[card] is not None and card not in shown]
    hand = draw(st.sets(st.sampled_from(in_piles), max_size=3)) if in_piles else set()
    draws = tuple(Draw(Side.PURSUERS, config.pile_of[card], 1, 1) for card in hand)
    public = Public(config, draws, tuple(row), tuple(guesses))
    if draw(st.booleans()) and row:
        public = with_hideout(public, draw(st.integers(0, 12)), 1, config.last)
    return public, hand


@given(tables(st.just(DECK) | fugitive_configs()))
def test_the_count_is_that_of_the_list_on_tables(table) -> None:
    routes = RouteCount(*table)
    assert (len(routes), routes.counts.tolist()) == listed(routes.limits, ~routes.face_up)


@given(fugitive_histories())
def test_the_count_is_that_of_the_list_in_games(history) -> None:
    for state in history[0]:
        for seat in (Seat.EVADER, Seat.PURSUERS):
            view = views.view(state, seat)
            routes = RouteCount(view.public, view.hand if seat is Seat.PURSUERS else None)
            assert (len(routes), routes.counts.tolist()) == listed(routes.limits, ~routes.face_up)


@pytest.mark.parametrize("seed", range(1 if SLOW else 30))
def test_the_count_is_that_of_the_list_after_many_failed_sets(seed) -> None:
    rng = Random(seed)
    n = 4 if SLOW else rng.randint(5, 7)
    row = tuple(Spot(1, rng.randint(0, 3), (rng.randint(0, 1), i // 3, i // 4)) for i in range(n))
    sets = [tuple(sorted(rng.sample(range(1, 25), rng.randint(2, 4)))) for _ in range(rng.randint(20, 40))]
    guesses = tuple(Guess(1, cards, False, rng.randint(2, n)) for cards in sets)
    routes = RouteCount(Public(DECK, row=row, guesses=guesses))
    assert (len(routes), routes.counts.tolist()) == listed(routes.limits, ~routes.face_up)
    assert len(routes)
    assert len(routes) < len(RouteCount(Public(DECK, row=row)))


def test_the_count_by_hand() -> None:
    # Both steps at most 3: 1, 2 or 3, and then one of the next three; but not 1 and 2.
    row = (Spot(1, 0, (0, 0, 0)),) * 2
    routes = RouteCount(Public(DECK, row=row, guesses=(Guess(1, (1, 2), False, 2), Guess(1, (2, 3, 4), False, 2))))
    assert counted(routes.limits, -1) == (8, [0, 2, 3, 5, 3, 2, 1, *[0] * 36])
    # Asked when one position lay there, the same set tells nothing.
    early = RouteCount(Public(DECK, row=row, guesses=(Guess(1, (1, 2), False, 1),)))
    assert counted(early.limits, -1) == (9, [0, 3, 4, 5, 3, 2, 1, *[0] * 36])


def test_too_many_sets_are_listed() -> None:
    row = (Spot(1, 1, (0, 0, 0)),) * 3
    pairs = [(low, high) for high in range(2, 16) for low in range(1, high)][: MOST_SETS + 1]
    public = Public(DECK, row=row, guesses=tuple(Guess(1, pair, False, 3) for pair in pairs))
    routes = RouteCount(public)
    assert counted(routes.limits, -1)[0] == NO_KEY
    assert (len(routes), routes.counts.tolist()) == listed(routes.limits, ~routes.face_up)
