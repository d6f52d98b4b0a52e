"""The server is killed at random moments of many running games: is every acknowledged move there afterwards?

python benchmarks/web_killed.py --games 50 --kills 5
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import measure  # noqa: F401  (finds the helpers of the tests)

from killed_sites import pull_the_plug


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", help="postgresql://..., or a file (default: a new one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder) / "games.db"
        drill = pull_the_plug(store, options.games, options.kills, options.seed)
    print(f"{drill.n_games} games at once, {drill.n_kills} times kill -9, then started again")
    print(f"acknowledged moves: {drill.n_acknowledged}, reconnects of pages: {drill.n_reconnects}")
    print(f"start to answering again: {', '.join(f'{seconds:.1f}' for seconds in drill.restart_seconds)} s")
    print(f"lost or unfinished: {len(drill.faults)}")
    for fault in drill.faults:
        print(f"  {fault}")


if __name__ == "__main__":
    main()
