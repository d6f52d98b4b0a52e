"""A position is followed from its setup; each seat hears of it what it may know."""

import pytest

from manhunt.analysis.position import Position
from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.play.referee import Referee

SETUP = {"mrx": "45", "detectives": ["76", "19"]}
ACTIONS = ("T46", "R:T77", "G:T32", "S58")


def begun() -> Position:
    game = make_game("scotland_yard")
    config = game.make_config(n_detectives=2, rounds=6, shown=(1,))
    return Position.begin(game, config, SETUP, ACTIONS)


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR])
def test_a_seat_hears_what_a_referee_would_tell_it(seat: Seat) -> None:
    position = begun()
    referee = Referee(position.game, position.config, setup=SETUP)
    for action in position.actions:
        referee.submit(action)
    assert list(position.events(seat)) == list(referee.events_for(seat, 0))
    assert position.view(seat) == referee.view(seat)
    log = position.log(seat)
    assert (log.opening, log.view) == (position.at(0).view(seat), position.view(seat))
    assert position.events(seat, 3) == position.events(seat)[-len(position.events(seat, 3)) :] != ()


def test_an_older_position_stays_as_it_is() -> None:
    position = begun()
    after = position.play("R:T78")
    assert (len(position.actions), len(after.actions)) == (4, 5)
    assert after.at(4) == position
    assert after.to_act is Seat.PURSUERS
    with pytest.raises(IllegalAction, match="red has moved already"):
        after.play("R:T77")
