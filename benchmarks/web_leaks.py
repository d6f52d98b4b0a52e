"""Every byte to the detectives and to a spectator, in two worlds that they cannot tell apart: is there a difference?

python benchmarks/web_leaks.py --games 200
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import measure  # noqa: F401  (finds the helpers of the tests)

from manhunt.store.connect import open_store
from web_leaks import look_for_leaks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "games.db")
        leaks = look_for_leaks(store, options.games, options.seed)
        store.close()
    seconds = time.perf_counter() - began
    print(f"{leaks.n_games} random games, {leaks.n_compared} with a second world, in {seconds:.0f} s")
    print(f"bytes compared: {leaks.n_bytes}; differences: {len(leaks.found)}")
    for found in leaks.found:
        print(f"  {found}")


if __name__ == "__main__":
    main()
