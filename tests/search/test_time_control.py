"""Iterations until a limit: never more than asked for, and no longer than allowed."""

from time import perf_counter, sleep

import pytest

from manhunt.core.agent import Limit
from manhunt.search.time_control import FIRST_CHUNK, iterate_within


@pytest.mark.parametrize("n", [1, 31, 32, 33, 5000])
def test_exactly_so_many_iterations(n: int) -> None:
    chunks: list[int] = []
    assert iterate_within(Limit(iterations=n), chunks.append) == n
    assert sum(chunks) == n
    assert chunks[0] == min(n, FIRST_CHUNK)
    assert all(size > 0 for size in chunks)


def test_seconds_end_a_search_without_end() -> None:
    """An iteration of a millisecond: chunks of two hundredths of the time, so that little of it is overrun."""
    chunks: list[int] = []

    def run(n: int) -> None:
        chunks.append(n)
        sleep(0.001 * n)

    began = perf_counter()
    done = iterate_within(Limit(seconds=0.4), run)
    took = perf_counter() - began
    assert done == sum(chunks)
    assert len(chunks) > 5
    assert max(chunks[1:]) <= 20
    assert 0.3 < took < 0.6


def test_the_first_limit_that_is_reached_counts() -> None:
    assert iterate_within(Limit(seconds=30.0, iterations=100), lambda n: None) == 100
    assert iterate_within(Limit(seconds=1e-6, iterations=10**9), lambda n: sleep(0.001)) == FIRST_CHUNK
