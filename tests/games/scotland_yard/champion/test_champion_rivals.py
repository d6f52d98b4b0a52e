"""What kind of detectives Mr X thinks he is up against."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.agents.random import RandomAgent
from manhunt.core.agent import Limit
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.games.scotland_yard.champion.agent import ChampionAgent, ChampionSettings
from manhunt.games.scotland_yard.champion.mrx import LEAST_WEIGHT
from manhunt.games.scotland_yard.champion.rivals import PRIOR, ForeseenMoves, Rivals
from manhunt.play.referee import Referee

HERE = np.array([1, 2, 3, 4, 5], np.int32)
MADE = HERE + 10


def foreseen(n_right: int, *, thorough: bool = True) -> ForeseenMoves:
    places = MADE.copy()
    places[n_right:] += 1
    return ForeseenMoves([places], thorough)


def test_the_weights_begin_with_the_prior() -> None:
    assert Rivals(1).weights == pytest.approx([1 - PRIOR, PRIOR])
    assert Rivals(2).weights == pytest.approx([1 - PRIOR, PRIOR / 2, PRIOR / 2])
    assert Rivals(0).weights == pytest.approx([1.0])


def test_moves_that_were_foreseen_speak_for_informed_detectives_and_others_against() -> None:
    for thorough in (False, True):
        weights = []
        for n_right in range(6):
            rivals = Rivals(1)
            rivals.moved(foreseen(n_right, thorough=thorough), HERE, MADE)
            weights.append(rivals.weights[1])
        assert weights == sorted(weights)
        assert weights[0] < PRIOR < weights[5]


def test_detectives_who_stayed_say_nothing() -> None:
    rivals = Rivals(1)
    rivals.moved(foreseen(0), MADE, MADE)
    assert rivals.weights == pytest.approx([1 - PRIOR, PRIOR])


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=30))
def test_he_never_becomes_sure_and_asks_again(turns: list[tuple[int, bool]]) -> None:
    rivals = Rivals(1)
    for n_right, thorough in turns:
        rivals.moved(foreseen(n_right, thorough=thorough), HERE, MADE)
    assert rivals.weights.sum() == pytest.approx(1)
    assert rivals.weights.min() > 0.02
    for _ in range(5):  # turns for which nothing was foreseen
        rivals.moved(None, HERE, MADE)
    assert rivals.weights[1] > LEAST_WEIGHT, "informed detectives are predicted again"


@pytest.mark.parametrize(("spec", "is_informed"), [({"knows": 1, "iterations": 80}, True), (None, False)])
def test_he_tells_informed_detectives_from_others(spec: dict[str, int] | None, is_informed: bool) -> None:
    game = make_game("scotland_yard")
    mrx = ChampionAgent(ChampionSettings(depth=2, iterations=200))
    team = ChampionAgent(ChampionSettings(**spec)) if spec else RandomAgent()
    referee = Referee(game, game.make_config(), {Seat.EVADER: mrx, Seat.PURSUERS: team}, seed=6, limit=Limit())
    weights = []
    while not referee.over and len(weights) < 8:
        if referee.to_act is Seat.EVADER:
            player = mrx._player
            assert player is not None
            weights.append(player.rivals.weights[1])
        referee.step()
    assert bool(weights[-1] > PRIOR) is is_informed, weights
