"""The clock that limits count by: wall, processor or reported work, chosen for a block."""

import pytest

from manhunt.core import thinking_time
from manhunt.core.agent import Limit
from manhunt.core.thinking_time import CLOCKS, PROCESSOR, TICK_SECONDS, WALL, add_work, count_by, count_work


@pytest.fixture(autouse=True)
def fixed_clocks(monkeypatch) -> None:
    """Clocks that stand still at different times."""
    for name, moment in ((WALL, 100.0), (PROCESSOR, 7.0)):
        monkeypatch.setitem(CLOCKS, name, lambda moment=moment: moment)


def test_limits_end_by_the_clock_of_the_block() -> None:
    limit = Limit(seconds=2.0)
    with count_by(PROCESSOR):
        assert (thinking_time.now(), limit.deadline()) == (7.0, 9.0)
    with count_by(WALL):
        assert (thinking_time.now(), limit.deadline()) == (100.0, 102.0)
        with count_by(PROCESSOR):
            assert thinking_time.now() == 7.0
        assert thinking_time.now() == 100.0


def test_the_clock_is_restored_after_a_block() -> None:
    before = thinking_time._read
    with count_by(PROCESSOR):
        assert thinking_time._read is not before
    assert thinking_time._read is before


def test_the_clock_is_restored_after_an_exception() -> None:
    before = thinking_time._read
    with pytest.raises(RuntimeError), count_by(PROCESSOR):
        raise RuntimeError("an agent crashed")
    assert thinking_time._read is before


def test_an_unknown_clock_changes_nothing() -> None:
    before = thinking_time._read
    with pytest.raises(KeyError), count_by("sundial"):
        pass
    assert thinking_time._read is before


def test_reported_work_counts_inside_its_block_alone() -> None:
    with count_by(WALL):
        add_work(5.0)
        assert thinking_time.now() == 100.0
    with count_work():
        began = thinking_time.now()
        add_work(2.0)
        assert thinking_time.now() - began == pytest.approx(2.0 + TICK_SECONDS)


def test_what_was_counted_before_changes_no_reading() -> None:
    with count_work():
        first = thinking_time.now()
        add_work(1e9)
        with count_work():
            assert thinking_time.now() > 1e9
    with count_work():
        assert thinking_time.now() == first


def test_waiting_for_reported_work_ends_without_any() -> None:
    with count_work():
        deadline = Limit(seconds=0.01).deadline()
        looks = sum(1 for _ in iter(lambda: thinking_time.now() >= deadline, True))
    assert 0 < looks <= round(0.01 / TICK_SECONDS)
