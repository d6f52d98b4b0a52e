"""Worker processes in which everything that takes long is done: for the web app, arenas and tournaments.

A task is `module:function` with arguments that pickle. Each worker belongs to one lane:

- general ones take tasks fairly: one share for each owner, short ones first (`fair_share.py`);
- express ones take tasks of a kind that was quick last time, so that long thinkers do not hold up quick ones;
- workers for jobs run with less priority, and take what somebody watches but does not wait for;
- workers for batches get a second task while they are at the first, so that quick games follow each other at once;
- plain ones do not wait for the compiler: they take light tasks whose kernels are not compiled yet.

A task with a key goes to the worker that had the key last, if that one is free: what the worker keeps under the key
(an agent) is there. Otherwise another takes it, and makes the kept thing anew.
"""

import asyncio
import contextlib
import logging
import os
import pickle
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from manhunt.core.errors import ManhuntError
from manhunt.core.jit import MODE_VARIABLE, PLAIN_MODE
from manhunt.workers.deadlines import SharedNote, new_note
from manhunt.workers.fair_share import FairShare, TaskTimes
from manhunt.workers.process import HEAD, pack

QUICK_SECONDS = 0.15
MAX_FALSE_STARTS = 3
END_SECONDS = 5.0
LOG = logging.getLogger("manhunt.workers")
LOOK_SECONDS = 0.25
"""How often the pool looks whether a worker is late."""
START = """import sys; sys.path[:] = list(dict.fromkeys(sys.argv[3:] + sys.path))
from manhunt.workers.process import main; main(int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2] else None)"""
"""What a worker runs: it finds the modules that we find."""
Progress = Callable[[int, int, str], object]


class TaskFailed(ManhuntError):
    """The function raised something that is nobody's input's fault; the text is its error in one line."""


class WorkerDied(TaskFailed):
    """The process ended in the middle of the task; `how` is its signal or exit code."""

    def __init__(self, how: str) -> None:
        super().__init__(f"a worker process ended ({how})")
        self.how = how


class TaskTooLong(TaskFailed):
    """The task was ended because it took longer than it might; `what` is what the worker was at, in its own words."""

    def __init__(self, text: str, what: str = "") -> None:
        super().__init__(text)
        self.what = what


class NoWorkers(TaskFailed):
    """Nobody can do the task now: the pool is being closed, or processes do not start."""


class Lane(Enum):
    GENERAL = "general"
    EXPRESS = "express"
    JOBS = "jobs"
    BATCH = "batch"
    PLAIN = "plain"


NICENESS = {Lane.GENERAL: 5, Lane.EXPRESS: 5, Lane.JOBS: 10, Lane.BATCH: 0, Lane.PLAIN: 5}
"""Workers stand back behind the server, and jobs behind agents who are waited for."""
DEPTH = {Lane.GENERAL: 1, Lane.EXPRESS: 1, Lane.JOBS: 1, Lane.BATCH: 2, Lane.PLAIN: 1}
"""Tasks that a worker holds: the one it is at, and those sent ahead."""


@dataclass(eq=False)
class Worker:
    """One process and its tasks, the first of which it is at.

    `memory` is for those who keep things in the process, by key; it ends with it.
    """

    lane: Lane
    process: asyncio.subprocess.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    tasks: "deque[_Task]" = field(default_factory=deque)
    is_proven: bool = False
    note: SharedNote | None = None
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
    owner: str = ""
    usual_seconds: float = QUICK_SECONDS
    asked_at: float = field(default_factory=time.monotonic)
    began: float = 0.0
    alarm: asyncio.TimerHandle | None = None


def usable_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool:
    """Worker processes, at most so many in each lane. Used from one event loop alone.

    In a pool `for_strangers` no owner can hold all general workers, nor can long tasks.
    """

    def __init__(self, sizes: Mapping[Lane, int], *, for_strangers: bool = False) -> None:
        self._sizes = sizes
        self._shares = FairShare(sizes.get(Lane.GENERAL, 0) if for_strangers else None)
        self._workers: list[Worker] = []
        self._starting = dict.fromkeys(Lane, 0)
        self._waiting: deque[_Task] = deque()
        self._last_worker: dict[object, Worker] = {}
        self._times = TaskTimes()
        self._number = 0
        self._false_starts = 0
        self._closed = False
        self._chores: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None

    async def run(
        self,
        what: str,
        *args: Any,
        key: object = None,
        kind: str | None = None,
        lane: Lane = Lane.GENERAL,
        progress: Progress | None = None,
        prepare: MakeArguments | None = None,
        limit_seconds: float | None = None,
        owner: str = "",
        usual_seconds: float = QUICK_SECONDS,
    ) -> Any:
        """The answer of a task. Cancelling the caller ends the task, also in the middle.

        `kind` names tasks that take about as long (default: the function's name); `usual_seconds` is expected of the
        first of a kind. With `prepare` the arguments are made when it is known which worker gets them. The limit
        counts from when a worker gets the task. `owner` is who the workers' time is spent for.
        """
        if self._closed:
            raise NoWorkers("the worker processes are being ended")
        self._number += 1
        future = asyncio.get_running_loop().create_future()
        task = _Task(self._number, what, prepare or args, key, kind or what, lane, future, progress, limit_seconds)
        task.owner, task.usual_seconds = owner, usual_seconds
        self._waiting.append(task)
        self._dispatch()
        try:
            return await future
        finally:
            if task in self._waiting:
                self._waiting.remove(task)
            if task.alarm is not None:
                task.alarm.cancel()
            if task.began:
                self._shares.spend(owner, time.monotonic() - task.began)
            self._stop(task)

    def forget(self, key: object) -> None:
        """Nobody will ask for this key any more."""
        self._last_worker.pop(key, None)
        for worker in self._workers:
            worker.memory.pop(key, None)

    def start(self, lanes: Iterable[Lane]) -> None:
        """Have workers ready before the first task of somebody who waits."""
        for lane in lanes:
            self._start_worker(lane)

    async def close(self) -> None:
        self._closed = True
        if self._looking is not None:
            self._looking.cancel()
        for worker in self._workers:
            _kill(worker)
        self._fail_all("the worker processes are being ended")
        await asyncio.gather(*self._chores, return_exceptions=True)

    @property
    def n_waiting(self) -> int:
        return len(self._waiting)

    def counts(self) -> dict[Lane, tuple[int, int, int]]:
        """Of each lane: processes, tasks that are being done, tasks that wait."""
        return {
            lane: (
                sum(worker.lane is lane for worker in self._workers),
                sum(len(worker.tasks) for worker in self._workers if worker.lane is lane),
                sum(task.lane is lane for task in self._waiting),
            )
            for lane in self._sizes
        }

    def _dispatch(self) -> None:
        free = [worker for worker in self._workers if len(worker.tasks) < DEPTH[worker.lane]]
        while free and (found := self._next(free)) is not None:
            worker, task = found
            self._waiting.remove(task)
            self._give(worker, task)
            if len(worker.tasks) == DEPTH[worker.lane]:
                free.remove(worker)
        if not self._closed:
            for lane in {task.lane for task in self._waiting}:
                self._start_worker(lane)

    def _next(self, free: list[Worker]) -> tuple[Worker, _Task] | None:
        """The task that comes first among those for which a worker is free."""
        holding = Counter(task.owner for worker in self._workers for task in worker.tasks)
        for task in sorted(self._waiting, key=lambda task: self._shares.rank(task, holding, self._expected(task))):
            worker = self._choose(task, free)
            if worker is not None:
                return worker, task
        return None

    def _expected(self, task: _Task) -> float:
        return self._times.expected(task.kind, task.usual_seconds)

    def _choose(self, task: _Task, free: list[Worker]) -> Worker | None:
        quick = self._times.last(task.kind, QUICK_SECONDS) < QUICK_SECONDS
        lanes = {task.lane}
        if task.lane is Lane.GENERAL:
            at_work = [(t.owner, self._expected(t)) for w in self._workers if w.lane is Lane.GENERAL for t in w.tasks]
            if not self._shares.may_begin(task.owner, self._expected(task), at_work):
                lanes.clear()
            if quick:
                lanes.add(Lane.EXPRESS)
        able = [worker for worker in free if worker.lane in lanes]
        last = self._last_worker.get(task.key)
        return last if last in able else min(able, key=lambda worker: len(worker.tasks), default=None)

    def _give(self, worker: Worker, task: _Task) -> None:
        worker.tasks.append(task)
        task.began = time.monotonic()
        if task.key is not None:
            self._last_worker[task.key] = worker
        args = task.args if isinstance(task.args, tuple) else task.args(worker)
        worker.writer.write(pack((task.number, task.what, args), worker.boards))
        if task.limit_seconds is not None:
            if task.alarm is not None:  # of a worker that never came up
                task.alarm.cancel()
            task.alarm = asyncio.get_running_loop().call_later(task.limit_seconds, self._time_out, task)

    def _time_out(self, task: _Task) -> None:
        if not task.future.done():
            task.future.set_exception(TaskTooLong(f"no answer within {task.limit_seconds:g} s"))
            self._stop(task)

    async def _look(self) -> None:
        """End workers that are late by what they noted themselves."""
        while not self._closed:
            await asyncio.sleep(LOOK_SECONDS)
            for worker in list(self._workers):
                late = worker.note.overdue(time.monotonic()) if worker.note and worker.tasks else None
                if late is not None and worker.tasks[0].number == late.task:
                    task = worker.tasks[0]
                    if not task.future.done():
                        task.future.set_exception(TaskTooLong("no answer in time", late.what))
                    self._stop(task)

    def _add_chore(self, chore: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
        return task

    def _start_worker(self, lane: Lane) -> None:
        """One more where there are fewer than there may be, and fewer on their way than are wanted."""
        n_there = sum(worker.lane is lane for worker in self._workers) + self._starting[lane]
        n_wanted = sum(task.lane is lane for task in self._waiting) or 1
        if n_there < self._sizes.get(lane, 0) and self._starting[lane] < n_wanted:
            self._starting[lane] += 1
            self._add_chore(self._serve(lane))
            if self._looking is None:
                self._looking = self._add_chore(self._look())

    async def _serve(self, lane: Lane) -> None:
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
            self._go_on(OSError.__name__)
            return
        if self._closed:
            _kill(worker)
        self._workers.append(worker)
        self._dispatch()
        try:
            while True:
                (size,) = HEAD.unpack(await worker.reader.readexactly(HEAD.size))
                self._hear(worker, *pickle.loads(await worker.reader.readexactly(size)))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self._workers.remove(worker)  # nobody gives it a task any more
            self._settle(worker, _how(await _exit_code(worker)))

    def _hear(self, worker: Worker, word: str, number: int, value: Any) -> None:
        worker.is_proven, self._false_starts = True, 0
        if not worker.tasks or worker.tasks[0].number != number:
            return
        task = worker.tasks[0]
        if word == "progress":
            if task.progress is not None:
                task.progress(*value)
            return
        worker.tasks.popleft()
        if task.future.done():
            pass
        elif word == "done":
            self._times.took(task.kind, time.monotonic() - task.began)
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
            if worker.tasks and worker.tasks[0] is task:
                worker.is_proven = True  # that it ends says nothing about whether workers start
                _kill(worker)

    def _settle(self, worker: Worker, how: str) -> None:
        """It has ended. Only the task it was at is to blame, and not even that where the process never came up."""
        worker.writer.close()
        for key in [key for key, last in self._last_worker.items() if last is worker]:
            del self._last_worker[key]
        if not worker.is_proven:
            self._false_starts += 1
        elif worker.tasks:
            task = worker.tasks.popleft()
            if not task.future.done():
                task.future.set_exception(WorkerDied(how))
        self._waiting.extendleft(task for task in reversed(worker.tasks) if not task.future.done())
        self._go_on(how)

    def _go_on(self, how: str) -> None:
        """There is one worker less than there might be."""
        if self._closed:
            self._fail_all("the worker processes are being ended")
        elif self._false_starts >= MAX_FALSE_STARTS:
            self._fail_all(f"worker processes do not start ({how})")
        else:
            self._dispatch()

    def _fail_all(self, why: str) -> None:
        for task in self._waiting:
            if not task.future.done():
                task.future.set_exception(NoWorkers(why))
        self._waiting.clear()


async def _exit_code(worker: Worker) -> int:
    """Of a process whose pipe has closed; only one that does not end is killed, since that would take its code away."""
    try:
        return await asyncio.wait_for(worker.process.wait(), END_SECONDS)
    except TimeoutError:
        _kill(worker)
        return await worker.process.wait()


def _kill(worker: Worker) -> None:
    with contextlib.suppress(ProcessLookupError):
        worker.process.kill()


def _how(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit {code}"


async def _start(lane: Lane) -> Worker:
    """A new process at the other end of its standard input and output; OSError where there cannot be one."""
    descriptor, note = new_note() if os.name == "posix" else (None, None)
    command = [sys.executable, "-c", START, str(NICENESS[lane]), str("" if descriptor is None else descriptor)]
    environment = {**os.environ, MODE_VARIABLE: PLAIN_MODE} if lane is Lane.PLAIN else None
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            *sys.path,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C in the terminal is for us alone
            pass_fds=() if descriptor is None else (descriptor,),
        )
    finally:
        if descriptor is not None:
            os.close(descriptor)
    assert process.stdin is not None
    assert process.stdout is not None
    return Worker(lane, process, process.stdout, process.stdin, note=note)
