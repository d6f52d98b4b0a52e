"""A planned turn looks like the played one, and knows nothing that the detectives do not."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from manhunt.core.ids import Seat
from manhunt.games.pursuit.rules import rules, team
from manhunt.games.pursuit.rules.config import PursuitOrder
from manhunt.games.pursuit.rules.views import view
from pursuit_games import pursuit_histories

DETECTIVES = Seat.PURSUERS


def turns_of(states, rng):
    """Every state in which detectives are to move, with some of their next moves at random and the states after."""
    for state in states:
        if state.config.order is PursuitOrder.AT_ONCE:
            return
        played, moves = [state], []
        while rules.to_act(played[-1]) is DETECTIVES:
            moves.append(rng.choice(rules.legal_actions(played[-1])))
            played.append(rules.apply_action(played[-1], moves[-1]))
            yield tuple(played), tuple(moves)
            if not played[-1].waiting:
                break


@given(pursuit_histories(), st.randoms(use_true_random=False))
def test_a_plan_is_what_the_detectives_see_unless_they_find_somebody(history, rng: Random) -> None:
    states, _ = history
    for played, moves in turns_of(states, rng):
        plan = team.planned(view(played[0], DETECTIVES), moves)
        seen = [view(state, DETECTIVES) for state in played]
        found = any(a.quarry is None and b.quarry is not None for a, b in zip(seen, seen[1:], strict=False))
        if rules.outcome(played[-1]) is None and not found:
            assert plan == seen[-1]
        assert plan.outcome is None


def test_detectives_who_move_at_once_are_one_place() -> None:
    from manhunt.games.pursuit.rules.game import PursuitGame

    game = PursuitGame()
    assert team.places(game.make_config("cops-and-robbers", board="petersen")) == ()
    assert team.places(game.make_config("seed", board="petersen")) == (("red", "R"), ("green", "G"))
