"""Worker processes: answers, errors, cancelling, sticky keys, quick lanes, tasks sent ahead of a worker that dies."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from manhunt.core.errors import BadText
from manhunt.workers import pool as pool_module
from manhunt.workers.pool import Lane, NoWorkers, TaskFailed, TaskTooLong, WorkerDied, WorkerPool

HERE = __name__


def with_pool(scene: Callable[[WorkerPool], Awaitable[Any]], n_workers: int = 1) -> Any:
    async def run() -> Any:
        pool = WorkerPool({Lane.GENERAL: n_workers, Lane.EXPRESS: 1, Lane.JOBS: 1, Lane.BATCH: n_workers})
        try:
            return await scene(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def importable(monkeypatch) -> None:
    """Workers find the functions of this file."""
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))


# What workers are asked to do.


def add(a: int, b: int) -> int:
    return a + b


def nap(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def pid() -> int:
    return os.getpid()


def refuse() -> None:
    raise BadText("line 3: no such card")


class Detailed(BadText):
    """An error that is not made from its text alone."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def refuse_in_detail() -> None:
    raise Detailed(3, "no such card")


def break_down() -> None:
    raise RuntimeError("two\nlines")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def no_answer() -> object:
    return lambda: None


def die_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        die()
    return "alive"


def test_an_answer_comes_back() -> None:
    assert with_pool(lambda pool: pool.run(f"{HERE}:add", 2, 3)) == 5


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("refuse", BadText, "line 3: no such card"),
        ("refuse_in_detail", BadText, "no such card"),
        ("break_down", TaskFailed, "RuntimeError: two lines"),
        ("no_answer", TaskFailed, "pickle"),
        ("nosuch", TaskFailed, "nosuch"),
        ("die", WorkerDied, "ended"),
    ],
)
def test_an_error_comes_back(name: str, kind: type[Exception], words: str) -> None:
    async def scene(pool: WorkerPool) -> None:
        with pytest.raises(kind, match=words):
            await pool.run(f"{HERE}:{name}")
        assert await pool.run(f"{HERE}:add", 1, 1) == 2

    with_pool(scene)


def test_a_system_without_processes_is_told_and_forgotten() -> None:
    async def scene(pool: WorkerPool) -> None:
        with mock.patch("subprocess.Popen", side_effect=OSError(11, "no more processes")):
            for _ in range(2):
                with pytest.raises(NoWorkers, match="do not start"):
                    await asyncio.wait_for(pool.run(f"{HERE}:add", 1, 1), 300)
        assert await pool.run(f"{HERE}:add", 1, 1) == 2

    with_pool(scene)


def test_a_cancelled_task_ends_its_process_and_another_takes_over() -> None:
    async def scene(pool: WorkerPool) -> tuple[int, int, float]:
        first = await pool.run(f"{HERE}:pid")
        began = time.monotonic()
        task = asyncio.get_running_loop().create_task(pool.run(f"{HERE}:nap", 600.0))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return first, await pool.run(f"{HERE}:pid"), time.monotonic() - began

    first, second, seconds = with_pool(scene)
    assert first != second
    assert seconds < 300


def test_a_task_that_takes_too_long_is_ended() -> None:
    async def scene(pool: WorkerPool) -> None:
        with pytest.raises(TaskTooLong):
            await pool.run(f"{HERE}:nap", 600.0, limit_seconds=0.2)

    with_pool(scene)


def test_a_key_comes_back_to_its_worker() -> None:
    async def scene(pool: WorkerPool) -> list[tuple[int, int]]:
        async def pair() -> tuple[int, int]:
            a, b = await asyncio.gather(pool.run(f"{HERE}:nap", 0.1, key="a"), pool.run(f"{HERE}:nap", 0.1, key="b"))
            return a, b

        while len(set(await pair())) < 2:  # until both workers are up
            pass
        return [await pair() for _ in range(3)]

    assert len(set(with_pool(scene, 2))) == 1


def test_quick_tasks_pass_long_ones(monkeypatch) -> None:
    """With all general workers busy, a kind of task that was quick before goes to the express worker."""
    monkeypatch.setattr(pool_module, "QUICK_SECONDS", 300.0)  # a busy machine is quick, too

    async def scene(pool: WorkerPool) -> bool:
        pool.start([Lane.GENERAL, Lane.EXPRESS])
        for _ in range(2):
            await pool.run(f"{HERE}:add", 1, 1, kind="quick")
        thinker = asyncio.get_running_loop().create_task(pool.run(f"{HERE}:nap", 600.0))
        await asyncio.sleep(0.1)
        answer = await pool.run(f"{HERE}:add", 1, 1, kind="quick")
        thinker.cancel()
        return answer == 2 and not thinker.done()

    assert with_pool(scene)


def test_a_worker_that_dies_costs_its_own_task_only(tmp_path) -> None:
    """The task that was sent ahead to it is done by another."""

    async def scene(pool: WorkerPool) -> list[Any]:
        first = pool.run(f"{HERE}:die_once", str(tmp_path / "mark"), lane=Lane.BATCH)
        others = [pool.run(f"{HERE}:add", i, i, lane=Lane.BATCH) for i in range(4)]
        return await asyncio.gather(first, *others, return_exceptions=True)

    died, *answers = with_pool(scene)
    assert isinstance(died, WorkerDied)
    assert died.how == "SIGKILL"
    assert answers == [0, 2, 4, 6]


def test_a_process_that_never_comes_up_costs_no_task(monkeypatch) -> None:
    """It is tried again; in the end it is told that processes do not start, and how they ended."""
    monkeypatch.setattr(pool_module, "START", "import sys; sys.exit(5)")

    async def scene(pool: WorkerPool) -> list[Any]:
        tasks = [pool.run(f"{HERE}:add", 1, 1, lane=Lane.BATCH) for _ in range(3)]
        return await asyncio.gather(*tasks, return_exceptions=True)

    for error in with_pool(scene):
        assert isinstance(error, NoWorkers)
        assert "do not start (exit 5)" in str(error)


def test_a_worker_finds_the_modules_that_we_find(monkeypatch, tmp_path) -> None:
    (tmp_path / "my_module.py").write_text("def answer():\n    return 42\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert with_pool(lambda pool: pool.run("my_module:answer")) == 42
