"""The clock that agents think by. It is the wall clock, unless an arena counts processor time.

On a busy machine a second of the wall clock is less than a second of thinking. Processor time gives every agent the
same work for its limit, whatever else runs. It counts this thread alone, so it does not suit bots, which think in
other processes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time

WALL, PROCESSOR = "wall", "processor"
CLOCKS: dict[str, Callable[[], float]] = {WALL: perf_counter, PROCESSOR: thread_time}

_read = perf_counter


def now() -> float:
    """Seconds on the clock that counts."""
    return _read()


@contextmanager
def count_by(clock: str) -> Iterator[None]:
    """Limits count by this clock inside the block, in this process."""
    global _read
    before, _read = _read, CLOCKS[clock]
    try:
        yield
    finally:
        _read = before
