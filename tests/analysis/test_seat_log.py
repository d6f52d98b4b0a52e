"""A seat's log of a position is what a referee told the seat."""

import pytest

from manhunt.analysis.seat_log import SeatLog
from manhunt.core.ids import PLAYERS, Seat
from manhunt.play.position import Position
from manhunt.play.referee import Referee
from random_games import SMALL, random_record


@pytest.mark.parametrize("seat", [*PLAYERS, Seat.SPECTATOR])
def test_a_log_has_the_first_view_all_events_and_the_newest_view(seat: Seat) -> None:
    record = random_record("scotland_yard", 5, **SMALL["scotland_yard"])
    position = Position.of(record.game, record.config, record.setup, record.actions[: len(record.actions) // 2])
    referee = Referee(position.game, position.config, setup=record.setup)
    opening = referee.view(seat)
    for action in position.actions:
        referee.submit(action)
    assert SeatLog.of(position, seat) == SeatLog(
        record.game, seat, opening, referee.events_for(seat), referee.view(seat)
    )
