"""A clock of work: it counts what this process computes, times a factor, and not what others do on the machine."""

import sys
import time
from collections.abc import Callable

import pytest

from manhunt.core import thinking_time


def work_clock(monkeypatch: pytest.MonkeyPatch, times: float) -> Callable[[], float]:
    """Until the test ends, agents read a clock on which this machine is so many times as slow; the clock itself."""
    wall = time.perf_counter

    def clock() -> float:
        return times * time.process_time()

    for name, module in list(sys.modules.items()):
        if name.startswith("manhunt") and getattr(module, "perf_counter", None) is wall:
            monkeypatch.setattr(module, "perf_counter", clock)
    monkeypatch.setattr(time, "perf_counter", clock)
    monkeypatch.setattr(thinking_time, "_read", clock)
    return clock
