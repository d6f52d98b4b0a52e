"""Encoders: numbers stand for actions one to one, and vectors are what the planes say and no more than a view knows."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import encoder_page
from environment_cases import GAMES, PRESETS, SEATS, random_states, small_options
from manhunt.adapters.episode import Episode
from manhunt.core.encoding import MOST_ACTIONS
from manhunt.core.errors import BadConfig, IllegalAction
from manhunt.core.ids import Seat
from manhunt.core.registry import kit_of, make_game
from manhunt.testing.worlds import OtherWorlds, Past

pytestmark = pytest.mark.usefixtures("all_games")


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_numbers_and_legal_actions_are_one_to_one(name: str, preset: str) -> None:
    kit = kit_of(name)
    config = kit.game.make_config(preset)
    encoder = kit.encoder(config)
    for seed in range(3):
        for state in random_states(kit.game, config, seed):
            seat = kit.game.to_act(state)
            for each in SEATS:
                view = kit.game.view(state, each)
                numbers = [encoder.number_of(action) for action in view.legal]
                assert len(set(numbers)) == len(numbers)
                assert [encoder.action_of(number, view) for number in numbers] == list(view.legal)
                mask = encoder.mask(view)
                assert (mask.dtype.name, mask.shape) == ("int8", (encoder.n_actions,))
                assert np.flatnonzero(mask).tolist() == sorted(numbers)
                assert bool(numbers) == (each is seat)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_planes_tile_a_vector_of_numbers_from_0_to_1(name: str, preset: str) -> None:
    kit = kit_of(name)
    config = kit.game.make_config(preset)
    encoder = kit.encoder(config)
    for planes, size in ((encoder.planes, encoder.observation_size), (encoder.shared_planes, encoder.belief_size)):
        assert [plane.start for plane in planes] == np.cumsum([0, *(p.length for p in planes)])[:-1].tolist()
        assert sum(plane.length for plane in planes) == size
        assert len({plane.name for plane in planes}) == len(planes)
        assert all(plane.meaning.endswith(".") and plane.length > 0 for plane in planes)
    for state in random_states(kit.game, config, seed=1):
        for seat in (*SEATS, Seat.SPECTATOR):
            vector = encoder.observe(kit.game.view(state, seat))
            assert (vector.dtype.name, vector.shape) == ("float32", (encoder.observation_size,))
            assert vector.min() >= 0
            assert vector.max() <= 1


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_worlds_that_look_alike_give_the_same_bytes(name: str, seed: int) -> None:
    kit, rng = kit_of(name), Random(seed)
    game, config = kit.game, kit.game.make_config(**small_options(name))
    setup = game.deal(config, rng)
    kinds = {False, bool(kit.encoder(config).belief_size)}
    for seat in SEATS:
        worlds = OtherWorlds(game, config, setup, seat, rng=rng, most=12)
        states, actions = [game.start(config, setup)], []
        for _ in range(rng.randrange(16)):
            action = rng.choice(game.legal_actions(states[-1]))
            after = game.apply_action(states[-1], action)
            if game.outcome(after) is not None:
                break  # then everybody sees everything, and no other world is left
            actions.append(action)
            states.append(after)
            worlds.advance(action)
        past = Past(setup, tuple(actions), tuple(states))
        others = worlds.pasts(3)
        for belief in kinds:
            episode = Episode(name, config, belief=belief)
            truth = list(_seen(episode, past, seat))
            assert all(list(_seen(episode, other, seat)) == truth for other in others)


def _seen(episode: Episode, past: Past, seat: Seat) -> Iterator[tuple[Any, ...]]:
    """Ply by ply, all that an environment gives a seat."""
    episode.begin(past.states[0])
    for action in (None, *past.actions):
        if action is not None:
            episode.play_action(action)
        mask = episode.mask().tobytes() if episode.to_act is seat else b""
        yield episode.to_act, episode.observe(seat).tobytes(), mask


def test_there_are_worlds_that_look_alike() -> None:
    """Else the test above would hold nothing."""
    for name in ("pursuit", "scotland_yard", "fugitive", "night_chase"):
        game = make_game(name)
        config = game.make_config(**small_options(name))
        setups = [game.deal(config, Random(seed)) for seed in range(10)]
        worlds = [OtherWorlds(game, config, setup, Seat.PURSUERS, rng=Random(1), most=12) for setup in setups]
        assert any(each.pasts(3) for each in worlds), name


@pytest.mark.parametrize("name", GAMES)
def test_a_number_that_is_not_legal_is_refused_in_one_line(name: str) -> None:
    kit = kit_of(name)
    config = kit.game.make_config(**small_options(name))
    state, encoder = kit.game.new(config, Random(0)), kit.encoder(config)
    seat = kit.game.to_act(state)
    assert seat is not None
    view = kit.game.view(state, seat)
    illegal = int(np.flatnonzero(encoder.mask(view) == 0)[0])
    other = kit.game.view(state, SEATS[1 - SEATS.index(seat)])
    legal = int(np.flatnonzero(encoder.mask(view))[0])
    for number, asked, words in ((illegal, view, "legal: "), (-1, view, "legal: "), (legal, other, "it is the turn")):
        with pytest.raises(IllegalAction, match=words) as caught:
            encoder.action_of(number, asked)
        assert "\n" not in str(caught.value)


def test_a_config_with_too_many_numbers_is_refused() -> None:
    config = make_game("pursuit").make_config("cops-and-robbers", board="london", n_detectives=3)
    with pytest.raises(BadConfig, match=f"numbers for actions are too many .max {MOST_ACTIONS:,}") as caught:
        kit_of("pursuit").encoder(config)
    assert "\n" not in str(caught.value)


def test_a_game_that_the_default_cannot_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("scotland_yard", "fugitive", "shortest_path"):
        kit = kit_of(name)
        parts = {key: part for key, part in kit.parts.items() if key != "encoder"}
        monkeypatch.setitem(kit.__dict__, "parts", parts)
        with pytest.raises(BadConfig, match=f"{name} has no encoder: .*its kit needs the part 'encoder'"):
            kit.encoder(kit.game.make_config())


def test_the_page_of_encoders_is_what_they_say() -> None:
    assert encoder_page.PAGE.read_text(encoding="utf-8") == encoder_page.page(), "run tests/support/encoder_page.py"
