"""Until when a worker must be done with what it does now; the pool looks, and ends a worker that is late.

The worker notes the time in a few bytes that both processes share. That costs a microsecond, and it works also where
the worker's interpreter is stuck in a call that never returns. What the compiler takes is added to the time.
"""

import contextlib
import math
import mmap
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from manhunt.core import compiling, thinking_time

PATIENCE_SECONDS = 5.0
"""How much longer than its limit an agent may take before it counts as hung."""
MOST_DELAY = 20
"""Where limits count processor time, so many times as long, because other programs may use the processor."""
PREPARING_SECONDS = 300.0
"""How long an agent may get ready for a game: read tables, solve it. A kernel may take as long to compile."""
UNTIMED_SECONDS = 3600.0
"""For a decision where no limit of time was given."""
SIZE = 256
_HEAD = struct.Struct("=dqH")
_NEVER = 0.0


class Overdue(NamedTuple):
    """What a worker should have been done with: the number of its task, and its own words for it."""

    task: int
    what: str


class SharedNote:
    """The bytes that a worker writes and the pool reads."""

    def __init__(self, descriptor: int) -> None:
        self._bytes = mmap.mmap(descriptor, SIZE)

    def write(self, deadline: float, task: int, what: bytes) -> None:
        """The time comes last: whoever sees it sees all."""
        self.clear()
        _HEAD.pack_into(self._bytes, 0, _NEVER, task, len(what))
        self._bytes[_HEAD.size : _HEAD.size + len(what)] = what
        struct.pack_into("=d", self._bytes, 0, deadline)

    def clear(self) -> None:
        struct.pack_into("=d", self._bytes, 0, _NEVER)

    def overdue(self, now: float) -> Overdue | None:
        """None while there is time, and where there is no hurry."""
        deadline, task, length = _HEAD.unpack_from(self._bytes)
        if deadline == _NEVER or now < deadline:
            return None
        what = self._bytes[_HEAD.size : _HEAD.size + length]
        is_still_so = struct.unpack_from("=d", self._bytes)[0] == deadline
        return Overdue(task, what.decode("utf-8", "replace")) if is_still_so else None


def new_note() -> tuple[int, SharedNote]:
    """For a new worker: the descriptor that it inherits, which the caller closes, and our side of it."""
    with tempfile.TemporaryFile(prefix="manhunt-worker-") as file:
        file.truncate(SIZE)
        return os.dup(file.fileno()), SharedNote(file.fileno())


class _Here:
    """The worker's side: this process is a worker if it has a note."""

    def __init__(self) -> None:
        self.note: SharedNote | None = None
        self.task = 0
        self.deadline = _NEVER
        self.what = b""
        self.depth = 0
        self.began_compiling = 0.0

    def set(self, deadline: float, what: bytes) -> None:
        self.deadline, self.what = deadline, what
        if self.note is not None:
            self.note.write(deadline, self.task, what)

    def clear(self) -> None:
        self.deadline = _NEVER
        if self.note is not None:
            self.note.clear()

    def compiling(self, is_compiling: bool) -> None:
        """The clock stands still meanwhile, within reason."""
        self.depth += 1 if is_compiling else -1
        if is_compiling and self.depth == 1:
            self.began_compiling = time.monotonic()
            if self.deadline != _NEVER:
                self.set(self.deadline + PREPARING_SECONDS, self.what)
        elif not is_compiling and self.depth == 0 and self.deadline != _NEVER:
            self.set(self.deadline - PREPARING_SECONDS + time.monotonic() - self.began_compiling, self.what)


_here = _Here()
compiling.watchers.append(_here.compiling)


def be_watched(descriptor: int) -> None:
    """At the start of a worker."""
    _here.note = SharedNote(descriptor)
    os.close(descriptor)


def begin_task(number: int) -> None:
    """What is noted from now on belongs to this task."""
    _here.task = number
    _here.clear()


def is_worker() -> bool:
    """Whether somebody else replaces this process when it ends."""
    return _here.note is not None


@contextlib.contextmanager
def must_end_within(seconds: float, what: str = "") -> Iterator[None]:
    """Inside, this worker is ended when it takes longer; elsewhere nothing happens. `what` goes to the pool."""
    _here.set(time.monotonic() + seconds, what.encode()[: SIZE - _HEAD.size])
    try:
        yield
    finally:
        _here.clear()


def remaining_seconds() -> float:
    """Until what this process is at must be over; infinite where there is no hurry."""
    return math.inf if _here.deadline == _NEVER else _here.deadline - time.monotonic()


def decision_seconds(limit_seconds: float | None) -> float:
    """How long a decision may take at the very most."""
    if limit_seconds is None:
        return UNTIMED_SECONDS
    most_seconds = limit_seconds + PATIENCE_SECONDS
    return most_seconds if thinking_time.is_wall() else MOST_DELAY * most_seconds
