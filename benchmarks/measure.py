"""Measuring for the benchmarks: time after warming up, memory, ratios, and what machine it was.

Importing it first lets a benchmark import the helpers of the tests, which lie in tests/support.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from manhunt.solvers.memory import peak_rss_mb

T = TypeVar("T")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))


def timed(work: Callable[[], T], repeat: int = 1) -> tuple[float, T]:
    """The best of some runs, in seconds, and the last result."""
    best = float("inf")
    for _ in range(repeat):
        began = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - began)
    return best, result


def print_machine() -> None:
    print(f"machine: {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}")


def print_rate(name: str, states: int, seconds: float, note: str = "") -> None:
    rate = f"{states / seconds:.3g} states/s"
    print(f"{name:<34} {states:>15,} states  {seconds:>8.3f} s  {rate:<18} {note}")


def print_ratio(what: str, fast: float, slow: float) -> None:
    print(f"{what}: {fast / slow:,.0f} times")


def print_peak() -> None:
    print(f"peak memory of this process so far: {peak_rss_mb():,.0f} MB")
