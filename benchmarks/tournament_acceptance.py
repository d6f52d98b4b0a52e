"""A tournament of 20 bots, ten of them misbehaving processes, killed twice (kill -9) and resumed, on both databases.

It must end with every game once, and with the same table as a run that nobody killed.

python benchmarks/tournament_acceptance.py [--deals 1] [--workers 8] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure  # noqa: F401  (finds the helpers of the tests)

from manhunt.arena.competition.file import load_competition
from manhunt.arena.competition.pairing import expected_matches
from manhunt.core.errors import ManhuntError
from manhunt.store.connect import open_store
from manhunt.store.games import list_games
from manhunt.store.tournaments import KeptResult, count_results, find_tournament, load_results
from postgres import throwaway_postgres

ROOT = Path(__file__).parents[1]
BAD_BOT = ROOT / "tests" / "protocol" / "bad_bot.py"
PLAIN_BOT = ROOT / "examples" / "bots" / "plain_bot.py"
NAME = "acceptance"
VICES = ("asleep", "crash", "illegal", "resign", "flood", "malformed", "eat", "breed", "not-reading")
GOOD = {
    "random 1": 'agent = "random"',
    "random 2": 'agent = "random@1"',
    "greedy": 'agent = "greedy"\ngames = ["pursuit", "yard"]',
    "greedy hide": 'agent = "greedy:style=hide"\ngames = ["pursuit", "yard"]',
    "greedy uniform": 'agent = "greedy:model=uniform"\ngames = ["pursuit", "yard"]',
    "dijkstra": 'agent = "dijkstra"\ngames = ["path"]\nseats = ["evader"]',
    "min-cut": 'agent = "min-cut"\ngames = ["path"]\nseats = ["pursuers"]',
    "committed": 'agent = "committed"\ngames = ["path"]\nseats = ["evader"]',
    "plain 1": f'command = "{sys.executable} -S {PLAIN_BOT}"',
    "plain 2": f'command = "{sys.executable} -I -S {PLAIN_BOT}"',
}
HEAD = """name = "{name}"
seed = 11

[clock]
cap = 3.0

[limits]
memory_mb = 200
processes = 20
cpu_seconds = 60
keep_bots = true

[[game]]
game = "pursuit"
board = "grid:4x4"
options = {{ n_detectives = 2, max_rounds = 6 }}
games = {a}

[[game]]
name = "yard"
game = "scotland_yard"
board = "small.txt"
options = {{ n_detectives = 2, rounds = [false, false, true, false, true, false] }}
games = {a}

[[game]]
name = "path"
game = "shortest_path"
games = {b}

[[game]]
name = "fugitive"
game = "fugitive"
preset = "mini"
games = {b}
"""
BOARD = """9 14
1\n2\n3\n4\n5\n6\n7\n8\n9
1 2 Taxi\n2 3 Taxi\n4 5 Taxi\n5 6 Taxi\n7 8 Taxi\n8 9 Taxi\n1 4 Taxi\n4 7 Taxi\n2 5 Taxi\n5 8 Taxi\n3 6 Taxi\n6 9 Taxi
1 5 Bus\n5 9 Bus
"""


def write_file(folder: Path, deals: int) -> Path:
    bots = dict(GOOD)
    for vice in VICES:
        bots[f"bad {vice}"] = f'command = "{sys.executable} -S {BAD_BOT} {vice}"'
    bots["bad no start"] = 'command = "./there-is-no-such-bot"'
    text = HEAD.format(name=NAME, a=3 * deals, b=deals)
    text += "".join(f'\n[[bot]]\nname = "{name}"\n{what}\n' for name, what in bots.items())
    (folder / "small.txt").write_text(BOARD)
    file = folder / "acceptance.toml"
    file.write_text(text)
    return file


def command(verb: str, file: Path, where: str, *more: str) -> list[str]:
    return [sys.executable, "-m", "manhunt", "tournament", verb, str(file), "--store", where, *more]


def play(file: Path, where: str, workers: int, kills: int, total: int) -> None:
    """Run to the end, killing the runner `kills` times on the way."""
    players = ("--workers", str(workers), "--json")
    for i in range(kills + 1):
        began = time.perf_counter()
        with subprocess.Popen(
            command("resume" if i else "run", file, where, *players), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as runner:
            wanted = total * (i + 1) // (kills + 1) if i < kills else total + 1
            while runner.poll() is None and played(where) < wanted:
                time.sleep(0.2)
            if i < kills:
                assert runner.poll() is None, "it ended before it could be killed"
                os.kill(runner.pid, signal.SIGKILL)
            told = runner.stderr.read().decode() if runner.stderr else ""
        seconds = time.perf_counter() - began
        how = "killed" if i < kills else f"ended with {runner.returncode}"
        print(f"  {how} after {seconds:.0f} s at {played(where):,} of {total:,} games", flush=True)
        if i == kills and runner.returncode:
            raise SystemExit(told)


def played(where: str) -> int:
    try:
        store = open_store(where, create=False)
    except ManhuntError:
        return 0
    with contextlib.closing(store):
        kept = find_tournament(store, NAME)
        return 0 if kept is None else count_results(store, kept)


def what_is_kept(where: str) -> tuple[list[KeptResult], int]:
    with contextlib.closing(open_store(where, create=False)) as store:
        kept = find_tournament(store, NAME)
        assert kept is not None
        return load_results(store, kept), len(list_games(store, limit=10**6))


def table(file: Path, where: str) -> dict[str, object]:
    done = subprocess.run(command("status", file, where, "--json"), capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def essence(result: KeptResult) -> tuple[object, ...]:
    """What must be the same in every run: not the times, nor the words a dying process found."""
    faults = tuple((fault["seat"], fault["why"]) for fault in result.faults)
    match = (result.number, result.entry, result.deal, result.evader, result.pursuers)
    return *match, result.outcome, result.rounds, result.plies, faults


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=1)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--keep", type=Path, help="keep the stores in this folder")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        file = write_file(folder, options.deals)
        competition, _ = load_competition(file)
        total = expected_matches(competition)
        print(f"{len(competition.bots)} bots, {total:,} games of {len(competition.entries)} kinds", flush=True)
        stores = {
            "whole": (str(folder / "whole.db"), 0),
            "sqlite, killed twice": (str(folder / "killed.db"), 2),
            "postgresql, killed twice": (stack.enter_context(throwaway_postgres()), 2),
        }
        seen = {}
        for name, (where, kills) in stores.items():
            print(name, flush=True)
            play(file, where, options.workers, kills, total)
            results, n_games = what_is_kept(where)
            assert [result.number for result in results] == list(range(total)), "a game is lost or doubled"
            assert n_games == sum(result.game_uid is not None for result in results)
            seen[name] = ([essence(result) for result in results], table(file, where))
        whole, right = seen.pop("whole")
        for name, (rows, found) in seen.items():
            differing = [(a, b) for a, b in zip(whole, rows, strict=True) if a != b]
            for a, b in differing[:10]:
                print("  whole:", a, "\n  ", name, b)
            print(f"{name}: {len(differing)} results differ, table {'equal' if found == right else 'DIFFERS'}")
        print(json.dumps(right, indent=1)[:3000])


if __name__ == "__main__":
    main()
