"""Games per second through the arena: before the referee with all events and views, and compiled.

Prints one line a measurement; the processor's time of this process is counted, so other load hardly matters.
"""

from __future__ import annotations

import argparse
import platform
import tempfile
import time
from pathlib import Path

from manhunt.arena.schedule import Plan, make_plan
from manhunt.arena.tournament import run_tournament


def measure(name: str, plan: Plan, out: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        began, spent = time.perf_counter(), time.process_time()
        run_tournament(plan, out=Path(folder) / "out" if out else None, workers=0)
        wall, cpu = time.perf_counter() - began, time.process_time() - spent
    print(f"{name:<58} {plan.n_matches / cpu:>9,.0f} games/s of processor  {plan.n_matches / wall:>9,.0f} games/s")


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}, one core")
    duel = (["random"], ["random"])
    run_tournament(make_plan("scotland_yard", *duel, 10, records=False), workers=0)  # compile
    run_tournament(make_plan("scotland_yard", ["greedy"], ["greedy"], 2), workers=0)
    measure("pursuit, random, referee", make_plan("pursuit", *duel, 300, records=False), out=False)
    plain = make_plan("scotland_yard", *duel, 200, records=False, compiled=False)
    measure("scotland_yard, random, referee", plain, out=False)
    measure("scotland_yard, random, referee, records kept", make_plan("scotland_yard", *duel, 200), out=True)
    measure("scotland_yard, greedy, referee", make_plan("scotland_yard", ["greedy"], ["greedy"], 60), out=False)
    many = make_plan("scotland_yard", *duel, 100_000, records=False)
    measure("scotland_yard, random, compiled", many, out=False)
    measure("scotland_yard, random, compiled, results kept", many, out=True)


if __name__ == "__main__":
    main()
