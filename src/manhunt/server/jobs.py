"""Long work in worker processes that a page watches and may cancel."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from manhunt.core.errors import ManhuntError
from manhunt.server.addresses import TooMany
from manhunt.server.errors import NotFound, store_words
from manhunt.server.settings import Limits
from manhunt.store.connect import BadStore
from manhunt.workers.pool import Lane, WorkerPool

KEPT_SECONDS = 3600.0
"""How long the end of a job can be asked for."""
MOST_ENDED = 200
MOST_JOBS = 20
"""Jobs that run or wait to run."""
Then = Callable[[Any], Awaitable[Any]]
LOG = logging.getLogger("manhunt.server")


class JobState(Enum):
    WAITING = "waiting"
    """For its turn; only runs of the arena do."""
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(eq=False)
class Job:
    """One piece of work; `result` is what its function returned, as JSON."""

    id: str
    state: JobState = JobState.RUNNING
    done: int = 0
    total: int = 0
    words: str = ""
    result: Any = None
    error: str | None = None
    task: asyncio.Task[None] | None = None
    ended_at: float = 0.0
    key: object = None
    owner: str = ""
    """The address that began it."""
    waiting: set[str] = field(default_factory=set)
    """The addresses that asked for it and have not cancelled it."""

    def __post_init__(self) -> None:
        self.waiting.add(self.owner)

    def to_json(self) -> dict[str, Any]:
        progress = {"done": self.done, "total": self.total, "words": self.words}
        out: dict[str, Any] = {"state": self.state.value, "progress": progress}
        if self.state is JobState.DONE:
            out["result"] = self.result
        if self.error is not None:
            out["error"] = self.error
        return out


class Jobs:
    """All jobs of a server. Whoever knows a job's id may watch it; it ends when all who asked for it cancel it."""

    def __init__(self, pool: WorkerPool, limits: Limits | None = None) -> None:
        self._pool, self._limits = pool, limits or Limits.at_home()
        self._jobs: dict[str, Job] = {}

    def start(self, what: str, *args: Any, key: object = None, then: Then | None = None, owner: str = "") -> Job:
        """Begin `module:function` with these arguments in a worker, unless a job of this key does so already.

        The function reports its progress with `manhunt.analysis.progress.report`. `then` runs in the server when it is
        done and makes the job's result from its answer (to keep it in the store, say).
        """
        self._forget_old()
        running = [job for job in self._jobs.values() if job.state is JobState.RUNNING]
        for job in running:
            if key is not None and job.key == key:
                job.waiting.add(owner)
                return job
        if len(running) >= MOST_JOBS:
            raise TooMany(f"{MOST_JOBS} jobs are running; wait for one to end, or cancel one")
        most = self._limits.jobs_per_address
        if sum(job.owner == owner for job in running) >= most:
            raise TooMany(f"{most} jobs of your address are running; wait for one to end, or cancel one")
        job = self._add(Job(secrets.token_urlsafe(12), key=key, owner=owner))
        job.task = asyncio.get_running_loop().create_task(self._run(job, what, args, then))
        return job

    def done(self, result: Any, key: object = None) -> Job:
        """A job whose result is there already; the same one for all who ask for this key."""
        self._forget_old()
        for job in self._jobs.values():
            if key is not None and job.key == key and job.state is JobState.DONE:
                return job
        ended_at = time.monotonic()
        return self._add(Job(secrets.token_urlsafe(12), JobState.DONE, result=result, ended_at=ended_at, key=key))

    def _add(self, job: Job) -> Job:
        """Ended ones are forgotten when there are too many."""
        self._jobs[job.id] = job
        ended = [old.id for old in self._jobs.values() if old.state is not JobState.RUNNING]
        for old in ended[: max(0, len(ended) - MOST_ENDED)]:
            del self._jobs[old]
        return job

    def find(self, job_id: str) -> Job:
        if job_id not in self._jobs:
            raise NotFound(f"there is no job {job_id[:40]!r}")
        return self._jobs[job_id]

    def cancel(self, job_id: str, owner: str = "") -> Job:
        """For this address; others who asked for the same go on waiting for it."""
        job = self.find(job_id)
        job.waiting.discard(owner)
        if not job.waiting and job.state is JobState.RUNNING and job.task is not None:
            self._end(job, JobState.CANCELLED)
            job.task.cancel()
        return job

    async def close(self) -> None:
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, job: Job, what: str, args: tuple[Any, ...], then: Then | None) -> None:
        def hear(done: int, total: int, words: str) -> None:
            job.done, job.total, job.words = done, total, words

        try:
            answer = await self._pool.run(
                what, *args, lane=Lane.JOBS, progress=hear, owner=job.owner, limit_seconds=self._limits.job_seconds
            )
            job.result = answer if then is None else await then(answer)
            self._end(job, JobState.DONE)
        except ManhuntError as error:
            job.error = store_words(error) if isinstance(error, BadStore) else str(error)
            self._end(job, JobState.FAILED)
        except asyncio.CancelledError:
            self._end(job, JobState.CANCELLED)
            raise
        except Exception:
            LOG.exception("what the job %s made could not be kept", what)
            job.error = "something went wrong here; it is not your fault"
            self._end(job, JobState.FAILED)

    def _end(self, job: Job, state: JobState) -> None:
        if job.state is JobState.RUNNING:
            job.state, job.ended_at = state, time.monotonic()

    def _forget_old(self) -> None:
        since = time.monotonic() - KEPT_SECONDS
        kept = [job for job in self._jobs.values() if job.state is JobState.RUNNING or job.ended_at >= since]
        self._jobs = {job.id: job for job in kept}
