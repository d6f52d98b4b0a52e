"""The kernels say what the rules say: same actions, order, next states and ends; counted trees."""

import os
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fugitive_games import fugitive_configs, fugitive_histories, random_history
from fugitive_perft import FILES, divided, read
from fugitive_tables import dealt, play
from manhunt.games.fugitive.rules import kernels, packed, placing, playouts, rules
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import Config, make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.state import State

pytestmark = [
    pytest.mark.kernel,
    # Counting bits and the generator multiply beyond 64 bits, which only Python remarks.
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]
COMPILED = os.environ.get("NUMBA_DISABLE_JIT") != "1"


def assert_same(state: State) -> None:
    config, table = state.config, packed.pack_config(state.config)
    row, deck = packed.pack(state), packed.pack_deck(state)
    assert packed.unpack(config, row, deck) == state
    codes = np.zeros(packed.most_actions(config), np.int64)
    legal = rules.legal_actions(state)
    n = kernels.legal(table, row, codes)
    assert [packed.decode(int(code)) for code in codes[:n]] == list(legal)
    assert packed.ENDS[kernels.outcome(row)] == rules.outcome(state)
    after = np.zeros_like(row)
    for action, code in zip(legal, codes[:n], strict=True):
        assert packed.encode(action) == code
        kernels.apply(table, deck, row, code, after)
        expected = rules.apply_action(state, action)
        assert packed.unpack(config, after, deck) == expected
        assert after.tolist() == packed.pack(expected).tolist()


@given(fugitive_histories())
def test_kernel_agrees_with_rules_along_random_games(history) -> None:
    for state in history[0]:
        assert_same(state)


@pytest.mark.parametrize("preset", ["standard", "second-edition", "exactly-two"])
def test_kernel_agrees_with_rules_on_the_full_deck(preset) -> None:
    for seed in range(5 if COMPILED else 1):
        states, _ = random_history(make_config(preset), Random(seed))
        for state in states:
            assert_same(state)


def test_the_largest_deck_fits_the_words() -> None:
    config = Config(last=62, piles=((1, 20), (21, 40), (41, 61)), dealt=(10, 5, 5), allow_last_sprint=True)
    states, _ = random_history(config, Random(3))
    for state in states:
        assert_same(state)


@given(st.integers(0, (1 << 63) - 1), st.integers(-2, 70))
def test_sets_of_cards(bits, card) -> None:
    cards = cards_of(bits)
    assert bits_of(cards) == bits
    assert kernels.n_cards(bits) == len(cards)
    assert kernels.value_of(bits) == sum(1 if c % 2 else 2 for c in cards)
    assert cards_of(kernels.up_to(card)) == tuple(range(min(card, 62) + 1))
    if cards:
        assert kernels.lowest(bits) == cards[0]
        assert playouts.card_at(bits, len(cards) - 1) == cards[-1]


@given(st.sets(st.integers(1, 14)), st.integers(-2, 20))
def test_the_least_payment_is_the_least_of_all_subsets(cards, missing) -> None:
    sums = {0}
    for card in cards:
        sums |= {total + 2 - card % 2 for total in sums}
    least = min((total for total in sums if total >= missing), default=-1)
    assert kernels.least_payment(missing, bits_of(cards)) == least
    assert placing.least_payment(missing, sorted(cards)) == (None if least < 0 else least)


@given(fugitive_configs(), st.integers(0, 1000))
def test_a_dealt_game_is_one_of_the_rules(config, seed) -> None:
    table, piles, rng = packed.pack_config(config), packed.pack_piles(config), playouts.new_rng(seed)
    row, deck = np.ones(packed.state_size(config), np.int64), np.zeros(len(piles.cards), np.int64)
    playouts.deal(table, piles, rng, row, deck)
    state = packed.unpack(config, row, deck)
    given_cards = [[c for c in state.fugitive if config.pile_of[c] == pile] for pile in range(len(config.piles))]
    assert state == FugitiveGame().start(config, {"dealt": given_cards, "piles": [list(p) for p in state.piles]})
    n = playouts.playout(table, deck, row, rng)
    end = packed.unpack(config, row, deck)
    assert end.end is not None
    assert replayed(state, end) <= n


def replayed(state: State, end: State) -> int:
    """Play the log of a finished game again; returns the plies, and fails where the rules do not allow one."""
    n = 0
    for hideout in end.row:
        assert hideout.card in (*state.fugitive, *(c for pile in state.piles for c in pile))
        n += 2 + len(hideout.sprints)
    return n + len(end.draws) + len(end.guesses)


def test_every_deal_and_every_choice_is_equally_likely() -> None:
    config = make_config("mini")
    table, piles, rng = packed.pack_config(config), packed.pack_piles(config), playouts.new_rng(5)
    row, deck = np.zeros(packed.state_size(config), np.int64), np.zeros(len(piles.cards), np.int64)
    n_draws = 20_000 if COMPILED else 2_000
    tops: Counter[int] = Counter()
    for _ in range(n_draws):
        playouts.deal(table, piles, rng, row, deck)
        tops[int(deck[row[packed.NEXT]])] += 1
    assert set(tops) == set(range(3, 8))
    assert max(tops.values()) - min(tops.values()) < 6 * (n_draws / 5) ** 0.5
    state = play(dealt(), "hide:3 done pass draw:low draw:low name:20")
    full, numbers = packed.pack_config(state.config), packed.pack(state)
    named = Counter(playouts.draw(full, numbers, rng) for _ in range(n_draws))
    assert {packed.decode(code) for code in named} == set(rules.legal_actions(state))
    assert max(named.values()) - min(named.values()) < 6 * (n_draws / 22) ** 0.5


def test_a_whole_guess_is_as_likely_as_its_steps() -> None:
    """The quick loop over names makes the same sizes of guesses as the steps one by one."""
    state = play(dealt(), "hide:3 done pass draw:low draw:low")
    table, deck, rng = packed.pack_config(state.config), packed.pack_deck(state), playouts.new_rng(2)
    n_games = 20_000 if COMPILED else 500
    sizes: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for _ in range(n_games):
        row = packed.pack(state)
        sizes[0][playouts.guess(table, row, rng)] += 1
        row, n = packed.pack(state), 0
        while row[packed.PHASE] == packed.MARSHAL_GUESS:
            kernels.advance(table, deck, row, playouts.draw(table, row, rng))
            n += 1
        sizes[1][n] += 1
    for size in range(2, 8):
        assert abs(sizes[0][size] - sizes[1][size]) < 6 * (2 * n_games / 6) ** 0.5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counted_trees(path) -> None:
    state, counts = read(path)
    table, deck, size = packed.pack_config(state.config), packed.pack_deck(state), packed.state_size(state.config)
    for depth, count in counts.items():
        if not COMPILED and count > 3_000:
            continue
        rows = np.zeros((depth + 1, size), np.int64)
        rows[0] = packed.pack(state)
        actions = np.zeros((depth + 1, packed.most_actions(state.config)), np.int64)
        assert kernels.perft(table, deck, rows, actions, depth) == count, divided(state, depth)
        if count <= 20_000:
            assert sum(divided(state, depth).values()) == count
