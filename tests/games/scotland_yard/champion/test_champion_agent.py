"""The agent `champion`: legal, honest, deterministic, within its budget, on any board with any number of detectives."""

import os
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from few_examples import at_most
from followed import follow
from manhunt.analysis.insights import ask_adviser
from manhunt.core.agent import Limit
from manhunt.core.errors import BadAgent
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.beliefs.support import Support
from manhunt.games.scotland_yard.champion.agent import ChampionAgent, ChampionSettings, _ChampionMrX
from manhunt.games.scotland_yard.rules.rules import apply_action, legal_actions, to_act
from manhunt.games.scotland_yard.rules.views import events, view
from manhunt.testing import check_agent
from scotland_yard_games import random_board, random_new_game

LONDON = make_game("scotland_yard").make_config()
SLOW = os.environ.get("NUMBA_DISABLE_JIT") == "1"


@pytest.mark.parametrize("seat", PLAYERS)
def test_it_cannot_tell_worlds_apart_and_behaves(seat: Seat) -> None:
    limit = Limit(iterations=12)
    check_agent(ChampionAgent, "scotland_yard", seat=seat, games=1, positions=3, worlds=2, limit=limit)


@pytest.mark.kernel
@given(seed=st.integers(0, 2**32))
@at_most(5 if SLOW else 25)
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


def test_moves_hedged_before_the_budget_ends_count() -> None:
    """Not all of them are, but the best one is: its answer is foreseen."""
    game = make_game("scotland_yard")
    state = game.start(game.make_config(), game.deal(game.make_config(), Random(3)))
    agent = ChampionAgent(ChampionSettings())
    agent.start(view(state, Seat.EVADER))
    teams = agent.act(view(state, Seat.EVADER), Limit(iterations=14), Random(1)).counters["teams"]
    assert isinstance(agent._player, _ChampionMrX)
    assert teams == 1
    assert agent._player._foreseen is not None


@pytest.mark.parametrize("seat", PLAYERS)
def test_an_advice_says_where_mr_x_is_believed_to_be(seat: Seat) -> None:
    """The likeliest of the candidates, from what the seat was told."""
    for moment in list(follow("scotland_yard", LONDON, seed=5, most=44))[1::5]:
        log = moment.logs[seat]
        if not log.view.legal:
            continue
        candidates = Support()
        candidates.start(log.opening if seat is Seat.PURSUERS else moment.logs[Seat.SPECTATOR].opening)
        candidates.observe(event for event in log.events if event.get("t") != "quarry")
        believed = ask_adviser("champion", log, Limit(iterations=12)).belief
        assert set(believed) <= candidates.candidates
        assert len(believed) == min(3, len(candidates.candidates))
        assert list(believed.values()) == sorted(believed.values(), reverse=True)
        assert sum(believed.values()) <= 1 + 1e-9


def test_alternatives_of_the_detectives_put_them_on_other_nodes() -> None:
    moment = next(m for m in follow("scotland_yard", LONDON, seed=5) if m.logs[Seat.PURSUERS].view.legal)
    advice = ask_adviser("champion", moment.logs[Seat.PURSUERS], Limit(iterations=150))
    teams = [{move.to for move in line} for line in (advice.line, *(other.line for other in advice.alternatives))]
    assert len(teams) >= 3
    assert all(teams.count(team) == 1 for team in teams)


@pytest.mark.parametrize("n", [1, 3])
def test_late_detectives_believe_what_they_did_some_moves_ago(n: int) -> None:
    opening = next(follow("scotland_yard", LONDON, seed=9)).logs[Seat.PURSUERS].opening
    agent = ChampionAgent(ChampionSettings(late=n))
    agent.start(opening)
    assert agent._player is not None
    belief, seen, n_heard = agent._player.belief, [], 0
    for moment in follow("scotland_yard", LONDON, seed=9, most=60):
        log = moment.logs[Seat.PURSUERS]
        agent.observe(log.events[n_heard:])
        n_heard = len(log.events)
        if log.view.outcome or set(log.view.waiting) != set(log.view.pieces):
            continue  # a move of Mr X was just seen
        now = belief.array
        seen = [now] if np.count_nonzero(now) == 1 else [*seen, now]
        if len(seen) > n or len(log.view.log) > 3:
            expected = seen[max(0, len(seen) - 1 - n)].copy()
            expected[list(log.view.pursuers)] = 0
            expected = expected / expected.sum() if expected.any() else now
            assert np.allclose(belief.late(n), expected)
        assert np.array_equal(belief.late(0), now)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"depth": 0}, "depth"),
        ({"seconds": 0}, "seconds"),
        ({"late": -1}, "late must be from 0 to 24"),
        ({"hedge": 3}, "hedge must be from 0 to 2"),
        ({"knows": -1}, "knows must be from 0 to 3"),
        ({"nets": "none.npz"}, "cannot read"),
        ({"nets": "none"}, "unknown nets 'none'; known: .*standard"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], word: str) -> None:
    with pytest.raises(BadAgent, match=word):
        ChampionAgent(ChampionSettings(**options))  # type: ignore[arg-type]
