"""A position is followed from its setup and actions; each seat hears of it what it may know."""

from __future__ import annotations

from random import Random

import pytest

from manhunt.core.errors import BadText, IllegalAction
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import BUILT_IN, kit_of, make_game
from manhunt.play.hindsight import Hindsight
from manhunt.play.position import Position
from manhunt.play.referee import Referee
from random_games import SMALL, random_record

SETUP = {"mrx": "45", "detectives": ["76", "19"]}
ACTIONS = ("T46", "R:T77", "G:T32", "S58")


def begun() -> Position:
    game = make_game("scotland_yard")
    config = game.make_config(n_detectives=2, rounds=6, shown=(1,))
    return Position.begin(game, config, SETUP, ACTIONS)


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_position_is_the_ply_of_the_finished_game(game: str) -> None:
    record = random_record(game, 7, **SMALL[game])
    past = Hindsight(record)
    half = past.last // 2
    position = Position.of(game, record.config, record.setup, record.actions[:half])
    assert position.state == past.states[half]
    assert position.texts == record.actions[:half]
    for seat in PLAYERS:
        assert position.events(seat) == past.events_for(seat, half)
        newest = [event for event in position.events(seat, half - 1) if len(event) > 1]
        assert newest == list(past.seen(half, seat))


@pytest.mark.parametrize("seat", [Seat.EVADER, Seat.PURSUERS, Seat.SPECTATOR])
def test_a_seat_hears_what_a_referee_would_tell_it(seat: Seat) -> None:
    position = begun()
    referee = Referee(position.game, position.config, setup=SETUP)
    for action in position.actions:
        referee.submit(action)
    assert list(position.events(seat)) == list(referee.events_for(seat, 0))
    assert position.view(seat) == referee.view(seat)
    assert position.events(seat, 3) == position.events(seat)[-len(position.events(seat, 3)) :] != ()


def test_an_older_position_stays_as_it_is() -> None:
    position = begun()
    after = position.play("R:T78")
    assert (len(position.actions), len(after.actions)) == (4, 5)
    assert after.at(4) == position
    assert after.to_act is Seat.PURSUERS
    with pytest.raises(IllegalAction, match="red has moved already"):
        after.play("R:T77")


def test_it_refuses_what_the_rules_do_not_offer() -> None:
    game = kit_of("pursuit").game
    config = game.make_config("seed", board="top-right-20")
    position = Position.of("pursuit", game.config_to_json(config), game.deal(config, Random(1)))
    with pytest.raises(BadText):
        position.play("gibberish")
    with pytest.raises(IllegalAction):
        position.play("d0:1")
