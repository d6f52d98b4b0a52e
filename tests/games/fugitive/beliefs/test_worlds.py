"""The exact count equals brute force over all histories of small decks, and holds the truth on the full one.

FUGITIVE_POSITIONS=5000 makes the comparison longer.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from fugitive_brute_force import BruteForce
from fugitive_coverage import coverage_states
from fugitive_plain_count import PlainCount, rows_of
from fugitive_positions import random_states, small_positions
from fugitive_tables import dealt
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.beliefs.evidence import gather
from manhunt.games.fugitive.beliefs.models import CHANCE_ONLY, PlayModel, SensiblePlay
from manhunt.games.fugitive.beliefs.notes import MarshalNotes
from manhunt.games.fugitive.beliefs.worlds import Worlds, worlds_or_none
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.public import Guess, Phase
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import public_of

pytestmark = pytest.mark.kernel

SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"
N_POSITIONS = int(os.environ.get("FUGITIVE_POSITIONS", "25" if SLOW else "300"))


def worlds_of(state: State, model: PlayModel = CHANCE_ONLY) -> Worlds:
    return Worlds(public_of(state), state.marshal, model)


def brute_force(state: State, model: PlayModel = CHANCE_ONLY) -> dict:
    return BruteForce(public_of(state), frozenset(state.marshal), model).worlds


def shares(worlds: dict, key) -> dict:
    """By what `key` lists of a world, the share of the weight."""
    total, found = sum(worlds.values()), defaultdict(float)
    for world, weight in worlds.items():
        for each in key(world):
            found[each] += weight / total
    return found


def assert_equal(table: np.ndarray, expected: dict) -> None:
    keys = {at if isinstance(at, tuple) else (at,) for at in expected}
    assert {tuple(map(int, at)) for at in np.argwhere(table > 1e-12)} == keys
    for at, share in expected.items():
        assert table[at] == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_worlds_equal_brute_force(seed: int) -> None:
    for state in small_positions(N_POSITIONS // 10, seed):
        true, worlds = brute_force(state), worlds_of(state)
        rows = shares(true, lambda w: [(0, 0), *((i, card) for i, card in enumerate(w.row, 1))])
        assert_equal(worlds.marginals, rows)
        for position in range(len(state.row) + 1):
            assert worlds.candidates(position) == {card for i, card in rows if i == position}
        assert worlds.count == len(true)
        hidden = [i for i, h in enumerate(state.row) if not h.face_up]
        numbers = shares(true, lambda w, hidden=hidden: [w.row[i] for i in hidden])
        assert_equal(worlds.hideouts, numbers)
        for number in range(state.config.last + 1):
            share = worlds.exact_hideouts[number] / worlds.n_histories
            assert share == pytest.approx(numbers.get(number, 0), rel=1e-12)
        assert sum(true.values()) % worlds.n_histories == 0


@pytest.mark.parametrize("model", [CHANCE_ONLY, SensiblePlay(far=0.4)], ids=["chance", "sensible"])
@pytest.mark.parametrize("seed", range(100, 104))
def test_places_of_all_cards_equal_brute_force(seed: int, model: PlayModel) -> None:
    for state in small_positions(N_POSITIONS // 20, seed):
        true, worlds = brute_force(state, model), worlds_of(state, model)
        assert_equal(worlds.marginals, shares(true, lambda w: [(0, 0), *enumerate(w.row, 1)]))
        shown = [h.face_up and h.card != state.config.last for h in state.row]
        under = shares(true, lambda w, shown=shown: [c for i, s in enumerate(w.sprints) if not shown[i] for c in s])
        assert_equal(worlds.places.sprint, under)
        assert_equal(worlds.places.hand, shares(true, lambda w: w.hand))
        assert_equal(worlds.places.pile, shares(true, lambda w: [card for pile in w.piles for card in pile]))


@pytest.mark.parametrize("seed", range(200, 203))
def test_joint_probabilities_and_what_a_draw_would_tell(seed: int) -> None:
    for state in small_positions(N_POSITIONS // 20, seed):
        true, worlds, rng = brute_force(state), worlds_of(state), Random(seed)
        hidden = [i for i, h in enumerate(state.row) if not h.face_up]
        for _ in range(6):
            guess = set(rng.sample(range(1, state.config.last), rng.randint(1, 3)))
            right = {w: n for w, n in true.items() if guess <= {w.row[i] for i in hidden}}
            assert worlds.probability(guess) == pytest.approx(sum(right.values()) / sum(true.values()), abs=1e-12)
        for pile in range(len(state.config.piles)):
            if not state.piles[pile]:
                continue
            chances = worlds.draw_chances(pile)
            for card in state.config.cards_of(pile):
                holding = {w: n for w, n in true.items() if card in w.piles[pile]}
                if not holding:
                    assert card not in chances
                    with pytest.raises(ManhuntError, match="cannot draw"):
                        worlds.after_draw(card)
                    continue
                share = sum(holding.values()) / sum(true.values()) / len(state.piles[pile])
                assert chances[card] == pytest.approx(share, rel=1e-9)
                expected = shares(holding, lambda w: [(0, 0), *enumerate(w.row, 1)])
                assert_equal(worlds.after_draw(card).marginals, expected)


@pytest.mark.parametrize("seed", range(300, 302))
def test_every_candidate_has_a_witness_and_every_other_value_a_reason(seed: int) -> None:
    for state in small_positions(N_POSITIONS // 20, seed):
        true, worlds = brute_force(state), worlds_of(state)
        for position in range(1, len(state.row) + 1):
            possible = {world.row[position - 1] for world in true}
            for card in range(state.config.last + 2):
                text = worlds.why(position, card)
                assert (text == f"position {position} can be {card}") == (card in possible)
                if card in possible:
                    witness = worlds.witness(position, card)
                    assert witness in true
                    assert witness.row[position - 1] == card
                else:
                    with pytest.raises(ManhuntError, match="no world has"):
                        worlds.witness(position, card)


def test_reasons_hold_without_what_they_name() -> None:
    """Each kind of reason occurs, and the fact that it names really stands against the value."""
    kinds = {
        "in your hand": 0, "lies face up": 0, "and failed, and": 0, "had no card by then": 0, "too far": 0,
        "too low": 0, "no chain of steps": 0, "needs more cards of a pile": 0, "would have been right": 0,
        "can be paid": 0,
    }  # fmt: skip
    for state in small_positions(60 if SLOW else 400, 7):
        worlds = worlds_of(state)
        public = public_of(state)
        for position in range(1, len(state.row) + 1):
            for card in range(1, state.config.last):
                text = worlds.why(position, card)
                kinds |= {kind: kinds[kind] + 1 for kind in kinds if kind in text}
                if "would have been right" in text:
                    kept = tuple(g for g in public.guesses if g.hit or len(g.numbers) == 1)
                    eased = gather(type(public)(public.config, public.draws, public.row, kept), state.marshal)
                    assert any(row[position - 1] == card for row in rows_of(eased))
    assert SLOW or all(kinds.values()), kinds


@pytest.mark.parametrize("model", [CHANCE_ONLY, SensiblePlay(far=0.3)], ids=["chance", "sensible"])
def test_samples_come_by_weight(model: PlayModel) -> None:
    n_tested = 0
    for state in small_positions(25, 11):
        true = brute_force(state, model)
        if not 4 <= len(true) <= 100:
            continue
        n = 300 if SLOW else 2000
        found = Counter(worlds_of(state, model).sample(Random(len(true)), n))
        assert set(found) <= set(true)
        total = sum(true.values())
        expected = {world: n * weight / total for world, weight in true.items()}
        large = [world for world in true if expected[world] >= 5]
        rest = n - sum(found[world] for world in large)
        counts, means = [found[w] for w in large], [expected[w] for w in large]
        if len(large) < len(true):
            counts, means = [*counts, rest], [*means, n - sum(means)]
        if len(counts) > 1:
            n_tested += 1
            assert chisquare(counts, means).pvalue > 1e-5
    assert n_tested > 5


def test_the_same_seed_gives_the_same_worlds() -> None:
    state = next(s for s in random_states(make_config(), Random(0)) if s.row)
    assert worlds_of(state).sample(Random(1), 5) == worlds_of(state).sample(Random(1), 5)


def test_full_deck_holds_the_truth_and_is_never_looser_than_the_notes() -> None:
    """Strictly tighter in most games, and by rows at most tables."""
    tighter, fewer_rows = [], []
    for seed in range(2 if SLOW else 30):
        tighter.append(False)
        for state in coverage_states(seed):
            if SLOW and len(state.row) > 4:
                break
            worlds, notes = worlds_of(state), MarshalNotes.of(public_of(state), state.marshal)
            for position, hideout in enumerate(state.row, 1):
                assert hideout.card in worlds.candidates(position)
                assert worlds.candidates(position) <= notes.candidates(position)
            positions = range(1, len(state.row) + 1)
            tighter[-1] |= any(worlds.candidates(i) < notes.candidates(i) for i in positions)
            fewer_rows.append(len(worlds.trails.rows) < notes.count_chains())
            assert worlds.marginals.sum(axis=1) == pytest.approx(np.ones(len(state.row) + 1))
    assert SLOW or np.mean(tighter) > 0.7
    assert SLOW or np.mean(fewer_rows) > 0.5


@pytest.mark.parametrize("model", [CHANCE_ONLY, SensiblePlay()], ids=["chance", "sensible"])
@pytest.mark.parametrize("seed", range(3))
def test_full_deck_equals_the_count_to_be_read(seed: int, model: PlayModel) -> None:
    for state in random_states(make_config(pass_bonus=bool(seed % 2)), Random(seed + 50)):
        evidence = gather(public_of(state), state.marshal)
        if sum(evidence.n_hidden_sprints(i) for i in range(evidence.n)) > 3 or state.phase is not Phase.MARSHAL_GUESS:
            continue
        plain, worlds = PlainCount(evidence, model), worlds_of(state, model)
        weights = plain.weights()
        assert {tuple(row) for row in worlds.trails.rows.tolist()} == set(weights)
        total = sum(weights.values())
        for row, weight in zip(worlds.trails.rows.tolist(), worlds.trails.weights, strict=True):
            assert weight == pytest.approx(weights[tuple(row)] / total, rel=1e-9)
        if model is CHANCE_ONLY:
            assert worlds.n_histories == total
            assert worlds.count == sum(plain.weights(worlds=True).values())


def test_par_6_a_failed_set_with_a_face_up_number_tells_nothing() -> None:
    state = next(
        s for s in random_states(make_config(), Random(3)) if s.phase is Phase.MARSHAL_GUESS and len(s.row) >= 2
    )
    public = public_of(state)
    row = tuple(
        type(spot)(spot.round, spot.n_sprints, spot.n_draws, h.card, h.sprints) if i == 0 else spot
        for i, (spot, h) in enumerate(zip(public.row, state.row, strict=True))
    )
    hit = Guess(state.round, (state.row[0].card,), True, len(row))
    n = len(row)

    def table(*guesses: Guess) -> Worlds:
        return Worlds(type(public)(public.config, public.draws, row, guesses), state.marshal)

    number = max(table(hit).candidates(2))
    numbers = tuple(sorted((state.row[0].card, number)))
    told_before, told_after = Guess(1, numbers, False, n), Guess(2, numbers, False, n)
    assert table(hit, told_after).candidates(2) == table(hit).candidates(2)
    assert number not in table(told_before, hit).candidates(2)


def test_bad_hands_and_positions_are_refused_in_one_line() -> None:
    state = next(s for s in random_states(make_config(), Random(1)) if s.phase is Phase.MARSHAL_GUESS)
    public = public_of(state)
    for hand, words in (((1, 2), "in no pile"), ((), "has drawn"), ((99, 5), "in no pile")):
        with pytest.raises(ManhuntError, match=words):
            Worlds(public, hand)
    with pytest.raises(ManhuntError, match="there is no position 9"):
        worlds_of(state).candidates(9)
    with pytest.raises(ManhuntError, match="without a model of play"):
        _ = worlds_of(state, SensiblePlay()).n_histories


def test_there_are_worlds_where_something_lies_face_down() -> None:
    for state in small_positions(12, 5):
        public = public_of(state)
        assert (worlds_or_none(public, state.marshal) is not None) == (public.n_hidden > 0)
    assert worlds_or_none(public_of(dealt()), ()) is None
