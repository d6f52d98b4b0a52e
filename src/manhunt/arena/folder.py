"""The folder of a tournament: config.json, secret.txt, results.jsonl, times.jsonl, records/, matrix.json at the end.

Results are whole lines, appended game by game. A run that was killed leaves at most one torn last line, which is
dropped; the next run plays what is missing. When all games are played, the lines are put into schedule order.
"""

import json
import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import IO, Any, Self

from manhunt.arena.ledger import Ledger
from manhunt.arena.program import program_hash
from manhunt.arena.result import Played, Result, number_of, parse_result, parse_times
from manhunt.arena.schedule import FINGERPRINT, Plan, differences, plan_from_json
from manhunt.core.errors import BadConfig, BadText, ManhuntError, in_words
from manhunt.core.files import lock, write_atomically
from manhunt.core.reading import MEGABYTE, load_json, read_bytes
from manhunt.core.seeds import Secret, new_secret, parse_secret

CONFIG, RESULTS, TIMES, RECORDS = "config.json", "results.jsonl", "times.jsonl", "records"
MATRIX, BOUNDS, LOCK, SECRET = "matrix.json", "bounds.json", ".lock", "secret.txt"
SYNC_SECONDS = 1.0
MOST_RESULT_BYTES = 1024 * MEGABYTE
"""About five million games."""
_SLUG = re.compile(r"[^A-Za-z0-9.=@-]+")


def load_plan(path: Path) -> Plan:
    """Read the plan of a folder; a one-line error if it has none."""
    file = path / CONFIG
    if not file.exists():
        raise BadConfig(f"{path} holds no tournament: it has no {CONFIG}")
    data = load_json(file)
    if not isinstance(data, dict) or "plan" not in data:
        raise BadText(f"{file} is not a tournament's config")
    plan = plan_from_json(data["plan"], str(file))
    return plan if plan.seed is not None else replace(plan, seed=_load_secret(path, data["plan"]["seed"]))


def _load_secret(path: Path, published: Any) -> Secret | None:
    """The secret that the games come from; None where somebody took it away, which reports can do without."""
    try:
        secret = parse_secret((path / SECRET).read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadText(f"{path / SECRET} holds no secret: {in_words(error)}") from None
    if published != {FINGERPRINT: secret.fingerprint}:
        raise BadText(f"{path / SECRET} is not the secret that this tournament was begun with")
    return secret


def seal(plan: Plan, out: Path | None) -> Plan:
    """The plan with a seed: its own, that of the folder, or a new secret. After this it decides every game."""
    if plan.seed is not None:
        return plan
    if out is None or not (out / CONFIG).exists():
        return replace(plan, seed=new_secret())
    kept = load_plan(out).seed
    if kept is None:
        raise BadConfig(f"{out} cannot be resumed: {SECRET}, which its games come from, is missing")
    return replace(plan, seed=kept)


def load_ledger(path: Path) -> Ledger:
    """Read all results of a folder without changing it, even if the run is still going on or was stopped."""
    plan = load_plan(path)
    ledger = Ledger(plan)
    for result in results_of(path / RESULTS, plan):
        ledger.book_result(result)
    for line in whole_lines(path / TIMES):
        times = parse_times(line)
        if times is not None and times.number < plan.n_matches and ledger.is_finished(times.number):
            ledger.book_times(times)
    ledger.bounds = _load_bounds(path / BOUNDS)
    return ledger


def save_bounds(path: Path, bounds: Mapping[str, Any]) -> None:
    """Certified bounds on the value of the start; they depend on the time they were given, so they stand apart."""
    write_atomically(path / BOUNDS, json.dumps(bounds, ensure_ascii=False) + "\n")


def _load_bounds(file: Path) -> dict[str, Any] | None:
    if not file.exists():
        return None
    try:
        bounds: dict[str, Any] = load_json(file)
        if not all(isinstance(bounds[side]["value"], int | float) for side in ("lower", "upper")):
            raise ValueError("a bound is not a number")
        return bounds
    except (ValueError, KeyError, TypeError) as error:
        raise BadText(f"{file} holds no bounds: {in_words(error)}") from None


def results_of(file: Path, plan: Plan) -> Iterator[Result]:
    """The results of a file as they came, the first of each number."""
    seen: set[int] = set()
    for number, line in enumerate(whole_lines(file), 1):
        result = parse_result(line, f"{file} line {number}")
        if not 0 <= result.number < plan.n_matches:
            raise BadText(f"{file} line {number}: game {result.number} is not in the schedule of {plan.n_matches}")
        if result.number not in seen:
            seen.add(result.number)
            yield result


def whole_lines(file: Path) -> list[str]:
    """The lines of a file that end with a newline; a torn last one is left out."""
    try:
        data = read_bytes(file, most_bytes=MOST_RESULT_BYTES)
    except BadText:
        if not file.exists():
            return []
        raise
    return data[: data.rfind(b"\n") + 1].decode("utf-8", "replace").split("\n")[:-1]


class Folder:
    """A tournament's folder open for writing, by one run at a time."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.plan = plan
        self.is_new = _prepare(path, plan)
        self._lock = _lock(path)
        for name in (RESULTS, TIMES):
            _drop_torn_line(path / name)
        self.ledger = load_ledger(path)
        self._results = _appending(path / RESULTS)
        self._times = _appending(path / TIMES)
        self._synced = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, batch: Sequence[Played]) -> None:
        """Keep finished games: records and times first, so that a kept result has both."""
        match = self.plan.match
        for played in batch:
            if played.record is not None:
                write_atomically(self.path / RECORDS / record_name(self.plan, played.result.number), played.record)
        try:
            self._times.write("".join(p.times.line() for p in batch if p.times is not None).encode())
            self._results.write("".join(p.result.line(match(p.result.number)) for p in batch).encode())
        except OSError as error:
            raise ManhuntError(f"cannot write into {self.path}: {error.strerror}") from None
        if monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        for file in (self._times, self._results):
            os.fsync(file.fileno())
        self._synced = monotonic()

    def finish(self, summary: dict[str, Any]) -> None:
        """All games are played: results in schedule order, and the summary."""
        self.sync()
        lines = whole_lines(self.path / RESULTS)
        numbers = [number_of(line) for line in lines]
        if numbers != list(range(self.plan.n_matches)):
            rows = dict(zip(reversed(numbers), reversed(lines), strict=True))  # the first of each number counts
            write_atomically(self.path / RESULTS, "".join(f"{rows[number]}\n" for number in sorted(rows)))
        write_atomically(self.path / MATRIX, json.dumps(summary, indent=1, ensure_ascii=False) + "\n")

    def close(self) -> None:
        for file in (self._results, self._times):
            if not file.closed:
                os.fsync(file.fileno())
                file.close()
        self._lock.close()


def record_name(plan: Plan, number: int) -> str:
    match = plan.match(number)
    slug = _SLUG.sub("_", f"{match.evader}-vs-{match.pursuers}")[:80]
    return f"{number:06d}-{slug}.txt"


def _prepare(path: Path, plan: Plan) -> bool:
    """Make the folder, or refuse one of another configuration; True if it is new."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ManhuntError(f"cannot make the folder {path}: {error.strerror}") from None
    is_new = not (path / CONFIG).exists()
    if not is_new:
        there = load_plan(path)
        if there != plan:
            what = differences(there, plan)
            more = f" (and {len(what) - 1} more)" if len(what) > 1 else ""
            detail = (what or ["its config is different"])[0]
            raise BadConfig(f"{path} holds another tournament: there {detail}{more}; choose another folder with --out")
    elif any(entry.name not in (LOCK, SECRET) for entry in path.iterdir()):
        raise BadConfig(f"{path} is not empty and holds no tournament; choose another folder with --out")
    if is_new:
        if isinstance(plan.seed, Secret):
            write_atomically(path / SECRET, f"{plan.seed.hex}\n", private=True)
        write_atomically(path / CONFIG, json.dumps(_described(plan), indent=1, ensure_ascii=False) + "\n")
    if plan.records:
        (path / RECORDS).mkdir(exist_ok=True)
    return is_new


def _described(plan: Plan) -> dict[str, Any]:
    made_with = {"manhunt": plan.version, "sources": program_hash()}
    made_with |= {"python": platform.python_version(), "numpy": version("numpy")}
    return {"run": plan.run_id, "made_with": made_with, "plan": plan.to_json()}


def sources_changed(path: Path) -> bool:
    """Whether the program is another one than when the folder was begun, though its version is the same."""
    noted = load_json(path / CONFIG).get("made_with", {}).get("sources")
    return bool(noted != program_hash())


def _lock(path: Path) -> IO[bytes]:
    handle = _appending(path / LOCK)
    if not lock(handle):
        handle.close()
        raise BadConfig(f"another run is writing into {path}; wait for it, or choose another folder")
    return handle


def _drop_torn_line(file: Path) -> None:
    if not file.exists():
        return
    data = file.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(file, whole)


def _appending(file: Path) -> IO[bytes]:
    """Unbuffered, so that what was written survives the process."""
    return open(file, "ab", buffering=0)
