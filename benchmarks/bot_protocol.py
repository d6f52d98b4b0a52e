"""What the bot protocol costs: a move of a random bot behind it against the same choice made in-process.

Prints one line a game and language: processor time of our own process for a move (referee and protocol), which other
load on the machine hardly changes, and the time on the wall, bot and pipes included. Start of a bot and peak memory
come last.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import print_machine, print_peak

from manhunt.agents.bot import BotAgent
from manhunt.agents.link import BotLimits, Link, Patience, parse_address, running_bots
from manhunt.agents.random import RandomAgent
from manhunt.core.agent import Agent
from manhunt.core.ids import PLAYERS
from manhunt.core.registry import game_names, make_game
from manhunt.play.referee import Referee

EXAMPLES = Path(__file__).parents[1] / "examples" / "bots"
MOVES = 600
BIG = ("shortest_path", {"board": "contest:1000:10000:separation=8:cut=4:seed=0"})


def seconds_per_move(spec: str | None, name: str, options: dict[str, str], moves: int) -> tuple[float, float]:
    """Processor time of this process, and wall time; each the best of some games."""
    game = make_game(name)
    config = game.make_config(**options)
    cpu = wall = float("inf")
    done = seed = 0
    with running_bots(keep=True):
        while done < moves:
            agents: dict[object, Agent] = {s: RandomAgent() if spec is None else BotAgent(spec) for s in PLAYERS}
            referee = Referee(game, config, agents, seed=seed)  # type: ignore[arg-type]
            began, spent = time.perf_counter(), time.process_time()
            while not referee.over and len(referee.actions) < 200:
                referee.step()
            n = len(referee.actions)
            wall = min(wall, (time.perf_counter() - began) / n)
            cpu = min(cpu, (time.process_time() - spent) / n)
            for agent in agents.values():
                agent.stop()
            done, seed = done + n, seed + 1
    return cpu, wall


def start_seconds(spec: str) -> float:
    found = []
    for _ in range(5):
        began = time.perf_counter()
        link = Link(parse_address(spec), BotLimits(), Patience())
        found.append(time.perf_counter() - began)
        link.leave()
    return min(found)


def bots(folder: Path) -> dict[str, str]:
    found = {
        "Python kit": f"cmd:{sys.executable} {EXAMPLES / 'python_bot.py'}",
        "Python, plain": f"cmd:{sys.executable} {EXAMPLES / 'plain_bot.py'}",
    }
    if shutil.which("node"):
        found["JavaScript"] = f"cmd:node {EXAMPLES / 'javascript_bot.js'}"
    if compiler := shutil.which("cc"):
        subprocess.run([compiler, "-O2", "-o", folder / "c_bot", EXAMPLES / "c_bot.c"], check=True)
        found["C"] = f"cmd:{folder / 'c_bot'}"
    return found


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print_machine()
    with tempfile.TemporaryDirectory() as folder:
        found = bots(Path(folder))
        rows = [(name, dict[str, str](), MOVES) for name in game_names()] + [(*BIG, 200)]
        for name, options, moves in rows:
            own, _ = seconds_per_move(None, name, options, moves)
            print(f"{name} {' '.join(options.values())}: in-process {own * 1e6:,.0f} us a move")
            for language, spec in found.items():
                cpu, wall = seconds_per_move(spec, name, options, moves)
                ours = f"{cpu * 1e6:>6,.0f} us of ours, {(cpu - own) * 1e6:>6,.0f} added, {cpu / own:>4.1f} times"
                print(f"  {language:<14} {ours}; {wall * 1e6:>7,.0f} us on the wall")
        for language, spec in found.items():
            print(f"start and hello, {language}: {start_seconds(spec) * 1e3:,.0f} ms")
    print_peak()


if __name__ == "__main__":
    main()
