"""What a decision may take of a bank, on a clock that the test moves."""

from dataclasses import replace

import pytest

from manhunt.core import thinking_time
from manhunt.core.agent import ClockFace, Limit
from manhunt.search.bank import LEAST_SECONDS, BankKeeper


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(thinking_time, "_read", clock)
    return clock


def bank_of(seconds: float, increment: float = 0.0) -> Limit:
    return Limit(seconds, clock=ClockFace(seconds, increment))


def test_without_a_bank_the_limit_stays_as_it_is() -> None:
    for limit in (Limit(), Limit(3.0), Limit(iterations=7), Limit(2.0, clock=ClockFace(cap_seconds=2.0))):
        keeper = BankKeeper(usual_seconds=100.0)
        assert keeper.pace(limit, 10) == limit
        assert not keeper.in_haste


def test_an_even_part_of_the_bank_leaves_room_for_the_rest(clock: Clock) -> None:
    keeper = BankKeeper()
    paced = keeper.pace(bank_of(10.0), 20)
    assert paced.seconds == pytest.approx(0.6 * (10.0 - 20 * 0.001) / 20)
    assert paced == replace(bank_of(10.0), seconds=paced.seconds)


def test_what_decisions_cost_is_measured_and_ends_ordinary_ones_in_time(clock: Clock) -> None:
    keeper, bank, n_ordinary = BankKeeper(), 1.0, 0
    for left in range(600, 0, -1):
        limit = keeper.pace(bank_of(bank), left, share=0.1)
        assert limit.seconds is not None
        used = 0.00005 if keeper.in_haste else limit.seconds + 0.03
        n_ordinary += not keeper.in_haste
        clock.now += used
        bank -= used
        keeper.done()
        assert bank > 0.0, left
    assert 4 <= n_ordinary <= 20
    assert bank > 0.05


def test_a_decision_that_stalls_is_not_repeated_until_there_is_time_for_it(clock: Clock) -> None:
    keeper = BankKeeper()
    keeper.pace(bank_of(2.0), 10)
    clock.now += 0.5
    keeper.done()
    assert keeper.pace(bank_of(1.5), 9).seconds == LEAST_SECONDS
    assert keeper.in_haste
    clock.now += 0.01
    keeper.done()
    keeper.pace(bank_of(4.0), 8)
    assert not keeper.in_haste


def test_who_knows_what_a_decision_takes_does_not_begin_one_that_cannot_end(clock: Clock) -> None:
    keeper = BankKeeper(usual_seconds=0.3)
    keeper.pace(bank_of(1.0), 30)
    assert keeper.in_haste
    keeper.pace(bank_of(3.0), 30)
    assert not keeper.in_haste
