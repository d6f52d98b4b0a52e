"""Every game in OpenSpiel: its own checks, chance, numbers, serialisation, and what a seat may know."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.adapters.openspiel import load, register
from manhunt.adapters.openspiel.deals import Dealing, DrawnDeals, ListedDeals
from manhunt.adapters.openspiel.options import format_options, parse_options
from manhunt.core.errors import BadConfig, ManhuntError, MissingExtra
from manhunt.core.ids import PLAYERS
from manhunt.core.kit import Kit
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.testing.worlds import OtherWorlds

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (pip install 'manhunt[openspiel]')")

TINY = [(name, "tiny") for name in BUILT_IN]
PRESETS = [(kit.name, preset) for kit in map(kit_of, BUILT_IN) for preset in (*kit.part("miniatures"), *kit.presets)]
SIMPLER = {"cops-and-robbers": {"board": "petersen", "n_detectives": 2, "max_plies": 40}}
"""Three detectives on the usual board who move at once have more numbers for moves than anybody wants."""


def loaded(name: str, preset: str) -> Any:
    return load(name, preset, **SIMPLER.get(preset, {}))


def random_states(game: Any, rng: Random) -> Iterator[Any]:
    """The states of one game by lot, chance nodes included; each is a clone."""
    state = game.new_initial_state()
    while True:
        yield state.clone()
        if state.is_terminal():
            return
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(numbers, odds)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))


def all_states(state: Any) -> Iterator[Any]:
    yield state
    numbers = [n for n, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    for number in numbers:
        yield from all_states(state.child(number))


def test_all_games_are_registered_once() -> None:
    names = register()
    assert names[: len(BUILT_IN)] == tuple(f"manhunt_{name}" for name in BUILT_IN)
    assert register() == names
    assert set(names) <= set(pyspiel.registered_names())


def test_without_openspiel_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"pip install -c constraints.txt -e '\.\[openspiel\]'"):
        register()


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_openspiels_own_check_passes(name: str, preset: str) -> None:
    pyspiel.random_sim_test(loaded(name, preset), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", BUILT_IN)
def test_copies_pickles_and_texts_have_the_same_future(name: str) -> None:
    game, rng = load(name, "small"), Random(3)
    for state in [*random_states(game, rng)][::3]:
        again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
        for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), again):
            assert other.history() == state.history()
            assert str(other) == str(state)
            assert other.legal_actions() == state.legal_actions()
            ends = [[*random_states_from(each.clone(), Random(5))][-1] for each in (state, other)]
            assert ends[0].history() == ends[1].history()
            assert ends[0].returns() == ends[1].returns()


def random_states_from(state: Any, rng: Random) -> Iterator[Any]:
    yield state
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        yield state


@pytest.mark.parametrize(("name", "preset"), TINY)
def test_a_clone_shares_its_position(name: str, preset: str) -> None:
    for state in random_states(load(name, preset), Random(1)):
        assert state.clone().position is state.position


@pytest.mark.parametrize(("name", "preset"), TINY)
def test_a_game_is_its_text(name: str, preset: str) -> None:
    game = load(name, preset)
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pyspiel.deserialize_game(game.serialize())) == str(game)


@pytest.mark.parametrize(("name", "preset"), TINY)
def test_players_remember_everything_and_know_their_choices(name: str, preset: str) -> None:
    """Perfect recall: the states of one information state share the player's own past and the legal actions."""
    pasts: dict[tuple[int, str], set[Any]] = defaultdict(set)
    game = load(name, preset)
    for state in all_states(game.new_initial_state()):
        if state.is_terminal() or state.is_chance_node():
            continue
        player, past, at = state.current_player(), list[Any](), game.new_initial_state()
        for step in state.full_history():
            if step.player == player:
                past.append((at.information_state_string(player), step.action))
            at.apply_action(step.action)
        pasts[player, state.information_state_string()].add((tuple(past), tuple(state.legal_actions())))
    assert pasts
    assert all(len(found) == 1 for found in pasts.values())


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_every_state_is_what_the_game_says(name: str, preset: str) -> None:
    kit, rng = kit_of(name), Random(2)
    game = loaded(name, preset)
    rules = game.new_initial_state().position.rules
    states = list(random_states(game, rng))
    for state in states:
        if state.is_chance_node():
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
            assert max(number for number, _ in state.chance_outcomes()) < game.max_chance_outcomes()
            continue
        truth = state.position.state
        seat = kit.game.to_act(truth)
        if seat is not None and not state.is_terminal():
            assert state.current_player() == PLAYERS.index(seat)
            numbers = sorted(map(rules.encoder.number_of, kit.game.legal_actions(truth)))
            assert state.legal_actions() == numbers
    n_plies = sum(step.player >= 0 for step in states[-1].full_history())
    assert n_plies <= game.max_game_length()
    outcome = kit.game.outcome(states[-1].position.state)
    if outcome is not None and outcome.cost is None:
        assert states[-1].returns() == [outcome.value, -outcome.value]


def test_an_arrival_counts_by_its_cost() -> None:
    game = load("shortest_path", "small")
    finals = []
    for seed in range(30):
        *_, final = random_states(game, Random(seed))
        finals.append((final.position.rules.game.outcome(final.position.state), final.returns()[0]))
    arrived = sorted((outcome.cost, value) for outcome, value in finals if outcome.cost is not None)
    assert arrived[0][0] < arrived[-1][0]
    assert [value for _, value in arrived] == sorted((value for _, value in arrived), reverse=True)
    assert all(value == pytest.approx(2 * 4 / cost - 1) for cost, value in arrived)
    assert all(value == outcome.value for outcome, value in finals if outcome.cost is None)


def test_a_game_without_end_is_cut_in_the_evaders_favour() -> None:
    game = load("pursuit", "cops-and-robbers", board="ring:6", n_detectives=1, max_plies=7)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[-2])
    while not state.is_terminal():
        here = state.position.state
        stays = [
            number
            for number, action in state.position.actions.items()
            if getattr(action, "to", None) == here.quarry or getattr(action, "to_all", None) == here.pursuers
        ]
        state.apply_action(stays[0])
    assert len(state.history()) == game.max_game_length() == 7
    assert state.returns() == [1.0, -1.0]


def listed(dealing: Dealing, drawn: tuple[int, ...] = ()) -> Iterator[tuple[Any, float]]:
    odds = dealing.odds(drawn)
    if not odds:
        yield dealing.setup_of(drawn), 1.0
    for number, p in odds:
        for setup, rest in listed(dealing, (*drawn, number)):
            yield setup, p * rest


@pytest.mark.parametrize(("name", "preset"), [case for case in TINY if kit_of(case[0]).has("draws")])
def test_draws_one_by_one_deal_as_the_game_lists(name: str, preset: str) -> None:
    kit = kit_of(name)
    config = kit.game.make_config(**kit.part("miniatures")[preset])
    drawn: Counter[Any] = Counter()
    dealing = DrawnDeals(kit, config)
    for setup, p in listed(dealing):
        assert dealing.setup_of(dealing.drawn_of(setup)) == setup
        state = kit.game.start(config, setup)
        if kit.game.outcome(state) is None:
            drawn[state] += p  # type: ignore[assignment]
    total = sum(drawn.values())
    expected = ListedDeals(kit.game, config, list(kit.game.deals(config)))
    for number, p in expected.odds(()) or [(0, 1.0)]:
        state = kit.game.start(config, expected.setup_of((number,)))
        assert drawn.pop(state) / total == pytest.approx(p)
    assert not drawn


def test_a_game_that_does_not_list_its_deals_is_dealt_by_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    from manhunt.adapters.openspiel import deals

    kit = kit_of("pursuit")
    monkeypatch.setattr(deals, "MOST_LISTED", 10)
    plain = Kit(home=kit.home, name=kit.name, summary="", parts={"game": kit.parts["game"]})
    dealing = deals.dealing_of(plain, kit.game.make_config(board="path:5", n_detectives=1))
    assert sum(p for _, p in dealing.odds(())) == pytest.approx(1)
    assert len(dealing.odds(())) == 18


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("abcxyz-_ ", min_size=1),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc", min_size=1), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.text("abc_", min_size=1), VALUES))
def test_options_are_written_and_read(options: dict[str, Any]) -> None:
    text = format_options(options)
    assert "," not in text
    assert parse_options(text) == options


def test_words_in_options_need_no_quotes() -> None:
    assert parse_options("visibility:sight;reveal_rounds:[1;3]") == {"visibility": "sight", "reveal_rounds": [1, 3]}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"preset": "huge"}, "unknown preset of pursuit 'huge'"),
        ({"options": "n_detectives"}, "could not parse the option 'n_detectives'"),
        ({"options": "n_detectives:0"}, "at least 1 is needed"),
        ({"board": "nowhere"}, "unknown board 'nowhere'"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(given: dict[str, Any], words: str) -> None:
    register()
    with pytest.raises(ManhuntError, match=words) as error:
        pyspiel.load_game("manhunt_pursuit", given)
    assert "\n" not in str(error.value)


def test_an_option_that_openspiel_cannot_write_is_refused() -> None:
    with pytest.raises(BadConfig, match="no commas"):
        format_options({"name": "a,b"})


@pytest.mark.parametrize("name", BUILT_IN)
def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_strings_and_tensors(name: str) -> None:
    game, rng, n_compared = load(name, "small"), Random(4), 0
    for player, seat in enumerate(PLAYERS):
        for _ in range(6):
            states = [state for state in random_states(game, rng) if not state.is_chance_node()]
            position = states[-1].position
            rules = position.rules
            worlds = OtherWorlds(rules.game, rules.config, position.setup, seat, rng=rng)
            for state in states[1:]:
                worlds.advance(state.position.action)
                for past in worlds.pasts(2):
                    n_compared += 1
                    other = game.new_initial_state()
                    for number in rules.dealing.drawn_of(past.setup):
                        other.apply_action(number)
                    for action in past.actions:
                        other.apply_action(rules.encoder.number_of(action))
                    assert other.information_state_string(player) == state.information_state_string(player)
                    assert other.information_state_tensor(player) == state.information_state_tensor(player)
                    assert other.observation_string(player) == state.observation_string(player)
                    assert other.observation_tensor(player) == state.observation_tensor(player)
    assert n_compared > 10 or not kit_of(name).game.capabilities.hidden


@pytest.mark.parametrize("recalls", [False, True])
@pytest.mark.parametrize("name", BUILT_IN)
def test_public_and_private_information_make_up_what_a_seat_knows(name: str, recalls: bool) -> None:
    game, private = load(name, "tiny"), pyspiel.PrivateInfoType
    whole, public, secret = (
        game.make_py_observer(pyspiel.IIGObservationType(public_info=open_, perfect_recall=recalls, private_info=kind))
        for open_, kind in ((True, private.SINGLE_PLAYER), (True, private.NONE), (False, private.SINGLE_PLAYER))
    )
    for state in random_states(game, Random(6)):
        assert len({public.string_from(state, player) for player in (0, 1)}) == 1
        for player in (0, 1):
            for observer in (whole, public, secret):
                observer.set_from(state, player)
            assert (public.tensor + secret.tensor == whole.tensor).all()
            if not recalls and not state.is_chance_node():
                texts = [json.loads(observer.string_from(state, player)) for observer in (public, secret, whole)]
                assert texts[0] | texts[1] == texts[2]
    with pytest.raises(ValueError, match="one player at most"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True, private_info=private.ALL_PLAYERS))


def test_observation_strings_are_views_as_json() -> None:
    *_, state = (s for s in random_states(load("pursuit", "small"), Random(1)) if not s.is_terminal())
    assert json.loads(state.observation_string(1))["seat"] == "pursuers"
