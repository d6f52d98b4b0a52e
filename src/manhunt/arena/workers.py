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
from typing import Any, Protocol

from manhunt.arena.match import play_task
from manhunt.arena.result import Fault, Played, Result
from manhunt.errors import ManhuntError

Task = tuple[Any, ...]
"""Matches that are played in one go: by their numbers in a plan, or themselves."""
Batches = Generator[list[Played], None, None]
"""Finished games as they come."""
Warn = Callable[[str], object]
Play = Callable[[str, Sequence[Any], "str | None"], list[Played]]
"""Plays one task of the schedule that the text tells; the last argument is where relative file names begin."""


class Numbered(Protocol):
    """A match."""

    @property
    def number(self) -> int: ...


class Playable(Protocol):
    """What workers can play: it goes to them as text, and names its matches."""

    def to_text(self) -> str: ...

    def match(self, number: Any, /) -> Numbered: ...


class Players(Protocol):
    """Somebody who plays tasks: this process, worker processes or a cluster. Closing sends them home."""

    def play(self, tasks: Iterable[Task]) -> Batches: ...

    def close(self) -> None: ...


MAX_DEATHS = 3
READY = "ready"
IDLE_SECONDS = 0.2
AHEAD = 2
"""Tasks a worker holds, so that it need not wait while we write."""


def usable_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Here:
    """One game after the other in this process."""

    def __init__(self, plan: Playable, play: Play = play_task) -> None:
        self._text, self._play = plan.to_text(), play

    def play(self, tasks: Iterable[Task]) -> Batches:
        for task in tasks:
            yield self._play(self._text, task, None)

    def close(self) -> None:
        """Nobody to send home."""


class Deaths:
    """Counts how often a task took its worker along."""

    def __init__(self, plan: Playable, warn: Warn) -> None:
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
        return [Played(Result(self._plan.match(item).number, None, 0, 0, fault)) for item in task]


@dataclass(eq=False)
class _Worker:
    process: Any
    connection: Connection
    tasks: deque[Task] = field(default_factory=deque)
    is_ready: bool = False


class Pool:
    """Worker processes; results come as they are finished.

    A worker that dies costs the task it was playing, which is played again; after three deaths the task's games are
    given up and booked as faults.
    """

    def __init__(self, plan: Playable, n_workers: int, warn: Warn, play: Play = play_task) -> None:
        self._text, self._play = plan.to_text(), play
        self._tasks: Iterator[Task] = iter(())
        self._again: deque[Task] = deque()
        self._workers: list[_Worker] = []
        self._deaths = Deaths(plan, warn)
        self._false_starts = 0
        self._n_workers = n_workers

    def play(self, tasks: Iterable[Task]) -> Batches:
        self._tasks = iter(tasks)
        for worker in self._workers:
            self._feed(worker)
        while len(self._workers) < self._n_workers:
            self._hire()
        while any(worker.tasks for worker in self._workers):
            yield from self._harvest()

    def close(self) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
        self._workers.clear()

    def _hire(self) -> None:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self._text, self._play), daemon=True)
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

    def _harvest(self) -> Iterator[list[Played]]:
        """Wait for something to happen, then give what was finished; nothing, now and then, while nothing happens."""
        by_connection = {worker.connection: worker for worker in self._workers}
        ready = wait(list(by_connection), IDLE_SECONDS)
        if not ready:
            yield []
        for connection in ready:
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
        self._hire()


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


def _work(connection: Connection, plan_text: str, play: Play) -> None:
    """The life of a worker: a task comes, its games go back; the end of the pipe is the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    sys.stdout = sys.stderr
    connection.send(READY)
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer: list[Played] | str = play(plan_text, task, None)
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
