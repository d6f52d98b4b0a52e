"""What each part of the written description brings to the detectives of `minimax`: one part switched at a time.

    python benchmarks/minimax_ablation.py --games 400 --out ablation

Every row plays the same deals against the same Mr X agents as the default; nothing depends on the clock. A row's games
are kept in a folder of their own below --out, so that a run that was stopped goes on where it was, and a later run
plays only what is new. Prints a table in Markdown: the detectives' win rate with its 95 % interval, the change against
the default paired by deal, and the same for the rounds that a game took (24 if Mr X got away). --rows picks some.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from manhunt.arena.folder import RESULTS, whole_lines
from manhunt.arena.schedule import make_plan
from manhunt.arena.stats import Interval, PairCounts, count_pairs, mean_of, paired_difference, wilson
from manhunt.arena.tournament import run_tournament
from manhunt.core.ids import Side

ROWS = {
    "default": "minimax",
    "pure minimax": "minimax-pure",
    "ticket pressure": "minimax:pressure=1",
    "entropy reduction for entropy left": "minimax:entropy=0,entropy_drop=1",
    "weighted transport graph": "minimax:scarcity=0.25",
    "dominance by speed": "minimax:dominance=speed",
    "replies by escape potential": "minimax:ordering=escape",
    "all of these": "minimax-pure:pressure=1,entropy=0,entropy_drop=1,scarcity=0.25,dominance=speed,ordering=escape",
    "entropy reduction as well": "minimax:entropy_drop=1",
    "no dominance": "minimax:dominance=none",
    "expected reply only": "minimax:adversity=0",
    "pure, replies by escape potential": "minimax-pure:ordering=escape",
    "more ticket pressure": "minimax:pressure=3",
    "graph weighted more": "minimax:scarcity=0.5",
}
OPPONENTS = ("scotfish-lookahead", "minimax:iterations=30")


class RowResult:
    """The games of one row: for each opponent the winners, and the rounds of all games."""

    def __init__(self, name: str, spec: str, options: argparse.Namespace) -> None:
        self.name, self.spec = name, spec
        plan = make_plan("scotland_yard", options.opponents, [spec], options.games, seed=options.seed, records=False)
        folder = options.out / name.replace(" ", "-").replace(",", "")
        ledger = run_tournament(plan, out=folder, workers=options.workers)
        self.winners = [ledger.winners(cell) for cell in range(plan.n_cells)]
        self.rounds = {game["n"]: game["rounds"] for game in map(json.loads, whole_lines(folder / RESULTS))}

    def cells(self, base: RowResult) -> list[str]:
        won = [winner is Side.PURSUERS for winners in self.winners for winner in winners]
        rates = [f"{100 * sum(w is Side.PURSUERS for w in winners) / len(winners):.1f}" for winners in self.winners]
        rate = percent(wilson(sum(won), len(won)))
        rounds = f"{sum(self.rounds.values()) / len(self.rounds):.2f}"
        if self is base:
            return [self.name, f"`{self.spec}`", rate, "", " / ".join(rates), rounds, ""]
        pairs = [count_pairs(Side.PURSUERS, *both) for both in zip(base.winners, self.winners, strict=True)]
        change = paired_difference(PairCounts(*map(sum, zip(*pairs, strict=True))))
        longer = mean_of(Counter(float(self.rounds[n] - base.rounds[n]) for n in self.rounds))
        assert longer is not None
        return [self.name, f"`{self.spec}`", rate, signed(change, 100, 1), " / ".join(rates), rounds, signed(longer)]


def percent(rate: Interval) -> str:
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def signed(change: Interval, scale: float = 1.0, digits: int = 2) -> str:
    value, low, high = (f"{scale * number:+.{digits}f}" for number in change)
    return f"{value} ({low} to {high})"


def table(rows: Sequence[list[str]]) -> str:
    head = ["part", "agent", "detectives win", "change, paired", "by opponent", "rounds", "change, paired"]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games against each opponent")
    parser.add_argument("--opponents", nargs="+", default=list(OPPONENTS))
    parser.add_argument("--rows", nargs="*", choices=list(ROWS), default=list(ROWS), metavar="ROW")
    parser.add_argument("--seed", type=int, default=2020)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("minimax-ablation"))
    options = parser.parse_args()
    base = RowResult("default", ROWS["default"], options)
    rows = [base]
    for name in options.rows:
        if name != base.name:
            rows.append(RowResult(name, ROWS[name], options))
        print(" | ".join(rows[-1].cells(base)), flush=True)
    print(table([row.cells(base) for row in rows]))


if __name__ == "__main__":
    main()
