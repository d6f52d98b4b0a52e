"""Bank, increment, cap."""

import pytest

from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.play.clock import GameClock, TimeControl


def test_no_control_means_no_bound() -> None:
    clock = GameClock()
    assert clock.allowance(Seat.EVADER) is None
    assert clock.charge(Seat.EVADER, 1e9)


def test_the_bank_shrinks_by_use_and_grows_by_the_increment() -> None:
    clock = GameClock(TimeControl(bank_seconds=10, increment_seconds=1))
    assert clock.charge(Seat.EVADER, 4)
    assert clock.allowance(Seat.EVADER) == 7
    assert clock.allowance(Seat.PURSUERS) == 10


def test_the_cap_bounds_one_move() -> None:
    clock = GameClock(TimeControl(bank_seconds=10, cap_seconds=2))
    assert clock.allowance(Seat.EVADER) == 2
    assert not clock.charge(Seat.EVADER, 3)


def test_an_empty_bank_is_time_over() -> None:
    clock = GameClock(TimeControl(bank_seconds=1))
    assert clock.charge(Seat.EVADER, 1)
    assert clock.allowance(Seat.EVADER) == 0
    assert not clock.charge(Seat.EVADER, 0.001)


@pytest.mark.parametrize(
    "bad", [{"bank_seconds": 0}, {"cap_seconds": -1}, {"increment_seconds": -0.1}, {"bank_seconds": float("nan")}]
)
def test_controls_that_leave_no_time_are_refused(bad) -> None:
    with pytest.raises(BadConfig, match=next(iter(bad))):
        TimeControl(**bad)
