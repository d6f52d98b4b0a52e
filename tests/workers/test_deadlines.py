"""A worker that is late by its own note is ended and replaced, also where its interpreter is stuck."""

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from manhunt.core import compiling
from manhunt.core.thinking_time import PROCESSOR, WALL, count_by
from manhunt.workers.deadlines import (
    MOST_DELAY,
    PATIENCE_SECONDS,
    SharedNote,
    decision_seconds,
    must_end_within,
    new_note,
)
from manhunt.workers.pool import Lane, TaskTooLong, WorkerPool

HERE = __name__


@pytest.fixture(autouse=True)
def importable(monkeypatch) -> None:
    """Workers find the functions of this file."""
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))


def with_pool(scene: Callable[[WorkerPool], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        pool = WorkerPool({Lane.BATCH: 1})
        try:
            return await asyncio.wait_for(scene(pool), 60)
        finally:
            await pool.close()

    return asyncio.run(run())


# What workers are asked to do.


def pid() -> int:
    return os.getpid()


def be_stuck(seconds: float) -> None:
    with must_end_within(seconds, "game 7"):
        re.match("(a+)+$", "a" * 50 + "b")


def be_in_time(seconds: float) -> str:
    with must_end_within(seconds, "a move"):
        pass
    with must_end_within(seconds, "the next move"):
        pass
    return "done"


def compile_for(seconds: float, limit: float) -> str:
    with must_end_within(limit, "a first move"):
        compiling.tell_watchers(True)
        compiling.tell_watchers(True)
        time.sleep(seconds)
        compiling.tell_watchers(False)
        compiling.tell_watchers(False)
    return "compiled"


def compile_and_be_stuck(limit: float) -> None:
    with must_end_within(limit, "after compiling"):
        compiling.tell_watchers(True)
        compiling.tell_watchers(False)
        re.match("(a+)+$", "a" * 50 + "b")


def test_a_worker_that_is_stuck_is_replaced_and_tells_what_it_was_at() -> None:
    async def scene(pool: WorkerPool) -> tuple[Any, ...]:
        first = await pool.run(f"{HERE}:pid", lane=Lane.BATCH)
        others = await asyncio.gather(
            pool.run(f"{HERE}:be_stuck", 0.2, lane=Lane.BATCH),
            pool.run(f"{HERE}:pid", lane=Lane.BATCH),
            return_exceptions=True,
        )
        return first, *others

    first, late, other = with_pool(scene)
    assert isinstance(late, TaskTooLong)
    assert late.what == "game 7"
    assert other not in (first, None), "the task that was sent ahead is done by another worker"


def test_what_is_over_in_time_is_left_alone() -> None:
    async def scene(pool: WorkerPool) -> list[Any]:
        return [await pool.run(f"{HERE}:be_in_time", 60.0, lane=Lane.BATCH) for _ in range(3)]

    assert with_pool(scene) == ["done"] * 3


def test_the_compiler_takes_no_time_off_the_limit() -> None:
    assert with_pool(lambda pool: pool.run(f"{HERE}:compile_for", 0.9, 0.2, lane=Lane.BATCH)) == "compiled"


def test_the_limit_holds_after_the_compiler() -> None:
    async def scene(pool: WorkerPool) -> None:
        with pytest.raises(TaskTooLong):
            await pool.run(f"{HERE}:compile_and_be_stuck", 0.2, lane=Lane.BATCH)

    with_pool(scene)


def test_the_compiler_tells_when_it_is_at_work() -> None:
    from numba.core.compiler_lock import global_compiler_lock

    import manhunt.core.kernel_cache  # noqa: F401

    heard: list[bool] = []
    compiling.watchers.append(heard.append)
    try:
        with global_compiler_lock:
            assert heard == [True]
    finally:
        compiling.watchers.remove(heard.append)
    assert heard == [True, False]


def test_a_note_is_read_as_it_was_written() -> None:
    descriptor, ours = new_note()
    theirs = SharedNote(descriptor)
    os.close(descriptor)
    assert ours.overdue(100.0) is None
    theirs.write(50.0, 3, b"game 7")
    assert ours.overdue(49.0) is None
    assert ours.overdue(50.0) == (3, "game 7")
    theirs.clear()
    assert ours.overdue(100.0) is None


def test_a_decision_in_processor_time_may_wait_for_others_on_the_machine() -> None:
    with count_by(WALL):
        assert decision_seconds(0.2) == 0.2 + PATIENCE_SECONDS
    with count_by(PROCESSOR):
        assert decision_seconds(0.2) == MOST_DELAY * (0.2 + PATIENCE_SECONDS)
