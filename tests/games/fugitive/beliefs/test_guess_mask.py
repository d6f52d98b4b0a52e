"""The mask of guesses: what is true is in it, the exact one lies inside the quick one, and it tells no secret."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from fugitive_brute_force import BruteForce
from fugitive_games import fugitive_histories
from fugitive_positions import random_states, small_config, small_positions
from manhunt.core.ids import Seat
from manhunt.games.fugitive.beliefs.guess_mask import guess_mask
from manhunt.games.fugitive.rules import rules
from manhunt.games.fugitive.rules.actions import Ask, Done, Hide, Name, TakeFrom
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.rules.game import FugitiveGame
from manhunt.games.fugitive.rules.state import State
from manhunt.games.fugitive.rules.views import view
from manhunt.testing.worlds import OtherWorlds


def hidden(state: State) -> set[int]:
    return {hideout.card for hideout in state.row if not hideout.face_up} if state.end is None else set()


def numbers(mask: np.ndarray) -> set[int]:
    assert mask.dtype == np.int8
    assert set(mask.tolist()) <= {0, 1}
    return set(np.flatnonzero(mask).tolist())


@settings(max_examples=60, deadline=None)
@given(fugitive_histories())
def test_true_hideouts_are_in_the_mask_and_the_exact_mask_is_inside_the_quick_one(history) -> None:
    for state in history[0]:
        for seat in (Seat.PURSUERS, Seat.SPECTATOR, Seat.EVADER):
            seen = view(state, seat)
            quick, exact = numbers(guess_mask(seen)), numbers(guess_mask(seen, exact=True))
            assert hidden(state) <= exact <= quick


@pytest.mark.parametrize("seed", range(3))
def test_true_hideouts_are_in_the_mask_with_the_full_deck(seed) -> None:
    for state in random_states(make_config(), Random(seed)):
        seen = view(state, Seat.PURSUERS)
        quick = numbers(seen.guess_mask)
        assert hidden(state) <= numbers(guess_mask(seen, exact=True)) <= quick
        assert not quick & {0, 42, *seen.hand, *(h.card for h in state.row if h.face_up)}


def test_the_exact_mask_is_what_some_world_has() -> None:
    looser = 0
    for state in small_positions(150, seed=5):
        seen = view(state, Seat.PURSUERS)
        worlds = BruteForce(seen.public, frozenset(seen.hand)).worlds
        down = [i for i, spot in enumerate(seen.public.row) if spot.card is None]
        expected = {world.row[i] for world in worlds for i in down}
        assert numbers(guess_mask(seen, exact=True)) == expected
        looser += numbers(guess_mask(seen)) != expected
    assert looser > 10  # else the two would be one


@pytest.mark.parametrize("seed", range(6))
def test_worlds_that_the_marshal_cannot_tell_apart_have_the_same_mask_byte_for_byte(seed) -> None:
    rng, game, n_others = Random(seed), FugitiveGame(), 0
    config = small_config(rng)
    setup = game.deal(config, rng)
    state = game.start(config, setup)
    others = OtherWorlds(game, config, setup, Seat.PURSUERS, rng=rng)
    while legal := rules.legal_actions(state):
        action = rng.choice(legal)
        state = rules.apply_action(state, action)
        others.advance(action)
        told = json.dumps(game.view_to_json(view(state, Seat.PURSUERS)))
        exact = guess_mask(view(state, Seat.PURSUERS), exact=True)
        for past in others.pasts(3):
            other = past.states[-1]
            seen = view(other, Seat.PURSUERS)
            n_others += hidden(other) != hidden(state)
            assert json.dumps(game.view_to_json(seen)) == told
            assert guess_mask(seen, exact=True).tobytes() == exact.tobytes()
            assert hidden(other) <= numbers(exact)
    assert n_others


def test_only_the_marshal_is_sent_the_mask() -> None:
    game = FugitiveGame()
    for state in random_states(make_config("mini"), Random(2)):
        told = {seat: game.view_to_json(view(state, seat))["guess_mask"] for seat in Seat if seat is not Seat.CHANCE}
        assert told.pop(Seat.PURSUERS) == view(state, Seat.PURSUERS).guess_mask.tolist()
        assert set(told.values()) == {None}


def placed(*cards: int) -> State:
    """The Fugitive has placed these in his first turn, without sprint cards."""
    game = FugitiveGame()
    setup = {
        "dealt": [[4, 5, 14], [15, 16], []],
        "piles": [list(range(6, 14)), list(range(17, 29)), list(range(29, 42))],
    }
    state = game.start(make_config(), setup)
    for card in cards:
        state = rules.apply_action(rules.apply_action(state, Hide(card)), Done())
    return state


def marshal_guesses(state: State, number: int, pile: int = 2) -> State:
    while TakeFrom(pile) in rules.legal_actions(state):
        state = rules.apply_action(state, TakeFrom(pile))
    return rules.apply_action(rules.apply_action(state, Name(number)), Ask())


def test_the_document_two_hideouts_without_sprints_are_not_above_6() -> None:
    seen = view(placed(1, 4), Seat.PURSUERS)
    assert numbers(seen.guess_mask) == {1, 2, 3, 4, 5, 6}
    assert numbers(guess_mask(seen, exact=True)) == {1, 2, 3, 4, 5, 6}


def test_the_document_cards_of_her_own_and_cards_face_up_are_out() -> None:
    state = placed(1, 4)
    state = rules.apply_action(rules.apply_action(state, TakeFrom(0)), TakeFrom(0))
    assert numbers(view(state, Seat.PURSUERS).guess_mask) == {1, 2, 3, 4, 5}  # she holds 6 and 7
    state = rules.apply_action(rules.apply_action(state, Name(4)), Ask())
    assert numbers(view(state, Seat.PURSUERS).guess_mask) == {1, 2, 3}


def test_the_document_a_wrong_guess_is_out_for_what_lies_there_and_may_be_a_later_hideout() -> None:
    state = marshal_guesses(placed(1, 2), 5)
    assert numbers(view(state, Seat.PURSUERS).guess_mask) == {1, 2, 3, 4, 6}
    state = rules.apply_action(state, TakeFrom(1))
    state = rules.apply_action(rules.apply_action(state, Hide(5)), Done())
    assert 5 in numbers(view(state, Seat.PURSUERS).guess_mask)
