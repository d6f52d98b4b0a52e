"""Who plays the games of a run: this process, worker processes that may die without taking the run along, or a cluster.

Matrices and tournaments are played alike: tasks go out, finished games come back in any order. A task whose worker died
is played again; after three deaths its games are given up and booked as faults.
"""

import asyncio
import hashlib
import queue
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from manhunt.arena.match import hung_game, play_task
from manhunt.arena.result import Played, Result
from manhunt.core.errors import ManhuntError
from manhunt.play.fault import Fault
from manhunt.workers.pool import (
    DEPTH,
    Lane,
    NoWorkers,
    TaskFailed,
    TaskTooLong,
    Worker,
    WorkerDied,
    WorkerPool,
    usable_processors,
)
from manhunt.workers.process import find

Task = tuple[Any, ...]
"""Matches that are played in one go: by their numbers in a plan, or themselves."""
Batches = Generator[list[Played], None, None]
"""Finished games as they come; an empty list now and then while nothing happens."""
Warn = Callable[[str], object]
Play = Callable[[str, Sequence[Any], "str | None"], list[Played]]
"""Plays one task of the schedule that the text tells; the last argument is where relative file names begin."""
MAX_DEATHS = 3
IDLE_SECONDS = 0.2


class NumberedMatch(Protocol):
    @property
    def number(self) -> int: ...


class Playable(Protocol):
    """What players can play: it goes to them as text, and names its matches."""

    def to_text(self) -> str: ...

    def match(self, number: Any, /) -> NumberedMatch: ...


class Players(Protocol):
    def play(self, tasks: Iterable[Task]) -> Batches: ...

    def close(self) -> None: ...


def no_warning(text: str) -> None:
    """For those who do not listen."""


def make_players(plan: Playable, workers: int | None, ray: str | None, warn: Warn, play: Play = play_task) -> Players:
    """A cluster, processes (one a processor if `workers` is None), or this process for 0."""
    if ray is not None:
        from manhunt.arena.cluster import RayPlayers

        return RayPlayers(plan, ray, warn, play)
    n_workers = usable_processors() if workers is None else workers
    return ProcessPlayers(plan, n_workers, warn, play) if n_workers else LocalPlayers(plan, play)


class LocalPlayers:
    """One game after the other in this process."""

    def __init__(self, plan: Playable, play: Play = play_task) -> None:
        self._text, self._play = plan.to_text(), play

    def play(self, tasks: Iterable[Task]) -> Batches:
        for task in tasks:
            yield self._play(self._text, task, None)

    def close(self) -> None:
        """Nobody else plays."""


class RetryQueue:
    """The tasks of a run in the order they are to be played; those whose worker died come again first."""

    def __init__(self, plan: Playable, warn: Warn) -> None:
        self._plan, self._warn = plan, warn
        self._tasks: Iterator[Task] = iter(())
        self._again: deque[Task] = deque()
        self._deaths: Counter[Task] = Counter()

    def fill(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)

    def next(self) -> Task | None:
        return self._again.popleft() if self._again else next(self._tasks, None)

    def died(self, task: Task, how: str) -> list[list[Played]]:
        """Put a task back whose worker died; what is booked in its place where that has happened too often."""
        self._deaths[task] += 1
        match = self._plan.match(task[0])
        if self._deaths[task] < MAX_DEATHS:
            self._warn(f"a worker died ({how}) in {match}; playing it again")
            self._again.append(task)
            return []
        self._warn(f"giving up {match}: {MAX_DEATHS} workers died ({how}) in it; it counts as a fault")
        fault = Fault(None, "worker died", f"{MAX_DEATHS} workers died")
        return [[Played(Result(self._plan.match(item).number, None, 0, 0, fault)) for item in task]]

    def hung(self, task: Task, label: str) -> list[list[Played]]:
        """An agent never returned, and its worker was ended: that game is lost, the others of the task come again."""
        lost = hung_game(label)
        others = tuple(item for item in task if self._plan.match(item).number != lost.result.number)
        match = next(self._plan.match(item) for item in task if item not in others)
        assert lost.result.fault is not None
        assert lost.result.fault.seat is not None
        self._warn(f"the {lost.result.fault.seat.value} of {match} never returned; its worker was replaced")
        if others:
            self._again.append(others)
        return [[lost]]


class ProcessPlayers:
    """Worker processes of this machine. Their pool's event loop runs in a thread, so that any program may call this."""

    def __init__(self, plan: Playable, n_workers: int, warn: Warn, play: Play = play_task) -> None:
        self._text, self._play = plan.to_text(), f"{play.__module__}:{play.__qualname__}"
        self._key = hashlib.sha256(self._text.encode()).hexdigest()
        self._queue, self._most = RetryQueue(plan, warn), n_workers * (DEPTH[Lane.BATCH] + 1)
        self._pool = WorkerPool({Lane.BATCH: n_workers})
        self._ended: queue.SimpleQueue[tuple[Task, Future[list[Played]]]] = queue.SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="manhunt-workers", daemon=True)
        self._thread.start()

    def play(self, tasks: Iterable[Task]) -> Batches:
        self._queue.fill(tasks)
        n_out = 0
        while True:
            while n_out < self._most and (task := self._queue.next()) is not None:
                self._send(task)
                n_out += 1
            if not n_out:
                return
            try:
                task, future = self._ended.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                yield []
                continue
            n_out -= 1
            yield from self._games(task, future)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._pool.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _send(self, task: Task) -> None:
        def prepare(worker: Worker) -> tuple[Any, ...]:
            """A worker gets the text once."""
            text = None if worker.memory.get(self._key) else self._text
            worker.memory[self._key] = True
            return self._play, self._key, text, task

        running = self._pool.run(PLAY, prepare=prepare, lane=Lane.BATCH)
        future = asyncio.run_coroutine_threadsafe(running, self._loop)
        future.add_done_callback(lambda ended: self._ended.put((task, ended)))

    def _games(self, task: Task, future: Future[list[Played]]) -> Iterator[list[Played]]:
        try:
            yield future.result()
        except WorkerDied as error:
            yield from self._queue.died(task, error.how)
        except TaskTooLong as error:
            yield from self._queue.hung(task, error.what)
        except NoWorkers as error:
            raise ManhuntError(f"{error}; try --workers 0") from None
        except TaskFailed as error:
            raise ManhuntError(f"a worker cannot play: {error}") from None


PLAY = f"{__name__}:play_in_worker"
_texts: dict[str, str] = {}


def play_in_worker(play: str, key: str, text: str | None, task: Task) -> list[Played]:
    """In the worker: one task of the schedule whose text came with the first."""
    if text is not None:
        _texts[key] = text
    games: list[Played] = find(play)(_texts[key], task, None)
    return games
