"""A planned turn looks like the played one, and knows nothing that the detectives do not."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Seat
from manhunt.games.scotland_yard.rules import rules, team
from manhunt.games.scotland_yard.rules.config import make_config
from manhunt.games.scotland_yard.rules.views import view
from scotland_yard_games import scotland_yard_histories

DETECTIVES = Seat.PURSUERS


def turns_of(states, rng):
    """Every state in which detectives are to move, with some of their next moves at random and the states after."""
    for state in states:
        played, moves = [state], []
        while rules.to_act(played[-1]) is DETECTIVES:
            moves.append(rng.choice(rules.legal_actions(played[-1])))
            played.append(rules.apply_action(played[-1], moves[-1]))
            yield state, tuple(moves), played[-1]


@given(scotland_yard_histories(), st.randoms(use_true_random=False))
def test_a_plan_is_what_the_detectives_see_when_they_have_moved(history, rng: Random) -> None:
    states, _ = history
    for state, moves, after in turns_of(states, rng):
        plan = team.planned(view(state, DETECTIVES), moves)
        if rules.outcome(after) is None:
            assert plan == view(after, DETECTIVES)


@given(scotland_yard_histories(), st.randoms(use_true_random=False))
def test_a_plan_is_the_same_wherever_mr_x_is(history, rng: Random) -> None:
    states, _ = history
    for state, moves, _ in turns_of(states, rng):
        plan = team.planned(view(state, DETECTIVES), moves)
        assert plan.quarry is None
        assert plan.outcome is None
        for node in state.config.board.nodes():
            other = view(replace(state, quarry=node), DETECTIVES)
            if other == view(state, DETECTIVES):
                assert team.planned(other, moves) == plan


def test_a_plan_refuses_what_no_detective_can_do() -> None:
    from manhunt.games.scotland_yard.rules.game import ScotlandYardGame

    game, config = ScotlandYardGame(), make_config()
    state = game.new(config, Random(1))
    state = game.apply_action(state, game.legal_actions(state)[0])
    seen = view(state, DETECTIVES)
    first = seen.legal[0]
    with pytest.raises(IllegalAction, match="not possible after the moves before it"):
        team.planned(seen, [first, first])


def test_every_detective_is_a_place() -> None:
    config = make_config(n_detectives=3)
    assert team.places(config) == (("red", "R"), ("green", "G"), ("blue", "B"))
