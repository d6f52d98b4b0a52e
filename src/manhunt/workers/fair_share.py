"""Who gets the next free worker: one share for each owner, short tasks before long ones.

An owner is whoever asked, an address say. The one who holds fewest workers now comes first, then the one who used
least of their time lately; among tasks of one owner the one that is expected to be short, less the time it has waited.
In a pool that strangers share, one worker of the lane for waited-for tasks is always kept from any single owner, and
one from long tasks, so that a short task of somebody else begins at once however much the others asked for.
"""

import math
import time
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Protocol

HALF_LIFE_SECONDS = 60.0
"""Time that a worker spent for an owner counts half as much after this."""
MUCH_SECONDS = 60.0
"""Who used more than this lately holds at most one worker at a time."""
LONG_SECONDS = 3.0
MOST_OWNERS = 10_000


class Waiting(Protocol):
    """A task, as this module sees it."""

    number: int
    owner: str
    asked_at: float


class FairShare:
    """What each owner used lately. `n_shared` is the size of a lane that strangers share; None in one's own pool."""

    def __init__(self, n_shared: int | None = None) -> None:
        self._n_shared = n_shared
        self._used: dict[str, tuple[float, float]] = {}

    def used(self, owner: str) -> float:
        """Seconds of workers' time, less as they grow old."""
        seconds, at = self._used.get(owner, (0.0, 0.0))
        age: float = (time.monotonic() - at) / HALF_LIFE_SECONDS
        return seconds * math.pow(0.5, age)

    def spend(self, owner: str, seconds: float) -> None:
        used = self.used(owner)
        self._used.pop(owner, None)  # the one who spent last is the last of the dictionary
        self._used[owner] = (used + seconds, time.monotonic())
        if len(self._used) > MOST_OWNERS:
            del self._used[next(iter(self._used))]

    def rank(self, task: Waiting, holding: Counter[str], expected_seconds: float) -> tuple[float, float, float, int]:
        """The smallest comes first; `holding` counts the workers of each owner."""
        waited = time.monotonic() - task.asked_at
        return (holding[task.owner], round(self.used(task.owner)), expected_seconds - waited, task.number)

    def may_begin(self, owner: str, expected_seconds: float, running: Iterable[tuple[str, float]]) -> bool:
        """Whether one more worker of the shared lane may go to this owner; `running` are owner and expected seconds."""
        if self._n_shared is None:
            return True
        at_work = list(running)
        most = max(1, self._n_shared - 1)
        n_own = sum(other == owner for other, _ in at_work)
        n_long = sum(seconds > LONG_SECONDS for _, seconds in at_work)
        most_own = 1 if self.used(owner) > MUCH_SECONDS else most
        return n_own < most_own and (expected_seconds <= LONG_SECONDS or n_long < most)


class TaskTimes:
    """How long tasks of each kind took: what is expected of the next one."""

    def __init__(self, most: int = 1_000, forget: float = 0.7) -> None:
        self._most, self._forget = most, forget
        self._seconds: dict[Hashable, tuple[float, float]] = {}

    def took(self, kind: Hashable, seconds: float) -> None:
        _, before = self._seconds.pop(kind, (0.0, 0.0))
        self._seconds[kind] = (seconds, max(seconds, self._forget * before))
        if len(self._seconds) > self._most:
            del self._seconds[next(iter(self._seconds))]

    def last(self, kind: Hashable, otherwise: float) -> float:
        return self._seconds.get(kind, (otherwise, otherwise))[0]

    def expected(self, kind: Hashable, otherwise: float) -> float:
        """A slow one is remembered for a while, so that nobody looks quick by asking for easy things in between."""
        return self._seconds.get(kind, (otherwise, otherwise))[1]
