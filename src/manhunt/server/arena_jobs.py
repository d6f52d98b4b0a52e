"""Match-ups of agents that the server runs: one after the other, in a worker process, each with a folder.

A run is what `manhunt arena` does with `--out`, so that it goes on where it was stopped: after a restart of the server
by itself, after a cancel when somebody wants it. The folder of a run holds `run.json` (what was asked for, and how it
stands) and `arena/` (the matrix's own folder).
"""

import asyncio
import json
import logging
import os
import secrets
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from manhunt.arena.folder import CONFIG, LOCK, RESULTS, load_ledger
from manhunt.arena.ledger import Ledger
from manhunt.arena.schedule import Plan, make_plan
from manhunt.arena.tournament import run_tournament
from manhunt.boards.reference import board_from_json
from manhunt.core.agent import Limit
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.files import lock, write_atomically
from manhunt.core.reading import load_json
from manhunt.server.addresses import TooMany
from manhunt.server.errors import Conflict, NotFound
from manhunt.server.jobs import JobState
from manhunt.server.settings import Limits, Settings, default_store
from manhunt.workers.pool import Lane, TaskTooLong, WorkerPool, usable_processors

RUN, ARENA = "run.json", "arena"
MOST_WAITING = 20
MOST_RUNS = 200
MOST_KEPT_EACH = 10
"""Runs of one address that are kept, for each that may be active."""
LOOK_SECONDS = 0.2
NICENESS = 15
"""Nobody waits for a run as for an agent's move."""
LOG = logging.getLogger("manhunt.server")


ACTIVE = (JobState.WAITING, JobState.RUNNING)


@dataclass(frozen=True)
class MatchUps:
    """What is to be played: every evader against every pursuers' agent."""

    game: str
    evaders: tuple[str, ...]
    pursuers: tuple[str, ...]
    n_games: int
    seed: int | None = None
    """None: a secret, which the folder of the run keeps."""
    seconds: float | None = None
    preset: str | None = None
    board: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    place: Mapping[str, Any] | None = None
    """An uploaded board with all its edges: whoever plays the run need not ask the store for it."""

    @property
    def n_matches(self) -> int:
        return len(self.evaders) * len(self.pursuers) * self.n_games

    def plan(self) -> Plan:
        """What an arena plays; the first thing wrong is raised as one line."""
        board = self.board if self.place is None else board_from_json(self.place)
        options = {"preset": self.preset, "board": board}
        return make_plan(
            self.game,
            self.evaders,
            self.pursuers,
            self.n_games,
            options={**self.options, **{key: value for key, value in options.items() if value is not None}},
            seed=self.seed,
            limit=Limit(seconds=self.seconds),
        )


PLAY = f"{__name__}:play_run"


def play_run(what: MatchUps, out: Path) -> None:
    """In the worker: play what is missing, on all processors but one, which is left for the server."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    n_workers = usable_processors() - 1
    run_tournament(what.plan(), out=out, workers=n_workers if n_workers > 1 else 0, warn=LOG.warning)


@dataclass(eq=False)
class Run:
    id: str
    what: MatchUps
    folder: Path
    created_at: float
    state: JobState = JobState.WAITING
    error: str | None = None
    token_hash: str = ""
    """Of the secret of whoever began it; runs of older versions have none."""
    owner: str = ""
    """The address that it came from."""
    task: asyncio.Task[None] | None = None
    """Its work in the pool, while it is being played."""
    began: tuple[float, int] | None = None
    """When that began, and how many games were played then."""

    @property
    def out(self) -> Path:
        return self.folder / ARENA

    def save(self) -> None:
        kept = {"what": asdict(self.what), "created_at": self.created_at}
        kept |= {"state": self.state.value, "error": self.error, "token_hash": self.token_hash, "owner": self.owner}
        write_atomically(self.folder / RUN, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")


def load_run(folder: Path) -> Run | None:
    """The run of a folder; None where it is none of ours."""
    try:
        kept = load_json(folder / RUN)
        what = MatchUps(**kept["what"])
        what = replace(what, evaders=tuple(what.evaders), pursuers=tuple(what.pursuers))
        state = JobState(kept["state"])
        whose = (str(kept.get("token_hash", "")), str(kept.get("owner", "")))
        return Run(folder.name, what, folder, float(kept["created_at"]), state, kept["error"], *whose)
    except (BadText, ValueError, KeyError, TypeError):
        return None


def arena_folder(settings: Settings) -> Path:
    """Beside the store where that is a file, else in the user's data folder."""
    if "://" in settings.store:
        return default_store().parent / "arena"
    store = Path(settings.store).absolute()
    return store.with_name(f"{store.stem}-arena")


class ArenaJobs:
    """All runs of a server. Used from the event loop alone."""

    def __init__(self, folder: Path, pool: WorkerPool, limits: Limits | None = None) -> None:
        self.folder, self._pool, self._limits = folder, pool, limits or Limits.at_home()
        self._runs: dict[str, Run] = {}
        self._ledgers: dict[str, tuple[tuple[int, int], Ledger]] = {}
        self._wake = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Take up what was under way when the server ended."""
        found = [load_run(folder) for folder in self.folder.iterdir()] if self.folder.is_dir() else []
        for run in sorted((run for run in found if run is not None), key=lambda run: run.created_at):
            if run.state is JobState.RUNNING:
                run.state = JobState.WAITING
            self._runs[run.id] = run
        self._worker = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """Stop playing; the run stays marked as running, so that the next server goes on with it."""
        tasks = [task for task in (self._worker, *(run.task for run in self._runs.values())) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def add(self, what: MatchUps, token_hash: str = "", owner: str = "") -> Run:
        """A new run, which waits for its turn; the caller has checked what is asked for."""
        most = self._limits.runs_per_address
        own = [run for run in self._runs.values() if run.owner == owner]
        if sum(run.state in ACTIVE for run in own) >= most:
            raise TooMany(f"{most} runs of your address are waiting; let one end, or cancel one")
        if len(own) >= MOST_KEPT_EACH * most:
            raise TooMany(f"{len(own)} runs of your address are kept; delete one")
        if sum(run.state in ACTIVE for run in self._runs.values()) >= MOST_WAITING:
            raise TooMany(f"{MOST_WAITING} runs are waiting; let one end, or cancel one")
        if len(self._runs) >= MOST_RUNS:
            raise TooMany(f"{MOST_RUNS} runs are kept; delete one")
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
        run = Run(name, what, self.folder / name, time.time(), token_hash=token_hash, owner=owner)
        try:
            run.folder.mkdir(parents=True)
        except OSError as error:
            raise ManhuntError(f"cannot make the folder {run.folder}: {error.strerror}") from None
        run.save()
        self._runs[run.id] = run
        self._wake.set()
        return run

    def all(self) -> list[Run]:
        """The newest first."""
        return sorted(self._runs.values(), key=lambda run: -run.created_at)

    def find(self, run_id: str) -> Run:
        if run_id not in self._runs:
            raise NotFound(f"there is no run {run_id[:40]!r}")
        return self._runs[run_id]

    async def cancel(self, run_id: str) -> Run:
        """What was played stays, and the run may go on later."""
        run = self.find(run_id)
        if run.state in ACTIVE:
            self._settle(run, JobState.CANCELLED)
            if run.task is not None:
                run.task.cancel()
                await asyncio.gather(run.task, return_exceptions=True)
        return run

    def resume(self, run_id: str) -> Run:
        run = self.find(run_id)
        if run.state in ACTIVE or run.task is not None:
            raise Conflict("this run is still running")
        if run.state is JobState.DONE:
            raise Conflict("this run is done; all its games have been played")
        self._settle(run, JobState.WAITING)
        self._wake.set()
        return run

    def delete(self, run_id: str) -> None:
        """Forget a run that has ended, with all its games."""
        run = self.find(run_id)
        if run.state in ACTIVE or run.task is not None:
            raise Conflict("this run is still running; cancel it first")
        shutil.rmtree(run.folder, ignore_errors=True)
        del self._runs[run_id]
        self._ledgers.pop(run_id, None)

    async def ledger(self, run: Run) -> Ledger | None:
        """Everything played so far; None before the first game."""
        results = run.out / RESULTS
        if not (run.out / CONFIG).exists():
            return None
        stamp = (results.stat().st_size, results.stat().st_mtime_ns) if results.exists() else (0, 0)
        kept = self._ledgers.get(run.id)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        ledger = await asyncio.to_thread(load_ledger, run.out)
        self._ledgers[run.id] = (stamp, ledger)
        return ledger

    def seconds_left(self, run: Run, n_finished: int) -> float | None:
        """What the rest will take at the pace of this process; None while nobody can tell."""
        if run.state is not JobState.RUNNING or run.began is None:
            return None
        at, before = run.began
        n_played = n_finished - before
        if n_played < 1:
            return None
        return (time.monotonic() - at) / n_played * (run.what.n_matches - n_finished)

    def place(self, run: Run) -> int:
        """How many runs come before a waiting one."""
        ahead = [other for other in self._runs.values() if other.state in ACTIVE]
        return sum(other.created_at < run.created_at for other in ahead) if run.state is JobState.WAITING else 0

    # -- one after the other -----------------------------------------------------------------------

    async def _work(self) -> None:
        while True:
            waiting = [run for run in reversed(self.all()) if run.state is JobState.WAITING and run.task is None]
            if not waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self._play(waiting[0])
            except ManhuntError as error:
                self._settle(waiting[0], JobState.FAILED, str(error))
            except OSError as error:
                self._settle(waiting[0], JobState.FAILED, f"the run did not start: {error.strerror}")

    async def _play(self, run: Run) -> None:
        self._settle(run, JobState.RUNNING)
        await self._wait_for_lock(run)
        if run.state is not JobState.RUNNING:
            return
        ledger = await self.ledger(run)
        run.began = (time.monotonic(), 0 if ledger is None else ledger.n_finished)
        seconds = self._limits.run_seconds
        playing = self._pool.run(PLAY, run.what, run.out, lane=Lane.BATCH, limit_seconds=seconds, owner=run.owner)
        run.task = asyncio.get_running_loop().create_task(playing)
        await asyncio.wait({run.task})
        task, run.task = run.task, None
        if run.state is JobState.RUNNING and not task.cancelled():
            error = task.exception()
            words = str(error)[:300]
            if isinstance(error, TaskTooLong):
                words = f"stopped after {self._limits.run_seconds:g} s, the limit for runs here; you can resume it"
            self._settle(run, JobState.FAILED if error else JobState.DONE, words)

    async def _wait_for_lock(self, run: Run) -> None:
        """A worker that was ended a moment ago may not be gone yet; or somebody plays on in this folder by hand."""
        while _is_locked(run.out / LOCK) and run.state is JobState.RUNNING:
            await asyncio.sleep(LOOK_SECONDS)

    def _settle(self, run: Run, state: JobState, error: str | None = None) -> None:
        run.state, run.error = state, error if state is JobState.FAILED else None
        run.save()


def _is_locked(file: Path) -> bool:
    try:
        with open(file, "r+b") as handle:
            return not lock(handle)
    except OSError:
        return False


def specs_of(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in names))
