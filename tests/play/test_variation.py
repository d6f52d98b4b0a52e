"""Variations of finished games: the same states, views and events as a game in which these moves were played."""

from __future__ import annotations

from random import Random

import pytest

from manhunt.core.errors import BadText, IllegalAction
from manhunt.core.ids import PLAYERS, Seat
from manhunt.play.hindsight import Hindsight
from manhunt.play.variation import Variation, draw_action, texts_of
from random_games import SMALL, random_record


@pytest.mark.parametrize("name", SMALL)
def test_a_variation_with_the_moves_that_were_played_is_the_game(name: str) -> None:
    past = Hindsight(random_record(name, 8, **SMALL[name]))
    middle = past.last // 2
    again = Variation(Variation(past, 0, past.record.actions[:middle]), middle, past.record.actions[middle:])
    assert again.states == past.states
    assert texts_of(again) == list(past.record.actions)
    assert again.stops == past.stops
    for seat in (*PLAYERS, Seat.SPECTATOR):
        assert again.events_for(seat, past.last) == past.events_for(seat, past.last)
    for track, knower in past.tracks.items():
        for ply in range(past.last):
            assert again.view(ply, knower) == past.view(ply, knower), (track, ply)
            assert again.acting(ply) is past.acting(ply)


def test_a_variation_need_not_be_over() -> None:
    past = Hindsight(random_record("pursuit", 1, **SMALL["pursuit"]))
    line = Variation(past, 1, [past.game.format_action(past.config, past.options(1)[-1])])
    assert line.record.outcome is None
    assert line.acting(line.last) is not None
    assert line.title(line.last).endswith("to act")
    with pytest.raises(IllegalAction):
        Variation(line, line.last, [texts_of(line)[-1]])
    with pytest.raises(BadText):
        Variation(past, 99, [])
    with pytest.raises(BadText, match="not chance's turn"):
        draw_action(past, 1, Random(1))
