"""Does any agent lose on time? Every agent of every game plays with a small bank while the machine is busy.

    python benchmarks/time_losses.py --bank 1 --load 4
    python benchmarks/time_losses.py --bank 8 --load 4 --game shortest_path --agent blocker --games 6

Each agent sits on each of its seats against `random`, whose games are long. `--load` starts so many processes that do
nothing but count. Code is compiled before a clock runs, as in tournaments. A line an agent: games, faults, the least
time left in a bank, the longest move.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from measure import print_machine

from manhunt.agents.registry import list_agents, make_agent
from manhunt.arena.competition.play import warm_up
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import kits, make_game
from manhunt.play.clock import TimeControl
from manhunt.play.referee import Referee

BOARDS = {"shortest_path": ("contest:300:750:separation=8:cut=4:seed=3", "contest:200:600:separation=8:cut=6:seed=20")}
"""Where the usual board is no test."""


class Row(NamedTuple):
    game: str
    agent: str
    seat: Seat
    n_games: int
    faults: list[str]
    least_left: float
    longest: float


def chairs(games: Sequence[str], agents: Sequence[str]) -> Iterator[tuple[str, str, Seat]]:
    """Every agent on every seat that it plays; those that need a file are left out."""
    for entry in list_agents():
        for game in entry.games or tuple(kit.name for kit in kits()):
            if (not games or game in games) and (not agents or entry.name in agents):
                yield from ((game, entry.name, seat) for seat in PLAYERS if seat in entry.seats)


def measure(game: str, agent: str, seat: Seat, bank: float, n_games: int) -> Row:
    faults, least, longest = [], bank, 0.0
    for seed in range(n_games):
        rules = make_game(game)
        boards = BOARDS.get(game, ())
        options: dict[str, Any] = {"board": boards[seed % len(boards)]} if boards else {}
        config = rules.make_config(**options)
        warm_up(agent, game, config, seat)
        agents = {each: make_agent(agent if each is seat else "random", game, each) for each in PLAYERS}
        referee = Referee(rules, config, agents, seed=seed, time_control=TimeControl(bank_seconds=bank))
        while not referee.over:
            before = referee.clock.left[seat]
            referee.step()
            longest = max(longest, before - referee.clock.left[seat])
        faults += [f"{fault.why}: {fault.detail}" for fault in referee.faults]
        least = min(least, referee.clock.left[seat])
    return Row(game, agent, seat, n_games, faults, least, longest)


def _count(parent: int) -> None:
    while os.getppid() == parent:
        sum(range(100_000))


@contextmanager
def busy(n: int) -> Iterator[None]:
    processes = [
        multiprocessing.get_context("spawn").Process(target=_count, args=(os.getpid(),), daemon=True) for _ in range(n)
    ]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bank", type=float, nargs="+", default=[1.0], help="seconds for all moves of a game")
    parser.add_argument("--load", type=int, default=4, help="busy processes beside the games")
    parser.add_argument("--games", type=int, default=2, help="games of each agent on each seat")
    parser.add_argument("--game", nargs="*", default=[])
    parser.add_argument("--agent", nargs="*", default=[])
    options = parser.parse_args()
    print_machine()
    began, n_faults = time.perf_counter(), 0
    print(
        "| bank | game | agent | seat | games | faults | least left | longest move |\n|---|---|---|---|---|---|---|---|"
    )
    with busy(options.load):
        for bank in options.bank:
            for game, agent, seat in chairs(options.game, options.agent):
                try:
                    row = measure(game, agent, seat, bank, options.games)
                except ManhuntError as error:
                    print(f"| {bank:g} s | {game} | {agent} | {seat.value} | 0 | {error} | | |", flush=True)
                    continue
                n_faults += len(row.faults)
                said = f"{len(row.faults)} ({row.faults[0]})" if row.faults else "none"
                figures = f"{row.least_left:.3f} s | {row.longest:.3f} s"
                print(
                    f"| {bank:g} s | {game} | {agent} | {seat.value} | {row.n_games} | {said} | {figures} |", flush=True
                )
    print(f"\n{n_faults} faults with {options.load} busy processes, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
