"""The clocks of rooms: what time it is, and being called when somebody's time is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

LONG_SECONDS = 3600.0
"""A turn that may last this long counts real time, also while no server runs; a shorter one begins again after that."""


class TimerHandle(Protocol):
    def cancel(self) -> object: ...


class ServerClock:
    """The clock of the machine; tests have one that they move by hand."""

    def now(self) -> float:
        """Seconds that never jump."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def call_later(self, seconds: float, call: Callable[[], object]) -> TimerHandle:
        return asyncio.get_running_loop().call_later(max(0.0, seconds), call)
