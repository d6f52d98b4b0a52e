"""What each part of `mcts` brings: the full method against itself with one part switched off, on the same deals.

    python benchmarks/mcts_ablation.py --games 400 --iterations 200 --out ablation.md

The rows of the detectives change the detectives and keep Mr X; those of Mr X change Mr X and keep the detectives.
Prints a table in Markdown: the rate of the changed side with its 95 % interval, and the change against the full
method, paired by deal.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from manhunt.arena.ledger import Ledger
from manhunt.arena.schedule import make_plan
from manhunt.arena.stats import Interval, count_pairs, paired_difference, wilson
from manhunt.arena.tournament import run_tournament
from manhunt.core.agent import Limit
from manhunt.core.ids import Side

FULL = "mcts"
DETECTIVES = {
    "no location categories": "categories=no",
    "no location filtering": "filtering=no",
    "no coalition reduction": "coalition=0",
    "no progressive history": "history=0",
    "random playouts": "greedy=no",
    "UCT constant 1 for 2": "c=1.0",
    "no information sets in the tree": "infosets=no",
    "tree kept between decisions": "reuse=yes",
}
MRX = {
    "no move filtering": "thrift=no",
    "no progressive history": "history=0",
    "random playouts": "greedy=no",
    "detectives know the place in playouts": "assumed=no",
    "UCT constant 1 for 0.2": "c=1.0",
    "no information sets in the tree": "infosets=no",
    "tree kept between decisions": "reuse=yes",
}


def rows_of(side: Side, parts: dict[str, str], options: argparse.Namespace) -> list[str]:
    specs = [FULL, *(f"{FULL}:{switch}" for switch in parts.values())]
    evaders, pursuers = (specs, [FULL]) if side is Side.EVADER else ([FULL], specs)
    limit = Limit(iterations=options.iterations)
    plan = make_plan("scotland_yard", evaders, pursuers, options.games, limit=limit, seed=options.seed, records=False)
    ledger = run_tournament(plan, workers=options.workers)
    return [
        row(side, name, spec, ledger, cell)
        for cell, (name, spec) in enumerate(zip(["full", *parts], specs, strict=True))
    ]


def row(side: Side, name: str, spec: str, ledger: Ledger, cell: int) -> str:
    winners = [winner for winner in ledger.winners(cell) if winner is not None]
    rate = wilson(sum(winner is side for winner in winners), len(winners))
    pairs = count_pairs(side, ledger.winners(0), ledger.winners(cell))
    change = "" if cell == 0 else _signed(paired_difference(pairs))
    who = "Mr X" if side is Side.EVADER else "detectives"
    return f"| {who} | {name} | `{spec}` | {_percent(rate)} | {change} |"


def _percent(rate: Interval) -> str:
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def _signed(change: Interval) -> str:
    return f"{100 * change.value:+.1f} ({100 * change.low:+.1f} to {100 * change.high:+.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--out", type=Path, default=None)
    options = parser.parse_args()
    began = time.perf_counter()
    lines = ["| side | part | agent | wins | change, paired |", "|---|---|---|---|---|"]
    lines += rows_of(Side.PURSUERS, DETECTIVES, options)
    lines += rows_of(Side.EVADER, MRX, options)
    text = "\n".join(lines)
    print(text)
    print(
        f"{options.games} games a row, {options.iterations} iterations a decision, {time.perf_counter() - began:.0f} s"
    )
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
