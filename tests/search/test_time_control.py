"""Iterations until a limit: never more than asked for, and no longer than allowed."""

import pytest

from manhunt.core import thinking_time
from manhunt.core.agent import Limit
from manhunt.search.time_control import FIRST_CHUNK, iterate_within


class HandClock:
    """Time passes when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    clock = HandClock()
    monkeypatch.setattr(thinking_time, "_read", clock)
    return clock


@pytest.mark.parametrize("n", [1, 31, 32, 33, 5000])
def test_exactly_so_many_iterations(n: int) -> None:
    chunks: list[int] = []
    assert iterate_within(Limit(iterations=n), chunks.append) == n
    assert sum(chunks) == n
    assert chunks[0] == min(n, FIRST_CHUNK)
    assert all(size > 0 for size in chunks)


def test_seconds_end_a_search_without_end(clock: HandClock) -> None:
    """An iteration of a millisecond: chunks of two hundredths of the time, so that little of it is overrun."""
    chunks: list[int] = []

    def run(n: int) -> None:
        chunks.append(n)
        clock.now += 0.001 * n

    done = iterate_within(Limit(seconds=0.4), run)
    assert done == sum(chunks)
    assert len(chunks) > 5
    assert max(chunks[1:]) <= 20
    assert 0.38 < clock.now < 0.4


def test_the_first_limit_that_is_reached_counts(clock: HandClock) -> None:
    def run(n: int) -> None:
        clock.now += 0.001 * n

    assert iterate_within(Limit(seconds=30.0, iterations=100), run) == 100
    assert iterate_within(Limit(seconds=1e-6, iterations=10**9), run) == FIRST_CHUNK
