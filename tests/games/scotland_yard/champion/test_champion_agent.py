"""The agent `champion`: legal, honest, deterministic, within its budget, on any board with any number of detectives."""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.champion.agent import ChampionAgent, ChampionSettings
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions, to_act
from manhunt.games.scotland_yard.rules.views import events, view
from manhunt.testing import check_agent
from scotland_yard_games import random_board, random_new_game

pytestmark = pytest.mark.kernel
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"


@pytest.mark.parametrize("seat", PLAYERS)
def test_it_cannot_tell_worlds_apart_and_behaves(seat: Seat) -> None:
    limit = Limit(iterations=2 if SLOW else 12)
    check_agent(ChampionAgent, "scotland_yard", seat=seat, games=1, positions=3, worlds=2, limit=limit)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=5 if SLOW else 25)
def test_it_plays_any_small_game_to_its_end(seed: int) -> None:
    rng = Random(seed)
    state = random_new_game(rng, random_board(rng, 8), max_rounds=5)
    agents = {}
    for player in PLAYERS:
        agents[player] = ChampionAgent(ChampionSettings(iterations=rng.choice((1, 5, 60))))
        agents[player].start(view(state, player))
    while legal := legal_actions(state):
        seat = to_act(state)
        assert seat is not None
        advice = agents[seat].act(view(state, seat), Limit(), rng)
        assert advice.action in legal
        assert -1 <= advice.value <= 1
        before, state = state, apply_action(state, advice.action)
        for listener, agent in agents.items():
            agent.observe([event.seen_by(listener) for event in events(before, advice.action, state)])


@pytest.mark.parametrize("seat", PLAYERS)
def test_the_budget_of_iterations_is_kept(seat: Seat) -> None:
    game = make_game("scotland_yard")
    state = game.start(game.make_config(), game.deal(game.make_config(), Random(3)))
    if seat is Seat.PURSUERS:
        state = apply_action(state, legal_actions(state)[0])
    for n in (1, 4, 20):
        agent = ChampionAgent(ChampionSettings())
        agent.start(view(state, seat))
        advice = agent.act(view(state, seat), Limit(iterations=n), Random(1))
        assert advice.counters["iterations"] <= n
        assert advice.action in legal_actions(state)


def test_more_iterations_look_deeper() -> None:
    game = make_game("scotland_yard")
    state = game.start(game.make_config(), game.deal(game.make_config(), Random(3)))
    depths = []
    for n in (1, 40, 400):
        agent = ChampionAgent(ChampionSettings(depth=3))
        agent.start(view(state, Seat.EVADER))
        depths.append(agent.act(view(state, Seat.EVADER), Limit(iterations=n), Random(1)).counters["depth"])
    assert depths == [1, 2, 3]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"depth": 0}, "depth"),
        ({"seconds": 0}, "seconds"),
        ({"hedge": 3}, "hedge must be from 0 to 2"),
        ({"level": -1}, "level must be from 0 to 3"),
        ({"nets": "none.npz"}, "cannot read"),
        ({"nets": "none"}, "unknown nets 'none'; known: .*standard"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], word: str) -> None:
    with pytest.raises(BadAgent, match=word):
        ChampionAgent(ChampionSettings(**options))  # type: ignore[arg-type]
