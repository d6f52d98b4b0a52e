"""The clock that agents and searches think by. It is the wall clock, unless somebody asks for another.

On a busy machine a second of the wall clock is less than a second of thinking. Processor time gives every agent the
same work for its limit, whatever else runs. It counts this thread alone, so it does not suit bots, which think in
other processes.

Neither gives the same result twice. Inside `count_work` the clock shows what searches report with `add_work`: about
the seconds that the work takes, computed from its size. A search limited by this clock does the same on every machine.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter, thread_time

WALL, PROCESSOR = "wall", "processor"
CLOCKS: dict[str, Callable[[], float]] = {WALL: perf_counter, PROCESSOR: thread_time}
TICK_SECONDS = 20e-6
"""What the clock of counted work gains at each look, so that every wait for it ends."""

_read = perf_counter
_worked = 0.0


def now() -> float:
    """Seconds on the clock that counts."""
    return _read()


def is_wall() -> bool:
    """Whether limits count by the wall clock."""
    return _read is CLOCKS[WALL]


def add_work(seconds: float) -> None:
    """A search reports work that takes about so long; other clocks ignore it."""
    global _worked
    _worked += seconds


def count_by(clock: str) -> AbstractContextManager[None]:
    """Limits count by this clock inside the block, in this process."""
    return _reading(CLOCKS[clock])


@contextmanager
def count_work() -> Iterator[None]:
    """Limits count reported work inside the block, in this process; the outermost block begins at 0.

    So the same work gives the same readings to the last bit, whatever was counted before.
    """
    global _worked
    if _read is not _look_at_work:
        _worked = 0.0
    with _reading(_look_at_work):
        yield


def _look_at_work() -> float:
    add_work(TICK_SECONDS)
    return _worked


@contextmanager
def _reading(read: Callable[[], float]) -> Iterator[None]:
    global _read
    before, _read = _read, read
    try:
        yield
    finally:
        _read = before
