"""Games per second of a tournament of quick bots, kept in each database, and of the arena's plain loop in the same run.

python benchmarks/tournament_speed.py [--deals 150] [--workers 2]
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from measure import print_machine, print_peak, timed

from manhunt.arena.competition.file import parse_competition
from manhunt.arena.competition.pairing import expected_matches
from manhunt.arena.competition.run import begin_competition, run_competition
from manhunt.arena.schedule import make_plan
from manhunt.arena.tournament import run_tournament
from manhunt.store.connect import open_store
from postgres import NoPostgres, throwaway_postgres

PLAIN_BOT = Path(__file__).parents[1] / "examples" / "bots" / "plain_bot.py"
OPTIONS = {"board": "grid:4x4", "n_detectives": 2, "max_rounds": 6}
FILE = """name = "{name}"
seed = 1
[format]
games = {deals}
[clock]
cap = 20.0
[limits]
keep_bots = {keep}
[[game]]
game = "pursuit"
board = "grid:4x4"
options = {{ n_detectives = 2, max_rounds = 6 }}
[[bot]]
name = "first"
{first}
[[bot]]
name = "second"
{second}
"""


def tournament(where: str, name: str, deals: int, workers: int, bot: str, keep: bool = False) -> float:
    """Games per second from the first to the last, with everything kept."""
    text = FILE.format(name=name, deals=deals, first=bot, second=bot, keep=str(keep).lower())
    competition = parse_competition(text)
    with contextlib.closing(open_store(where)) as store:
        kept, competition = begin_competition(store, competition, text)
        seconds, _ = timed(lambda: run_competition(store, kept, competition, workers=workers))
    return expected_matches(competition) / seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--deals", type=int, default=150)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    print_machine()
    n_games = 2 * options.deals
    plan = make_plan("pursuit", ["random"], ["random"], n_games, options=OPTIONS, seed=1)
    run_tournament(make_plan("pursuit", ["random"], ["random"], 2, options=OPTIONS), workers=0)
    seconds, _ = timed(lambda: run_tournament(plan, workers=0))
    plain = n_games / seconds
    print(f"{'arena, in this process, nothing kept':<52} {plain:>8,.0f} games/s")
    agent, command = 'agent = "random"', f'command = "{sys.executable} -I -S {PLAIN_BOT}"'
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        places = {"SQLite": str(Path(folder) / "a.db")}
        try:
            places["PostgreSQL"] = stack.enter_context(throwaway_postgres())
        except NoPostgres as reason:
            print(f"not measured on PostgreSQL: {reason}")
        for place, where in places.items():
            for workers in (0, options.workers):
                rate = tournament(where, f"agents {workers}", options.deals, workers, agent)
                print(f"{f'{place}, agents, {workers} workers':<52} {rate:>8,.0f} games/s, {rate / plain:.2f} of it")
        where = places["SQLite"]
        for keep in (False, True):
            name = "kept from game to game" if keep else "a fresh process each game"
            rate = tournament(where, name, max(1, options.deals // 5), options.workers, command, keep)
            print(f"{f'SQLite, bots as processes, {name}':<52} {rate:>8,.1f} games/s, {rate / plain:.3f} of it")
    print_peak()


if __name__ == "__main__":
    main()
