"""Is one build faster than another? Both run the same work in turns, and a paired test judges the differences.

    python benchmarks/compare_builds.py ../old . --runs 20
    python benchmarks/compare_builds.py rules kernels
    python benchmarks/compare_builds.py ../old . --run "python -m manhunt solve --all-starts --board grid:5x5"

A build is a source tree (a folder with src/manhunt), or one of the two implementations of Scotland Yard's rules in
this tree: `rules` (to be read) and `kernels` (compiled). Without --run two source trees run the rule tests of the
first one, and rule implementations count the trees of moves of tests/games/scotland_yard/rules/perft. --run gives
another command: it is run with PYTHONPATH set to the build's src, and {build} in it stands for the build. A command
that prints a line `seconds: 1.23` is measured by that instead of by its whole time.

Each build runs once without being counted. Then comes pair after pair, every other one in the opposite order, so that
a machine that grows slower does not favour either. The interval is Student's for the mean of the paired differences;
the p values are those of the paired t-test and of Wilcoxon's signed-rank test, both two-sided. At the 5 % level one
comparison in twenty of a build with itself finds a difference that is not there: --repeat 100 counts how many do.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manhunt.arena.stats import Interval, mean_of

HERE = Path(__file__).resolve()
ROOT = HERE.parents[1]
RULES = ("rules", "kernels")
RULE_TESTS = "tests/games/scotland_yard/rules"
MOST_COUNTED = 30_000
"""Trees with more moves than this would take the plain rules too long."""
PRINTED = re.compile(r"^seconds: ([0-9.e+-]+)$", re.M)


class Failed(Exception):
    """A build or its command cannot be used."""


@dataclass(frozen=True)
class Build:
    name: str
    tree: Path

    def run(self, command: Sequence[str], clock: str) -> float:
        """Seconds of one run, by its own word or by the clock (of this process's children)."""
        words = [word.replace("{build}", self.name) for word in command]
        path = os.pathsep.join(filter(None, [str(self.tree / "src"), os.environ.get("PYTHONPATH")]))
        began, used = time.perf_counter(), _cpu_seconds()
        done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
        seconds = _cpu_seconds() - used if clock == "cpu" else time.perf_counter() - began
        if done.returncode:
            last = (done.stderr.strip() or done.stdout.strip() or "no words").splitlines()[-1]
            raise Failed(f"{self.name}: the command ended with code {done.returncode}: {last}")
        printed = PRINTED.findall(done.stdout)
        return float(printed[-1]) if printed else seconds


@dataclass(frozen=True)
class PairedTest:
    """Paired seconds of two builds; the difference is second less first."""

    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def difference(self) -> Interval:
        mean = mean_of(Counter(b - a for a, b in zip(self.first, self.second, strict=True)))
        assert mean is not None
        return mean

    @property
    def p_values(self) -> dict[str, float]:
        """By test; 1 where the two never differ."""
        from scipy.stats import ttest_rel, wilcoxon

        if self.first == self.second:
            return {"t-test": 1.0, "Wilcoxon": 1.0}
        tests = {"t-test": ttest_rel(self.second, self.first), "Wilcoxon": wilcoxon(self.second, self.first)}
        return {name: float(test.pvalue) for name, test in tests.items()}

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return not self.difference.low <= 0 <= self.difference.high

    def lines(self, names: Sequence[str]) -> list[str]:
        width = max(map(len, names))
        rows = [
            f"{name:<{width}}  mean {statistics.mean(times):.4f} s, sd {statistics.stdev(times):.4f} s"
            for name, times in zip(names, (self.first, self.second), strict=True)
        ]
        mean, low, high = self.difference
        share = 100 * mean / statistics.mean(self.first)
        rows.append(
            f"{names[1]} less {names[0]}: {mean:+.4f} s ({share:+.1f} %), 95 % interval {low:+.4f} to {high:+.4f}"
        )
        rows.append("two-sided p: " + ", ".join(f"{name} {p:.3g}" for name, p in self.p_values.items()))
        if not self.is_clear:
            return [*rows, "no significant difference at the 5 % level"]
        return [*rows, f"{names[1] if mean < 0 else names[0]} is faster, significant at the 5 % level"]

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        seconds = dict(zip(names, (self.first, self.second), strict=True))
        return {"seconds": seconds, "difference": self.difference._asdict(), "p": self.p_values}


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def parse_build(name: str) -> Build:
    if name in RULES:
        return Build(name, ROOT)
    tree = Path(name).resolve()
    if not (tree / "src" / "manhunt").is_dir():
        raise Failed(f"{name} is no build; give a folder with src/manhunt, or {' or '.join(RULES)}")
    return Build(name, tree)


def command_of(builds: Sequence[Build], given: str | None) -> list[str]:
    """The words to run, `python` being this one."""
    if given is not None:
        words = shlex.split(given)
    elif all(build.name in RULES for build in builds):
        words = ["python", str(HERE), "--count", "{build}"]
    elif any(build.name in RULES for build in builds):
        raise Failed(f"{builds[0].name} and {builds[1].name} have no work in common; give it with --run")
    else:
        tests = builds[0].tree / RULE_TESTS
        files = [str(file) for file in sorted(tests.glob("test_*.py")) if "kernels" not in file.name]
        if not files:
            raise Failed(f"{builds[0].name} has no {RULE_TESTS}; give the work with --run")
        words = ["python", "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", str(builds[0].tree), *files]
    if not words:
        raise Failed("--run needs a command")
    return [sys.executable if words[0] == "python" else words[0], *words[1:]]


def measure_pairs(builds: Sequence[Build], command: Sequence[str], runs: int, clock: str) -> PairedTest:
    for build in builds:
        build.run(command, clock)
    seconds: dict[int, list[float]] = {0: [], 1: []}
    for pair in range(runs):
        for which in (0, 1) if pair % 2 == 0 else (1, 0):
            seconds[which].append(builds[which].run(command, clock))
        print(f"pair {pair + 1}: {seconds[0][-1]:.4f} s, {seconds[1][-1]:.4f} s", file=sys.stderr, flush=True)
    return PairedTest(tuple(seconds[0]), tuple(seconds[1]))


def count_trees(implementation: str) -> None:
    """Count the trees of moves of the tests by one implementation of the rules; compiling is not measured."""
    import measure  # noqa: F401  (finds the helpers of the tests)
    import numpy as np

    from manhunt.games.scotland_yard.rules.packed import most_actions, pack, pack_table, state_size
    from scotland_yard_packed import packed_perft
    from scotland_yard_perft import files, perft, read

    def by_kernels(state: Any, depth: int) -> int:
        config = state.config
        states = np.zeros((depth + 1, state_size(config)), np.int32)
        actions = np.zeros((depth + 1, most_actions(config)), np.int64)
        return int(packed_perft(pack_table(config), pack(state), depth, states, actions))

    count = by_kernels if implementation == "kernels" else perft
    trees = [
        (tree.state, depth, n) for tree in map(read, files()) for depth, n in tree.counts.items() if n <= MOST_COUNTED
    ]
    count(trees[0][0], 1)
    began = time.perf_counter()
    for state, depth, n in trees:
        if count(state, depth) != n:
            raise Failed(f"{implementation} count another tree than the tests")
    print(f"{sum(n for _, _, n in trees)} moves counted\nseconds: {time.perf_counter() - began:.6f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs="*", metavar="BUILD", help="two source trees, or rules and kernels")
    parser.add_argument("--run", metavar="CMD", help="the work; {build} stands for the build")
    parser.add_argument("--runs", type=int, default=20, metavar="N", help="pairs of runs (default 20)")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu suits a busy machine")
    parser.add_argument("--repeat", type=int, metavar="N", help="compare N times; count the differences found")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--count", choices=RULES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        if options.count is not None:
            return count_trees(options.count)
        if len(options.builds) != 2:
            raise Failed("give two builds")
        if options.runs < 2:
            raise Failed(f"--runs {options.runs}: two pairs or more have an interval")
        builds = [parse_build(name) for name in options.builds]
        work = (builds, command_of(builds, options.run), options.runs, options.clock)
        if options.repeat is not None:
            n_clear = sum(measure_pairs(*work).is_clear for _ in range(options.repeat))
            return print(f"{n_clear} of {options.repeat} comparisons found a difference at the 5 % level")
        found = measure_pairs(*work)
    except (Failed, OSError) as error:
        parser.exit(2, f"compare_builds: {error}\n")
    names = [
        build.name if builds[0].name != builds[1].name else f"{build.name} ({i})" for i, build in enumerate(builds, 1)
    ]
    print(json.dumps(found.to_json(names)) if options.json else "\n".join(found.lines(names)))
    return None


if __name__ == "__main__":
    main()
