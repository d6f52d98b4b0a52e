"""Positions that are taken step by step from setup and actions, and what a seat was told of them."""

from __future__ import annotations

from random import Random

import pytest

from manhunt.core.errors import BadText, IllegalAction
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import BUILT_IN, kit_of
from manhunt.play.hindsight import Hindsight
from manhunt.play.position import Position
from random_games import SMALL, random_record


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_position_is_the_ply_of_the_finished_game(game: str) -> None:
    record = random_record(game, 7, **SMALL[game])
    past = Hindsight(record)
    half = past.last // 2
    position = Position.of(game, record.config, record.setup, record.actions[:half])
    assert position.state == past.states[half]
    assert position.texts == record.actions[:half]
    for seat in PLAYERS:
        assert position.events_for(seat) == past.events_for(seat, half)
        newest = [event for event in position.events_for(seat, half) if len(event) > 1]
        assert newest == list(past.seen(half, seat))


def test_it_refuses_what_the_rules_do_not_offer() -> None:
    game = kit_of("pursuit").game
    config = game.make_config("seed", board="top-right-20")
    position = Position.of("pursuit", game.config_to_json(config), game.deal(config, Random(1)))
    with pytest.raises(BadText):
        position.after("gibberish")
    with pytest.raises(IllegalAction):
        position.after("d0:1")
