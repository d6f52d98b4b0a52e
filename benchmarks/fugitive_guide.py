"""What each rule of docs/how-to/fugitive-guide.md is worth: a player by the rules with it and without it.

    python benchmarks/fugitive_guide.py [--deals 1000] [--seed 20] [--out fugitive-guide]
                                        [--side marshal|fugitive|both] [--against NAME ...] [--rules WORD ...]

`rules-marshal` and `rules-fugitive` follow all rules of the guide but one, against each opponent, on the same deals.
Prints two tables in Markdown: the points of winning rate that a rule brings, "with it" less "without it", with the 95 %
interval for pairs (Agresti and Min). Finished games are kept in the folder of `--out`, one folder within it for each
opponent, so that a run that was stopped goes on; one process.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from manhunt.arena.ledger import Ledger
from manhunt.arena.schedule import make_plan
from manhunt.arena.stats import count_pairs, paired_difference, wilson
from manhunt.arena.tournament import run_tournament
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Side
from manhunt.games.fugitive.study.guide import AGENTS, Rule, rules_of, spec_of, specs_of

AGAINST = {
    Side.PURSUERS: ("l1", "hr-1", "bir-1", "continuation", "rules-fugitive", "fugitive-search"),
    Side.EVADER: ("notepad", "hr-1.1c", "l2", "rules-marshal", "exact", "bir-2u"),
}
SLOW = ("fugitive-search", "bir-2u")
"""Only played if they are named: a game takes a quarter of a second or more."""
QUICK = [name for names in AGAINST.values() for name in names if name not in SLOW]
SIDES = {"marshal": (Side.PURSUERS,), "fugitive": (Side.EVADER,), "both": (Side.PURSUERS, Side.EVADER)}


def played(side: Side, opponent: str, options: argparse.Namespace) -> Ledger:
    specs = specs_of(side, options.rules)
    evaders, pursuers = (specs, [opponent]) if side is Side.EVADER else ([opponent], specs)
    plan = make_plan("fugitive", evaders, pursuers, options.deals, seed=options.seed, records=False)
    folder = options.out / f"{AGENTS[side]}-{opponent}-{plan.run_id[:8]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    return run_tournament(plan, out=folder, workers=0, warn=print)


def cell_of(side: Side, rule: Rule, ledger: Ledger, specs: Sequence[str]) -> str:
    broken, kept = (ledger.winners(specs.index(spec_of(side, text))) for text in (rule.broken, rule.kept))
    gap = paired_difference(count_pairs(side, broken, kept))
    text = f"{100 * gap.value:+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f})"
    return text if gap.low <= 0 <= gap.high else f"**{text}**"


def table_of(side: Side, ledgers: dict[str, Ledger], words: Sequence[str]) -> list[str]:
    """How often the player by all rules wins, and then rule by rule."""
    rates = [wilson(ledger.winners(0).count(side), len(ledger.winners(0))) for ledger in ledgers.values()]
    won = [f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})" for rate in rates]
    rows, specs = [[f"`{AGENTS[side]}` wins", *won]], specs_of(side, words)
    for rule in rules_of(side, words):
        rows.append([rule.name, *(cell_of(side, rule, ledger, specs) for ledger in ledgers.values())])
    head = ["rule", *(f"`{name}`" for name in ledgers)]
    return [line_of(line) for line in (head, ["---"] * len(head), *rows)]


def line_of(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("fugitive-guide"))
    parser.add_argument("--side", choices=SIDES, default="both")
    parser.add_argument(
        "--against", nargs="+", default=None, help="opponents; by default all but the slow fugitive-search and bir-2u"
    )
    parser.add_argument("--rules", nargs="+", default=(), help="only rules with one of these words; all by default")
    options = parser.parse_args()
    sides = SIDES[options.side]
    unknown = set(options.against or ()) - {name for side in sides for name in AGAINST[side]}
    if unknown:
        parser.error(f"unknown opponent {min(unknown)}")
    try:
        for side in sides:
            names = [name for name in AGAINST[side] if name in (options.against or QUICK)]
            if names:
                ledgers = {name: played(side, name, options) for name in names}
                print("\n".join(table_of(side, ledgers, options.rules)), "\n", flush=True)
    except ManhuntError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
