"""Worker processes in which everything that takes long is done, so that the event loop never waits.

A task is `module:function` with arguments that pickle. Three kinds of worker share the work:

- general ones, one a core, take tasks in the order they came;
- one express worker takes tasks of a kind that was quick last time, so that long thinkers do not hold up quick ones;
- workers for jobs, which run with less priority, take what was given with `job=True` and nothing else.

A task with a key goes to the worker that had the key last, if that one is free: what the worker keeps under the key
(an agent) is there. Otherwise another takes it, and makes the kept thing anew.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from manhunt.errors import ManhuntError
from manhunt.server.worker_process import HEAD, pack

QUICK_SECONDS = 0.15
NICENESS = {"general": 5, "express": 5, "jobs": 10}
"""Workers stand back behind the server, and jobs behind agents who are waited for."""
MOST_FALSE_STARTS = 3
LOG = logging.getLogger("manhunt.server")
Progress = Callable[[int, int, str], object]


class TaskFailed(ManhuntError):
    """The function raised something that is nobody's input's fault; the text is its error in one line."""


class WorkerDied(TaskFailed):
    """The process ended in the middle of the task."""


class TaskTooLong(TaskFailed):
    """The task was ended because it took longer than it might."""


class NoWorkers(TaskFailed):
    """Nobody can do the task now: the server is being closed, or processes do not start."""


class Lane(Enum):
    GENERAL = "general"
    EXPRESS = "express"
    JOBS = "jobs"


@dataclass(eq=False)
class Worker:
    """One process, and what it is doing. `memory` is for those who keep things in it, by key; it dies with it."""

    lane: Lane
    process: subprocess.Popen[bytes]
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    task: _Task | None = None
    is_proven: bool = False
    boards: set[str] = field(default_factory=set)
    memory: dict[Any, Any] = field(default_factory=dict)


MakeArguments = Callable[[Worker], tuple[Any, ...]]


@dataclass(eq=False)
class _Task:
    number: int
    what: str
    args: tuple[Any, ...] | MakeArguments
    key: object
    kind: str
    lane: Lane
    future: asyncio.Future[Any]
    progress: Progress | None
    limit_seconds: float | None
    began: float = 0.0
    alarm: asyncio.TimerHandle | None = None


def usable_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """All worker processes of a server. Used from the event loop alone."""

    def __init__(self, n_general: int | None = None, n_jobs: int | None = None) -> None:
        n_cores = usable_processors()
        self._most = {
            Lane.GENERAL: n_general or max(1, n_cores),
            Lane.EXPRESS: 1,
            Lane.JOBS: n_jobs or max(1, n_cores // 2),
        }
        self._workers: list[Worker] = []
        self._starting = dict.fromkeys(Lane, 0)
        self._waiting: deque[_Task] = deque()
        self._last_worker: dict[object, Worker] = {}
        self._seconds: dict[str, float] = {}
        self._number = 0
        self._false_starts = 0
        self._closed = False
        self._chores: set[asyncio.Task[None]] = set()

    async def run(
        self,
        what: str,
        *args: Any,
        key: object = None,
        kind: str | None = None,
        job: bool = False,
        progress: Progress | None = None,
        prepare: MakeArguments | None = None,
        limit_seconds: float | None = None,
    ) -> Any:
        """The answer of a task. Cancelling the caller ends the task, also in the middle.

        `kind` names tasks that take about as long (default: the function's name). With `prepare` the arguments are
        made when it is known which worker gets them. The limit counts from when a worker begins.
        """
        if self._closed:
            raise NoWorkers("the server is being closed")
        self._number += 1
        lane = Lane.JOBS if job else Lane.GENERAL
        future = asyncio.get_running_loop().create_future()
        task = _Task(self._number, what, prepare or args, key, kind or what, lane, future, progress, limit_seconds)
        self._waiting.append(task)
        self._dispatch()
        try:
            return await future
        finally:
            if task in self._waiting:
                self._waiting.remove(task)
            if task.alarm is not None:
                task.alarm.cancel()
            self._stop(task)

    def forget(self, key: object) -> None:
        """Nobody will ask for this key any more."""
        self._last_worker.pop(key, None)
        for worker in self._workers:
            worker.memory.pop(key, None)

    def start(self) -> None:
        """Have workers ready before the first task."""
        for lane in (Lane.GENERAL, Lane.EXPRESS):
            self._hire(lane)

    async def close(self) -> None:
        self._closed = True
        for worker in list(self._workers):
            worker.process.kill()
        for chore in list(self._chores):
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        for worker in list(self._workers):
            self._bury(worker)

    @property
    def n_waiting(self) -> int:
        return len(self._waiting)

    def _dispatch(self) -> None:
        idle = [worker for worker in self._workers if worker.task is None]
        for task in list(self._waiting) if idle else ():
            worker = self._choose(task, idle)
            if worker is not None:
                idle.remove(worker)
                self._waiting.remove(task)
                self._give(worker, task)
            if not idle:
                break
        if not self._closed:
            for lane in {task.lane for task in self._waiting}:
                self._hire(lane)

    def _choose(self, task: _Task, idle: list[Worker]) -> Worker | None:
        quick = self._seconds.get(task.kind, QUICK_SECONDS) < QUICK_SECONDS
        able = [
            w for w in idle if w.lane is task.lane or (quick and w.lane is Lane.EXPRESS and task.lane is not Lane.JOBS)
        ]
        last = self._last_worker.get(task.key)
        return last if last in able else next(iter(able), None)

    def _give(self, worker: Worker, task: _Task) -> None:
        worker.task, task.began = task, time.monotonic()
        if task.key is not None:
            self._last_worker[task.key] = worker
        args = task.args if isinstance(task.args, tuple) else task.args(worker)
        worker.writer.write(pack((task.number, task.what, args), worker.boards))
        if task.limit_seconds is not None:
            task.alarm = asyncio.get_running_loop().call_later(task.limit_seconds, self._time_out, task)

    def _time_out(self, task: _Task) -> None:
        if not task.future.done():
            task.future.set_exception(TaskTooLong(f"no answer within {task.limit_seconds:g} s"))
            self._stop(task)

    def _hire(self, lane: Lane) -> None:
        n_there = sum(worker.lane is lane for worker in self._workers) + self._starting[lane]
        n_wanted = sum(task.lane is lane for task in self._waiting) or 1
        if n_there >= self._most[lane] or self._starting[lane] >= n_wanted:
            return
        self._starting[lane] += 1
        chore = asyncio.get_running_loop().create_task(self._employ(lane))
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    async def _employ(self, lane: Lane) -> None:
        """One worker from its first to its last message."""
        worker: Worker | None = None
        try:
            worker = await _start(lane)
        except OSError as error:  # the system has no more processes, files or memory for us
            LOG.error("a worker process does not start: %s", error)
            self._false_starts += 1
        finally:
            self._starting[lane] -= 1
        if worker is None:
            self._go_on()
            return
        self._workers.append(worker)
        self._dispatch()
        try:
            while True:
                (size,) = HEAD.unpack(await worker.reader.readexactly(HEAD.size))
                self._hear(worker, *pickle.loads(await worker.reader.readexactly(size)))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            worker.process.kill()
            self._bury(worker)

    def _hear(self, worker: Worker, word: str, number: int, value: Any) -> None:
        worker.is_proven, self._false_starts = True, 0
        task = worker.task
        if task is None or task.number != number:
            return
        if word == "progress":
            if task.progress is not None:
                task.progress(*value)
            return
        worker.task = None
        if task.future.done():
            pass
        elif word == "done":
            self._seconds[task.kind] = time.monotonic() - task.began
            task.future.set_result(value)
        elif word == "refused":
            kind, text = value
            task.future.set_exception(kind.__new__(kind, text))  # its __init__ may want more than the text
        else:
            task.future.set_exception(TaskFailed(value))
        self._dispatch()

    def _stop(self, task: _Task) -> None:
        """End the process that is still at this task; nobody waits for its answer."""
        for worker in self._workers:
            if worker.task is task:
                worker.is_proven = True  # that it ends says nothing about whether workers start
                worker.process.kill()

    def _bury(self, worker: Worker) -> None:
        if worker not in self._workers:
            return
        self._workers.remove(worker)
        worker.writer.close()
        for key in [key for key, last in self._last_worker.items() if last is worker]:
            del self._last_worker[key]
        worker.process.wait()
        if not worker.is_proven:
            self._false_starts += 1
        if worker.task is not None and not worker.task.future.done():
            worker.task.future.set_exception(WorkerDied(f"a worker process ended ({worker.process.returncode})"))
        self._go_on()

    def _go_on(self) -> None:
        """There is one worker less than there might be."""
        if self._closed:
            self._fail_all("the server is being closed")
        elif self._false_starts >= MOST_FALSE_STARTS:
            self._fail_all("worker processes do not start")
        else:
            self._dispatch()

    def _fail_all(self, why: str) -> None:
        for task in self._waiting:
            if not task.future.done():
                task.future.set_exception(NoWorkers(why))
        self._waiting.clear()


async def _start(lane: Lane) -> Worker:
    """A new process at the other end of a pair of sockets; OSError where there cannot be one."""
    ours, theirs = socket.socketpair()
    fd, niceness = str(theirs.fileno()), str(NICENESS[lane.value])
    command = [sys.executable, "-m", "manhunt.server.worker_process", fd, niceness]
    try:
        # A session of its own: Ctrl-C in the terminal is for the server alone.
        process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, start_new_session=True
        )
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return Worker(lane, process, *await asyncio.open_connection(sock=ours))
