"""Playing on the processors of this machine: worker processes that may die without taking the tournament along."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from manhunt.arena.match import play_task
from manhunt.arena.result import Fault, Played, Result
from manhunt.arena.schedule import Plan
from manhunt.errors import ManhuntError

Task = tuple[int, ...]
"""Numbers of the matches that are played in one go."""
Batches = Generator[list[Played], None, None]
"""Finished games as they come; closing it sends the workers home."""
Warn = Callable[[str], object]

MAX_DEATHS = 3
READY = "ready"
AHEAD = 2
"""Tasks a worker holds, so that it need not wait while we write."""


def usable_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_here(plan: Plan, tasks: Iterable[Task]) -> Batches:
    """One game after the other in this process."""
    text = plan.to_text()
    for task in tasks:
        yield play_task(text, task)


def play_in_processes(plan: Plan, tasks: Iterable[Task], n_workers: int, warn: Warn) -> Batches:
    """Play the tasks in `n_workers` processes; results come as they are finished.

    A worker that dies costs the task it was playing, which is played again; after three deaths the task's games are
    given up and booked as faults.
    """
    pool = _Pool(plan, warn, tasks)
    try:
        for _ in range(n_workers):
            pool.hire()
        while pool.is_busy:
            yield from pool.harvest()
    finally:
        pool.dismiss()


class Deaths:
    """Counts how often a task took its worker along."""

    def __init__(self, plan: Plan, warn: Warn) -> None:
        self._plan = plan
        self._warn = warn
        self._deaths: Counter[Task] = Counter()

    def mourn(self, task: Task, how: str) -> list[Played] | None:
        """None if the task is to be played again, else what is booked in its place."""
        self._deaths[task] += 1
        match = self._plan.match(task[0])
        if self._deaths[task] < MAX_DEATHS:
            self._warn(f"a worker died ({how}) in {match}; playing it again")
            return None
        self._warn(f"giving up {match}: {MAX_DEATHS} workers died ({how}) in it; it counts as a fault")
        fault = Fault(None, "worker died", f"{MAX_DEATHS} workers died")
        return [Played(Result(number, None, 0, 0, fault)) for number in task]


@dataclass(eq=False)
class _Worker:
    process: Any
    connection: Connection
    tasks: deque[Task] = field(default_factory=deque)
    is_ready: bool = False


class _Pool:
    def __init__(self, plan: Plan, warn: Warn, tasks: Iterable[Task]) -> None:
        self._text = plan.to_text()
        self._tasks = iter(tasks)
        self._again: deque[Task] = deque()
        self._workers: list[_Worker] = []
        self._deaths = Deaths(plan, warn)
        self._false_starts = 0

    @property
    def is_busy(self) -> bool:
        return any(worker.tasks for worker in self._workers)

    def hire(self) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self._text), daemon=True)
        _start_deaf_to_interrupts(process)
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        while len(worker.tasks) < AHEAD:
            task = self._again.popleft() if self._again else next(self._tasks, None)
            if task is None:
                return
            worker.tasks.append(task)
            try:
                worker.connection.send(task)
            except OSError:
                return  # it has died; harvest finds that out

    def harvest(self) -> Iterator[list[Played]]:
        """Wait for something to happen, then give what was finished."""
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(by_connection)):
            worker = by_connection[connection]  # type: ignore[index]
            try:
                answer = worker.connection.recv()
            except (EOFError, OSError):
                yield from self._bury(worker)
                continue
            if answer == READY:
                worker.is_ready = True
                continue
            if isinstance(answer, str):
                raise ManhuntError(answer)
            worker.tasks.popleft()
            self._feed(worker)
            yield answer

    def _bury(self, worker: _Worker) -> Iterator[list[Played]]:
        """Only the task it was playing is to blame; the others are given to somebody else."""
        self._workers.remove(worker)
        worker.connection.close()
        worker.process.join()
        if not worker.is_ready:
            self._false_starts += 1
            if self._false_starts >= MAX_DEATHS:
                raise ManhuntError(
                    f"worker processes do not start ({_cause(worker.process.exitcode)}); try --workers 0"
                )
        elif worker.tasks:
            task = worker.tasks.popleft()
            given_up = self._deaths.mourn(task, _cause(worker.process.exitcode))
            if given_up is None:
                self._again.append(task)
            else:
                yield given_up
        self._again.extend(worker.tasks)
        self.hire()

    def dismiss(self) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()


def _cause(exitcode: int | None) -> str:
    if exitcode is not None and exitcode < 0:
        return signal.Signals(-exitcode).name
    return f"exit {exitcode}"


def _start_deaf_to_interrupts(process: Any) -> None:
    """Ctrl-C is for us alone; an ignored signal stays ignored in the child from its first moment."""
    if threading.current_thread() is not threading.main_thread():
        process.start()
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, before)


def _work(connection: Connection, plan_text: str) -> None:
    """The life of a worker: a task comes, its games go back; the end of the pipe is the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    sys.stdout = sys.stderr
    connection.send(READY)
    while True:
        try:
            task: Sequence[int] = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer: list[Played] | str = play_task(plan_text, task)
        except ManhuntError as error:
            answer = str(error)
        except Exception as error:
            answer = f"a worker cannot play: {type(error).__name__}: {error}"
        try:
            connection.send(answer)
        except OSError:
            return


def _die_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
