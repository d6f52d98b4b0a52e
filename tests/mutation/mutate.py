"""Do the tests notice mistakes? Puts small ones into a copy of the package, one at a time, and runs the tests there.

    make mutants                                  everything, about ten minutes
    python tests/mutation/mutate.py --area store  one area
    python tests/mutation/mutate.py --seed 2      other mutants
    python tests/mutation/mutate.py --again FILE  those that survived in a file of --json

Mutants are drawn by lot, always the same for a seed. Kernels are not compiled, and Hypothesis tries ten examples, so a
mutant that survives here may still be killed by the whole suite. Every Python run is a fork of one process that has
the large libraries loaded already.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import py_compile
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Container, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from random import Random

from mutants import Mutant, mutants_of
from targets import PACKAGE, ROOT, TARGETS, Target

SLOW_FACTOR, SLOW_SECONDS = 5.0, 20.0
"""A run that takes this much longer than with the right source hangs; that is noticed, too."""
LIBRARIES = (
    "numpy",
    "numba",
    "scipy.stats",
    "networkx",
    "hypothesis",
    "pytest",
    "msgspec",
    "sqlalchemy",
    "rich",
    "httpx",
)
KILLED, SURVIVED, HUNG = "killed", "survived", "hung"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    areas = sorted({target.area for target in TARGETS})
    parser.add_argument("--area", choices=areas, action="append", help="only this area (may be repeated)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=float, default=1.0, help="more or fewer mutants of each target")
    parser.add_argument("--json", type=Path, help="write all results to this file")
    parser.add_argument("--again", type=Path, help="only what survived in this file of --json, with the same seed")
    options = parser.parse_args()
    alive = options.again and {
        row["mutant"] for row in json.loads(options.again.read_text()) if row["result"] == SURVIVED
    }
    for name in LIBRARIES:
        import_module(name)
    results: list[tuple[Target, Mutant, str]] = []
    with tempfile.TemporaryDirectory(prefix="manhunt-mutants-") as folder:
        copy = Path(folder) / "manhunt"
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        compileall.compile_dir(copy, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
        for target in TARGETS:
            if not options.area or target.area in options.area:
                results += [
                    (target, *result) for result in try_target(target, copy, options.seed, options.scale, alive)
                ]
    report(results)
    if options.json:
        rows = [{"area": target.area, "mutant": str(mutant), "result": end} for target, mutant, end in results]
        options.json.write_text(json.dumps(rows, indent=1))


def try_target(
    target: Target, copy: Path, seed: int, scale: float, only: Container[str] | None
) -> list[tuple[Mutant, str]]:
    texts = {path: (PACKAGE / path).read_text(encoding="utf-8") for path in target.paths()}
    every = [mutant for path, text in texts.items() for mutant in mutants_of(path, text)]
    chosen = Random(f"{seed} {target.files}").sample(every, min(len(every), max(1, round(target.n * scale))))
    chosen = [mutant for mutant in chosen if only is None or str(mutant) in only]
    if not chosen:
        return []
    began = time.monotonic()
    if run_tests(target, copy, None) != SURVIVED:
        sys.exit(f"{' '.join(target.tests)}: these tests fail without any mutant")
    limit = SLOW_SECONDS + SLOW_FACTOR * (time.monotonic() - began)
    print(f"{target.area}: {', '.join(map(str, texts))}: {len(chosen)} of {len(every)} mutants", flush=True)
    results = []
    for mutant in sorted(chosen, key=str):
        place, text = copy / mutant.path, texts[mutant.path]
        place.write_text(mutant.apply(text), encoding="utf-8")
        try:
            end = run_tests(target, copy, limit)
        finally:
            place.write_text(text, encoding="utf-8")
        if end != KILLED:
            print(f"  {end}: {mutant}", flush=True)
        results.append((mutant, end))
    return results


def run_tests(target: Target, copy: Path, limit: float | None) -> str:
    """`survived` if the tests pass."""
    if all(path.suffix == ".js" for path in target.paths()):
        return _run_node(target, copy, limit)
    child = os.fork()
    if child == 0:
        _be_pytest(target.tests, copy.parent, target.environment)
    code = _wait(child, limit)
    return HUNG if code is None else SURVIVED if code == 0 else KILLED


def _be_pytest(tests: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
    """This process runs the tests and ends; nothing of the parent's is cleaned up here."""
    code = 1
    try:
        os.setpgid(0, 0)
        code = _run_pytest(tests, folder, environment)
    finally:
        os._exit(code)


def _run_pytest(tests: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int:
    os.chdir(ROOT)
    os.environ.update(environment, PYTHONPATH=str(folder))
    if "NUMBA_DISABLE_JIT" in environment:
        import_module("numba").config.reload_config()
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    pytest = import_module("pytest")
    return int(pytest.main(["-x", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]))


def _wait(child: int, limit: float | None) -> int | None:
    """The exit code; None if it took too long."""
    deadline = None if limit is None else time.monotonic() + limit
    while True:
        pid, status = os.waitpid(child, os.WNOHANG if deadline else 0)
        if pid:
            return os.waitstatus_to_exitcode(status)
        if deadline and time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.01)


def _run_node(target: Target, copy: Path, limit: float | None) -> str:
    files = [str(file) for test in target.tests for file in sorted((ROOT / test).glob("*.test.mjs"))]
    try:
        done = subprocess.run(
            ["node", "--test", *files],
            env={**os.environ, "MANHUNT_PACKAGE": str(copy)},
            cwd=ROOT,
            capture_output=True,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return HUNG
    return SURVIVED if done.returncode == 0 else KILLED


def report(results: Sequence[tuple[Target, Mutant, str]]) -> None:
    print("\n| area | mutants | killed | survived |\n|---|---|---|---|")
    for area in [*dict.fromkeys(target.area for target, _, _ in results), "all"]:
        ends = [end for target, _, end in results if area in (target.area, "all")]
        n_alive = ends.count(SURVIVED)
        share = (len(ends) - n_alive) / max(1, len(ends))
        print(f"| {area} | {len(ends)} | {len(ends) - n_alive} ({share:.0%}) | {n_alive} |")


if __name__ == "__main__":
    main()
