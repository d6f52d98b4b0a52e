"""Interchangeable detectives on London: sorted tuples against ordered ones, in memory and through files.

python benchmarks/solve_sorted.py                3 detectives who may share nodes
python benchmarks/solve_sorted.py 4              4, sorted tuples alone: minutes, and 4.6 GB

Each sweep runs in a process of its own, so that its peak memory is its own. Seconds are those of the processor, which
other work on the machine changes little.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import print_machine

from manhunt.games.pursuit.rules.config import make_config
from manhunt.games.pursuit.solvers.all_starts import build_hunt, solve_all_starts
from manhunt.solvers.memory import peak_rss_mb
from manhunt.solvers.retrograde import AllStarts, solve_hunt
from manhunt.solvers.sharded_sweep import OrderedShards, SortedShards, solve_in_shards

SWEEPS = ("ordered", "sorted", "ordered, files", "sorted, files")
BOARD = "london"


def sweep(name: str, board: str, k: int) -> AllStarts:
    config = make_config(board=board, n_detectives=k, may_share=True)
    if name == "sorted":
        return solve_all_starts(config)
    hunt = build_hunt(config)
    if name == "ordered":
        return solve_hunt(hunt)
    kind = OrderedShards if name.startswith("ordered") else SortedShards
    with tempfile.TemporaryDirectory() as folder:
        return solve_in_shards(kind(hunt, Path(folder)))


def measure(name: str, k: int) -> None:
    """In a process of its own: prints processor seconds, peak memory, and what was found."""
    sweep(name, "grid:3x3", 2)  # compiles, or loads
    began = time.process_time()
    found = sweep(name, BOARD, k)
    print(time.process_time() - began, peak_rss_mb(), found.survivors_by_round)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int, nargs="?", default=3, metavar="DETECTIVES")
    parser.add_argument("--sweep", choices=SWEEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.sweep:
        measure(options.sweep, options.number)
        return
    print_machine()
    seconds, counts = {}, set()
    for name in SWEEPS if options.number < 4 else ("sorted",):
        command = [sys.executable, __file__, str(options.number), "--sweep", name]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split(maxsplit=2)
        seconds[name] = float(told[0])
        counts.add(told[2])
        print(f"{name:<16} {seconds[name]:>8.1f} processor seconds {float(told[1]):>8,.0f} MB at most")
    if len(counts) > 1:
        raise SystemExit("the sweeps disagree")
    print(f"survivors by round: {counts.pop().strip()}")
    if "ordered" in seconds:
        for name in SWEEPS[1:]:
            print(f"{name} against ordered: {seconds['ordered'] / seconds[name]:.2f} times as fast")


if __name__ == "__main__":
    main()
