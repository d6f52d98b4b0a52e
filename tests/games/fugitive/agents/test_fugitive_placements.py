"""Payments, continuations and soft choices against plain twins and cases computed by hand."""

import math
import os
from collections import Counter
from itertools import chain, combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.games.fugitive.agents.l1 import cheapest, dead_cards, payment
from manhunt.games.fugitive.agents.listed_placements import one_kind
from manhunt.games.fugitive.agents.payments import EXTRA, LOW, hands_of, rest_of
from manhunt.games.fugitive.agents.planners import Placement
from manhunt.games.fugitive.agents.soft_choice import esoft, pick, pick_by_sums, sharpened, sums_of
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import make_config, sprint_value

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),  # bit counts without compilation
]
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
DECK = make_config("exactly-two")
HANDS = hands_of(DECK)
hands = st.sets(st.integers(1, 42), min_size=1, max_size=5 if SLOW else 9)


def plain_payments(hand, before, hideout, reach=3, last=42):
    """All payments by the definition: (low, extra), cheapest first, eight of each."""
    cards = sorted(set(hand) - {hideout, last})
    need = max(0, hideout - before - reach)
    found = []
    for chosen in chain.from_iterable(combinations(cards, n) for n in range(len(cards) + 1)):
        over = sum(map(sprint_value, chosen)) - need
        if over >= 0:
            cost = len(chosen) + 0.5 * over + 0.75 * sum(card > hideout for card in chosen)
            found.append((cost, len(chosen), over, chosen))
    found.sort()
    least = min((over for _, _, over, _ in found), default=0)
    low = [(cards, cost) for cost, _, over, cards in found if over == least]
    extra = [(cards, cost) for cost, _, over, cards in found if over > least]
    return low[:8], extra[:8]


def plain_plays(hand, before):
    """Hideout, sprint cards, kind, cost."""
    plays = []
    for hideout in sorted(card for card in hand if card > before):
        for kind, payments in zip((LOW, EXTRA), plain_payments(hand, before, hideout), strict=True):
            plays += [(hideout, cards, kind, cost) for cards, cost in payments]
    return plays


def plain_ahead(hand, before, depth):
    total = 0
    for hideout, sprints, _, _ in plain_plays(hand, before):
        total += 1
        if depth > 1 and hideout != 42:
            total += plain_ahead(set(hand) - {hideout, *sprints}, hideout, depth - 1)
    return total


def listed(hand, before):
    plays = HANDS.plays(bits_of(hand), before)
    rows = zip(*(column.tolist() for column in plays), strict=True)
    return [(hideout, cards_of(sprints), kind, cost / 4) for hideout, sprints, kind, cost in rows]


@given(hands, st.integers(0, 41))
def test_plays_are_those_of_the_plain_twin(hand, before) -> None:
    assert listed(hand, before) == plain_plays(hand, before)


@given(st.sets(st.integers(1, 42), min_size=1, max_size=4 if SLOW else 6), st.integers(0, 41))
def test_continuations_of_two_placements_are_counted(hand, before) -> None:
    counted = HANDS.n_ahead(np.array([bits_of(hand)]), np.array([before]))
    assert counted.tolist() == [plain_ahead(hand, before, 2)]


@given(hands, st.integers(0, 41))
def test_mobility_and_quick_value(hand, before) -> None:
    values = {card: sprint_value(card) if card < 42 else 0 for card in hand}
    above = [card for card in hand if card > before]
    near = [card for card in above if card - before <= 3 + sum(values.values()) - values[card]]
    mobility = 0.5 * len(near) / len(above) + 0.5 * (max(near) - before) / (42 - before) if near else 0
    quick = 2 * (max(near) - before) / (42 - before) + 0.6 * len(near) / len(hand) if near else -0.5
    assert HANDS.mobilities(np.array([bits_of(hand)]), np.array([before])) == pytest.approx([mobility])
    assert HANDS.quick_values(np.array([bits_of(hand)]), before) == pytest.approx([quick])


def test_a_payment_by_hand() -> None:
    # 8 after 3 needs 2: the even card costs 1, the two odd ones 2 and 0.75 more, since 9 lies above 8.
    low, extra = plain_payments((1, 2, 8, 9, 42), 3, 8)
    assert low == [((2,), 1.0), ((1, 9), 2.75)]
    assert extra == [((1, 2), 2.5), ((2, 9), 3.25), ((1, 2, 9), 4.75)]
    plays = listed((1, 2, 8, 9, 42), 3)
    assert [(sprints, cost) for hideout, sprints, _, cost in plays if hideout == 8] == low + extra


@given(st.sets(st.integers(1, 41), min_size=2, max_size=4 if SLOW else 6))
def test_plans_are_all_pairs_of_placements(hand) -> None:
    wanted = Counter()
    for first, sprints, kind, cost in plain_plays(hand, 0):
        for second, more, other, price in plain_plays(set(hand) - {first, *sprints}, first):
            wanted[first, sprints, second, more, max(kind, other), cost + price] += 1
    plans = HANDS.plans(bits_of(hand))
    got = Counter()
    for i, f in enumerate(plans.first_of.tolist()):
        first, sprints = int(plans.firsts.hideout[f]), cards_of(int(plans.firsts.sprints[f]))
        second, more = int(plans.seconds.hideout[i]), cards_of(int(plans.seconds.sprints[i]))
        got[first, sprints, second, more, int(plans.kind[i]), float(plans.cost[i]) / 4] += 1
    assert got == wanted


def test_the_rest_of_a_hand() -> None:
    plays = HANDS.plays(bits_of((2, 4, 9)), 3)
    for rest, hideout, sprints in zip(rest_of(bits_of((2, 4, 9)), plays), plays.hideout, plays.sprints, strict=True):
        assert set(cards_of(int(rest))) == {2, 4, 9} - {int(hideout)} - set(cards_of(int(sprints)))


def test_esoft_by_hand() -> None:
    high = math.exp(1 / 0.7) / (math.exp(1 / 0.7) + math.exp(-1 / 0.7))
    assert esoft([3.0, 5.0]) == pytest.approx([0.075 + 0.85 * (1 - high), 0.075 + 0.85 * high])
    assert esoft([2.0, 2.0, 2.0, 2.0]) == pytest.approx([0.25] * 4)
    assert esoft([7.0]) == pytest.approx([1.0])


def test_sharpened_by_hand() -> None:
    assert sharpened([1, 0, 3]) == pytest.approx([0.1 / 3 + 0.225, 0.1 / 3, 0.1 / 3 + 0.675])


def test_pick_follows_the_chances() -> None:
    rng, seen = Random(1), Counter()
    for _ in range(4000):
        seen[pick("abc", [1, 2, 1], rng)] += 1
    assert abs(seen["b"] - 2000) < 150
    assert abs(seen["a"] - 1000) < 130


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6).filter(any), st.integers(0, 99))
def test_pick_takes_the_first_option_whose_sum_is_above_the_point(chances, seed) -> None:
    point, options = Random(seed).random() * sum(chances), range(len(chances))
    wanted = next(option for option in options if point < sum(chances[: option + 1]))
    assert pick(options, chances, Random(seed)) == wanted
    assert pick_by_sums(options, sums_of(chances), Random(seed)) == wanted


def test_bluffs_are_rare_and_only_where_there_is_a_choice() -> None:
    kinds, rng = np.array([LOW, EXTRA, LOW]), Random(2)
    n_bluffs = sum(one_kind(kinds, rng).tolist() == [1] for _ in range(4000))
    assert 140 < n_bluffs < 265
    assert one_kind(np.array([EXTRA, EXTRA]), rng).tolist() == [0, 1]


@given(hands, st.integers(0, 41), st.integers(1, 42))
def test_l1_pays_with_the_fewest_then_smallest_cards(hand, start, hideout) -> None:
    cards = sorted(set(hand) - {hideout, 42})
    need = max(0, hideout - start - 3)
    every = chain.from_iterable(combinations(cards, n) for n in range(len(cards) + 1))
    wanted = next((chosen for chosen in every if sum(map(sprint_value, chosen)) >= need), None)
    assert payment(DECK, tuple(sorted(hand)), start, hideout) == wanted


def test_l1_prefers_free_hideouts_then_farther_ones() -> None:
    hand = (1, 2, 3, 9, 14, 42)
    assert cheapest(DECK, hand, hand, 3)[0] == Placement(9, (1, 2))
    assert cheapest(DECK, (5, 6, 9), (1, 5, 6, 9), 3)[0] == Placement(6)


def test_l1_sprints_with_dead_cards_odd_ones_first() -> None:
    assert dead_cards((1, 2, 4, 5, 9, 12), 9, 2) == (1, 5)
    assert dead_cards((2, 4, 12), 9, 1) == (2,)
    assert dead_cards((12, 42), 9, 3) == ()
