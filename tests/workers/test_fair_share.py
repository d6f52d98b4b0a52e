"""Workers are shared fairly: nobody who asks for much keeps others from a short answer."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from manhunt.workers import fair_share
from manhunt.workers.fair_share import FairShare, TaskTimes
from manhunt.workers.pool import Lane, WorkerPool

HERE = __name__


@pytest.fixture(autouse=True)
def importable(monkeypatch) -> None:
    """Workers find the functions of this file."""
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))


def nap(seconds: float) -> None:
    time.sleep(seconds)


def add(a: int, b: int) -> int:
    return a + b


def with_strangers(scene: Callable[[WorkerPool], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        pool = WorkerPool({Lane.GENERAL: 2, Lane.EXPRESS: 1}, for_strangers=True)
        try:
            async with asyncio.timeout(60):
                return await scene(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


async def let_begin(pool: WorkerPool, n: int) -> None:
    while pool.counts()[Lane.GENERAL][1] < n:
        await asyncio.sleep(0.01)


def test_sixty_long_tasks_of_one_address_leave_a_worker_for_another() -> None:
    async def scene(pool: WorkerPool) -> int:
        loop = asyncio.get_running_loop()
        flood = [
            loop.create_task(pool.run(f"{HERE}:nap", 600.0, owner="greedy", usual_seconds=30.0)) for _ in range(60)
        ]
        await let_begin(pool, 1)
        answer: int = await pool.run(f"{HERE}:add", 1, 2, owner="visitor")
        assert pool.counts()[Lane.GENERAL][1] == 1
        for task in flood:
            task.cancel()
        return answer

    assert with_strangers(scene) == 3


def test_long_tasks_of_many_addresses_leave_a_worker_for_short_ones() -> None:
    async def scene(pool: WorkerPool) -> int:
        loop = asyncio.get_running_loop()
        flood = [
            loop.create_task(pool.run(f"{HERE}:nap", 600.0, owner=f"a{i}", usual_seconds=30.0, kind=f"long {i}"))
            for i in range(5)
        ]
        await let_begin(pool, 1)
        answer: int = await pool.run(f"{HERE}:add", 1, 2, owner="visitor")
        for task in flood:
            task.cancel()
        return answer

    assert with_strangers(scene) == 3


@dataclass
class Asked:
    number: int
    owner: str
    asked_at: float = field(default_factory=time.monotonic)


def order(shares: FairShare, *tasks: tuple[Asked, float], holding: tuple[str, ...] = ()) -> list[int]:
    held = Counter(holding)
    return [task.number for task, _ in sorted(tasks, key=lambda pair: shares.rank(pair[0], held, pair[1]))]


def test_who_has_least_comes_first_and_of_ones_own_the_shortest() -> None:
    shares = FairShare()
    assert order(shares, (Asked(1, "a"), 5.0), (Asked(2, "a"), 0.1)) == [2, 1]
    assert order(shares, (Asked(1, "a"), 0.1), (Asked(2, "b"), 5.0), holding=("a",)) == [2, 1]
    shares.spend("a", 20.0)
    assert order(shares, (Asked(1, "a"), 0.1), (Asked(2, "b"), 5.0)) == [2, 1]


def test_a_long_task_is_not_passed_for_ever() -> None:
    early = Asked(1, "a", time.monotonic() - 60.0)
    assert order(FairShare(), (Asked(2, "a"), 0.1), (early, 30.0)) == [1, 2]


def test_who_used_much_holds_one_worker_until_that_is_forgotten(monkeypatch) -> None:
    shares = FairShare(n_shared=4)
    running = [("a", 1.0)]
    assert shares.may_begin("a", 1.0, running)
    shares.spend("a", 2 * fair_share.MUCH_SECONDS)
    assert not shares.may_begin("a", 1.0, running)
    assert shares.may_begin("a", 1.0, [])
    later = time.monotonic() + 10 * fair_share.HALF_LIFE_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert shares.may_begin("a", 1.0, running)


def test_a_slow_task_is_remembered_and_kinds_are_not_kept_for_ever() -> None:
    times = TaskTimes(most=10)
    times.took("x", 20.0)
    times.took("x", 0.01)
    assert times.last("x", 1.0) == 0.01
    assert times.expected("x", 1.0) > 10
    for i in range(100):
        times.took(i, 1.0)
    assert times.expected("x", 7.0) == 7.0
