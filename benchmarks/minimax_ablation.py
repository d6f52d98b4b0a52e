"""What each part of the written description brings to the detectives of `minimax`: one part switched at a time.

    python benchmarks/minimax_ablation.py --games 400 --out ablation

Every row plays the same deals against the same Mr X agents as the default; nothing depends on the clock. Finished games
are kept in the folder --out, deal by deal for all rows: a run that was stopped goes on where it was, and --report
prints the table of what is there, also while a run goes on. --rows plays some rows (another folder for other rows).
The table, in Markdown: the detectives' win rate with its
95 % interval, the change against the default paired by deal, and the same for the rounds that a game took (24 if Mr X
got away).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from manhunt.arena.folder import RESULTS, load_ledger, whole_lines
from manhunt.arena.ledger import Ledger
from manhunt.arena.schedule import make_plan
from manhunt.arena.stats import Interval, PairCounts, count_pairs, mean_of, paired_difference, wilson
from manhunt.arena.tournament import run_tournament
from manhunt.core.ids import Side

ROWS = {
    "default": "minimax",
    "pure minimax": "minimax-pure",
    "ticket pressure": "minimax:pressure=1",
    "weighted transport graph": "minimax:scarcity=0.25",
    "entropy reduction": "minimax:entropy=0,entropy_drop=1",
    "dominance by speed": "minimax:dominance=speed",
    "replies by escape potential": "minimax:ordering=escape",
    "all of these": "minimax-pure:pressure=1,entropy=0,entropy_drop=1,scarcity=0.25,dominance=speed,ordering=escape",
    "the expected reply only": "minimax:adversity=0",
    "entropy reduction beside entropy left": "minimax:entropy_drop=1",
    "no dominance": "minimax:dominance=none",
}
MAIN = list(ROWS)[:8]
OPPONENTS = ("scotfish-lookahead", "minimax:iterations=30")


class Row:
    """The finished games of one row: for each opponent the winners, and the rounds by opponent and deal."""

    def __init__(self, number: int, ledger: Ledger, rounds: dict[int, int]) -> None:
        plan = ledger.plan
        cells = range(number, plan.n_cells, len(plan.pursuers))
        self.winners = [ledger.winners(cell) for cell in cells]
        self.rounds = {
            (cell // len(plan.pursuers), n // plan.n_cells): rounds[n]
            for cell in cells
            for n in range(cell, plan.n_matches, plan.n_cells)
            if n in rounds
        }

    def line(self, name: str, spec: str, base: Row) -> list[str]:
        won = [[winner is Side.PURSUERS for winner in winners if winner is not None] for winners in self.winners]
        n_games = sum(map(len, won))
        rate = percent(wilson(sum(map(sum, won)), n_games))
        by_opponent = " / ".join(f"{100 * sum(each) / len(each):.1f}" for each in won)
        pairs = [count_pairs(Side.PURSUERS, *both) for both in zip(base.winners, self.winners, strict=True)]
        change = paired_difference(PairCounts(*map(sum, zip(*pairs, strict=True))))
        differences = Counter(float(self.rounds[n] - base.rounds[n]) for n in self.rounds if n in base.rounds)
        longer = mean_of(differences)
        assert longer is not None
        changes = ["", ""] if self is base else [signed(change, 100, 1), signed(longer, 1, 2)]
        rounds = f"{sum(self.rounds.values()) / len(self.rounds):.2f}"
        return [name, f"`{spec}`", str(n_games), rate, changes[0], by_opponent, rounds, changes[1]]


def percent(rate: Interval) -> str:
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def signed(change: Interval, scale: float, digits: int) -> str:
    value, low, high = (f"{scale * number:+.{digits}f}" for number in change)
    return f"{value} ({low} to {high})"


def table(out: Path) -> str:
    ledger = load_ledger(out)
    rounds = {game["n"]: game["rounds"] for game in map(json.loads, whole_lines(out / RESULTS))}
    names = {spec: name for name, spec in ROWS.items()}
    specs = ledger.plan.pursuers
    rows = [Row(number, ledger, rounds) for number in range(len(specs))]
    if len(rounds) < ledger.plan.n_cells:
        return f"{out}: only {len(rounds)} games so far; the table begins when every row has played one deal"
    head = ["part", "agent", "games", "detectives win", "change, paired", "by opponent", "rounds", "change, paired"]
    lines = [row.line(names[spec], spec, rows[0]) for spec, row in zip(specs, rows, strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *lines])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="deals that every row plays against each opponent")
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=MAIN, metavar="ROW")
    parser.add_argument("--seed", type=int, default=2020)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("minimax-ablation"))
    parser.add_argument("--report", action="store_true", help="play nothing, print what is there")
    options = parser.parse_args()
    if not options.report:
        specs = list(dict.fromkeys([ROWS["default"], *(ROWS[name] for name in options.rows)]))
        plan = make_plan("scotland_yard", OPPONENTS, specs, options.games, seed=options.seed, records=False)
        run_tournament(plan, out=options.out, workers=options.workers)
    print(table(options.out))


if __name__ == "__main__":
    main()
