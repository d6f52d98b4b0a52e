"""Match-ups of agents that the server runs: one after the other, each in a process of its own with a folder.

A run is `manhunt arena` with `--out`, so that it goes on where it was stopped: after a restart of the server by
itself, after a cancel when somebody wants it. The folder of a run holds `run.json` (what was asked for, and how it
stands), `arena/` (the tournament's own folder) and `errors.txt`.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from manhunt.arena.folder import CONFIG, LOCK, RESULTS, load_ledger
from manhunt.arena.ledger import Ledger
from manhunt.errors import ManhuntError
from manhunt.files import write_atomically
from manhunt.server.errors import Conflict, NotFound, TooMany
from manhunt.server.settings import Settings, default_store
from manhunt.server.workers import usable_processors

RUN, ARENA, ERRORS = "run.json", "arena", "errors.txt"
MOST_WAITING = 20
MOST_RUNS = 200
PATIENCE_SECONDS = 3.0
"""How long a process has to end by itself."""
LOOK_SECONDS = 1.0


class RunState(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ACTIVE = (RunState.WAITING, RunState.RUNNING)


@dataclass(frozen=True)
class MatchUps:
    """What is to be played: every evader against every pursuers' agent."""

    game: str
    evaders: tuple[str, ...]
    pursuers: tuple[str, ...]
    n_games: int
    seed: int = 0
    seconds: float | None = None
    preset: str | None = None
    board: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_matches(self) -> int:
        return len(self.evaders) * len(self.pursuers) * self.n_games

    def command(self, out: Path) -> list[str]:
        """The arguments of `manhunt`."""
        words = ["arena", self.game, "--evader", *self.evaders, "--pursuers", *self.pursuers]
        words += ["--games", str(self.n_games), "--seed", str(self.seed), "--out", str(out), "--json"]
        n_workers = usable_processors() - 1  # one processor is left for the server
        words += ["--workers", str(n_workers if n_workers > 1 else 0)]
        words += [] if self.seconds is None else ["--seconds", str(self.seconds)]
        words += [] if self.preset is None else ["--preset", self.preset]
        words += [] if self.board is None else ["--board", self.board]
        for key, value in self.options.items():
            words += ["--set", f"{key}={json.dumps(value)}"]
        return words


@dataclass(eq=False)
class Run:
    id: str
    what: MatchUps
    folder: Path
    created_at: float
    state: RunState = RunState.WAITING
    error: str | None = None
    pid: int | None = None
    """The process that plays or played it, also of a server that was killed."""
    process: asyncio.subprocess.Process | None = None
    began: tuple[float, int] | None = None
    """When this process began to play, and how many games were played then."""

    @property
    def out(self) -> Path:
        return self.folder / ARENA

    def save(self) -> None:
        kept = {"what": asdict(self.what), "created_at": self.created_at}
        kept |= {"state": self.state.value, "error": self.error, "pid": self.pid}
        write_atomically(self.folder / RUN, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")


def load_run(folder: Path) -> Run | None:
    """The run of a folder; None where it is none of ours."""
    try:
        kept = json.loads((folder / RUN).read_text(encoding="utf-8"))
        what = MatchUps(**kept["what"])
        what = replace(what, evaders=tuple(what.evaders), pursuers=tuple(what.pursuers))
        told = (RunState(kept["state"]), kept["error"], kept["pid"])
        return Run(folder.name, what, folder, float(kept["created_at"]), *told)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def arena_folder(settings: Settings) -> Path:
    """Beside the store where that is a file, else in the user's data folder."""
    if "://" in settings.store:
        return default_store().parent / "arena"
    store = Path(settings.store).absolute()
    return store.with_name(f"{store.stem}-arena")


class ArenaJobs:
    """All runs of a server. Used from the event loop alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._runs: dict[str, Run] = {}
        self._ledgers: dict[str, tuple[tuple[int, int], Ledger]] = {}
        self._wake = asyncio.Event()
        self._closing = False
        self._worker: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Take up what was under way when the server ended."""
        found = [load_run(folder) for folder in self.folder.iterdir()] if self.folder.is_dir() else []
        for run in sorted((run for run in found if run is not None), key=lambda run: run.created_at):
            if run.state is RunState.RUNNING:
                run.state = RunState.WAITING
            self._runs[run.id] = run
        self._worker = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """End the process that plays; its run stays marked, so that the next server goes on with it."""
        self._closing = True
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        for run in self._runs.values():
            if run.process is not None:
                await _end(run.process)

    def add(self, what: MatchUps) -> Run:
        """A new run, which waits for its turn; the caller has checked what is asked for."""
        if sum(run.state in ACTIVE for run in self._runs.values()) >= MOST_WAITING:
            raise TooMany(f"{MOST_WAITING} runs are waiting; let one end, or cancel one")
        if len(self._runs) >= MOST_RUNS:
            raise TooMany(f"{MOST_RUNS} runs are kept; delete one")
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
        run = Run(name, what, self.folder / name, time.time())
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
            self._settle(run, RunState.CANCELLED)
            if run.process is not None:
                await _end(run.process)
            elif _is_locked(run.out / LOCK):
                _end_orphan(run)
        return run

    def resume(self, run_id: str) -> Run:
        run = self.find(run_id)
        if run.state in ACTIVE or run.process is not None:
            raise Conflict("this run is under way")
        if run.state is RunState.DONE:
            raise Conflict("this run is done; all its games are played")
        self._settle(run, RunState.WAITING)
        self._wake.set()
        return run

    def delete(self, run_id: str) -> None:
        """Forget a run that has ended, with all its games."""
        run = self.find(run_id)
        if run.state in ACTIVE or run.process is not None:
            raise Conflict("this run is under way; cancel it first")
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
        if run.state is not RunState.RUNNING or run.began is None:
            return None
        at, before = run.began
        n_played = n_finished - before
        if n_played < 1:
            return None
        return (time.monotonic() - at) / n_played * (run.what.n_matches - n_finished)

    def place(self, run: Run) -> int:
        """How many runs come before a waiting one."""
        ahead = [other for other in self._runs.values() if other.state in ACTIVE]
        return sum(other.created_at < run.created_at for other in ahead) if run.state is RunState.WAITING else 0

    # -- one after the other -----------------------------------------------------------------------

    async def _work(self) -> None:
        while True:
            waiting = [run for run in reversed(self.all()) if run.state is RunState.WAITING and run.process is None]
            if not waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self._play(waiting[0])
            except ManhuntError as error:
                self._settle(waiting[0], RunState.FAILED, str(error))
            except OSError as error:
                self._settle(waiting[0], RunState.FAILED, f"the run did not start: {error.strerror}")

    async def _play(self, run: Run) -> None:
        self._settle(run, RunState.RUNNING)
        await self._wait_for_lock(run)
        if run.state is not RunState.RUNNING:
            return
        ledger = await self.ledger(run)
        with open(run.folder / ERRORS, "wb") as errors:
            run.process = await asyncio.create_subprocess_exec(
                *[sys.executable, "-m", "manhunt", *run.what.command(run.out)],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        run.pid = run.process.pid
        run.save()
        run.began = (time.monotonic(), 0 if ledger is None else ledger.n_finished)
        try:
            code = await run.process.wait()
        finally:
            if not self._closing:
                run.process = None
        if run.state is RunState.RUNNING:
            self._settle(run, RunState.DONE if code == 0 else RunState.FAILED, _last_words(run, code))

    async def _wait_for_lock(self, run: Run) -> None:
        """A process of a server that was killed may still be playing this run; then its games are ours, too."""
        while _is_locked(run.out / LOCK) and run.state is RunState.RUNNING:
            await asyncio.sleep(LOOK_SECONDS)

    def _settle(self, run: Run, state: RunState, error: str | None = None) -> None:
        run.state, run.error = state, error if state is RunState.FAILED else None
        run.save()


async def _end(process: asyncio.subprocess.Process) -> None:
    """By its own number: first asked, then made to."""
    for ask in (process.terminate, process.kill):
        if process.returncode is not None:
            return
        try:
            ask()
            await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)
        except ProcessLookupError:
            return
        except TimeoutError:
            continue


def _end_orphan(run: Run) -> None:
    """End the process that a killed server left behind, if the number still means it."""
    try:
        command = Path(f"/proc/{run.pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return
    if run.pid is not None and str(run.out).encode() in command:
        os.kill(run.pid, signal.SIGTERM)


def _last_words(run: Run, code: int) -> str | None:
    if code == 0:
        return None
    try:
        lines = (run.folder / ERRORS).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return (lines[-1].removeprefix("manhunt: ") if lines else f"the process ended with {code}")[:300]


def _is_locked(file: Path) -> bool:
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return False
    try:
        descriptor = os.open(file, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def specs_of(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in names))
