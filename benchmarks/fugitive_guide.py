"""What each rule of docs/how-to/fugitive-guide.md is worth: a player by the rules with it and without it.

    python benchmarks/fugitive_guide.py [--deals 1000] [--seed 20] [--out fugitive-guide]
                                        [--side marshal|fugitive|both] [--against NAME ...]

`rules-marshal` and `rules-fugitive` follow all rules of the guide but one, against each opponent, on the same deals.
Prints two tables in Markdown: the points of winning rate that a rule brings, "with it" less "without it", with the 95 %
interval for pairs (Agresti and Min). Finished games are kept in the folder of `--out`, one folder within it for each
opponent, so that a run that was stopped goes on; one process.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from manhunt.arena.ledger import Ledger
from manhunt.arena.schedule import make_plan
from manhunt.arena.stats import count_pairs, paired_difference, wilson
from manhunt.arena.tournament import run_tournament
from manhunt.core.ids import Side


class Rule(NamedTuple):
    """The options of the player who keeps a rule and of one who does not; the empty text is all rules of the guide."""

    name: str
    kept: str
    broken: str


MARSHAL = (
    Rule(
        "all rules; without: none of them",
        "",
        "thrift=no,failed=no,ranges=no,likely=no,piles=no,anywhere=no,numbers=one,draw=any",
    ),
    Rule("wasted sprint cards are unlikely; without: as likely as any", "", "thrift=no"),
    Rule("wasted sprint cards are unlikely; without: impossible", "", "thrift=sure"),
    Rule("all sure numbers and one more; without: one number", "", "numbers=one"),
    Rule("all sure numbers and one more; without: the sure ones alone", "", "numbers=sure"),
    Rule("all sure numbers and one more; without: always two", "", "numbers=two"),
    Rule("all sure numbers and one more; without: all hideouts at once", "", "numbers=all"),
    Rule("read failed sets; without: failed single numbers only", "", "failed=no"),
    Rule("the number with most points; without: any possible number", "", "likely=no"),
    Rule("narrow lists from both ends; without: from the left only", "", "ranges=no"),
    Rule("draw where the lists are; without: any pile", "", "draw=any"),
    Rule("draw where the lists are; without: lowest pile", "", "draw=low"),
    Rule("draw where the lists are; without: middle pile", "", "draw=middle"),
    Rule("draw where the lists are; without: highest pile (road-block)", "", "draw=high"),
    Rule("he must have drawn it; without: piles ignored", "", "piles=no"),
    Rule("manhunt: the surest number anywhere; without: from the left", "", "anywhere=no"),
    Rule("after one bluff trust no sprint card; without: go on trusting", "doubt=yes", ""),
    Rule("turn up no 30 or more; without: turn up what you know", "guard=yes", ""),
)
FUGITIVE = (
    Rule("all rules; without: none of them", "", "draw=any,step=any,bluff=never,dead=no,two=no,run=1"),
    Rule("draw from the pile of your next step; without: any pile", "", "draw=any"),
    Rule("draw from the pile of your next step; without: lowest pile", "", "draw=low"),
    Rule("draw from the pile of your next step; without: highest pile", "", "draw=high"),
    Rule("open with two hideouts; without: one", "", "two=no"),
    Rule("the farthest free step; without: any", "", "step=any"),
    Rule("the farthest free step; without: as far as cards behind you pay", "", "step=far"),
    Rule("bluff every other time; without: never", "", "bluff=never"),
    Rule("bluff every other time; without: always", "", "bluff=always"),
    Rule("pay with cards behind you; without: any cards", "", "dead=no"),
    Rule("pay with odd cards first; without: even ones first", "odd=yes", ""),
    Rule("place rather than pass; without: pass to save cards", "", "wait=yes"),
    Rule("run with 4 face down; without: as soon as you can", "", "run=1"),
    Rule("run with 4 face down; without: with 6", "", "run=6"),
)
RULES = {Side.PURSUERS: MARSHAL, Side.EVADER: FUGITIVE}
AGENTS = {Side.PURSUERS: "rules-marshal", Side.EVADER: "rules-fugitive"}
AGAINST = {
    Side.PURSUERS: ("l1", "hr-1", "bir-1", "continuation", "rules-fugitive", "fugitive-search"),
    Side.EVADER: ("notepad", "hr-1.1c", "l2", "rules-marshal", "exact", "bir-2u"),
}
SIDES = {"marshal": (Side.PURSUERS,), "fugitive": (Side.EVADER,), "both": (Side.PURSUERS, Side.EVADER)}


def specs_of(side: Side) -> list[str]:
    """The player by all rules first, then every other one that a rule asks for."""
    options = dict.fromkeys(["", *(text for rule in RULES[side] for text in (rule.kept, rule.broken))])
    return [spec_of(side, text) for text in options]


def spec_of(side: Side, options: str) -> str:
    return f"{AGENTS[side]}:{options}" if options else AGENTS[side]


def played(side: Side, opponent: str, options: argparse.Namespace) -> Ledger:
    specs = specs_of(side)
    evaders, pursuers = (specs, [opponent]) if side is Side.EVADER else ([opponent], specs)
    plan = make_plan("fugitive", evaders, pursuers, options.deals, seed=options.seed, records=False)
    folder = options.out / f"{AGENTS[side]}-{opponent}-{options.deals}-{options.seed}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    return run_tournament(plan, out=folder, workers=0, warn=print)


def cell_of(side: Side, rule: Rule, ledger: Ledger) -> str:
    specs = specs_of(side)
    broken, kept = (ledger.winners(specs.index(spec_of(side, text))) for text in (rule.broken, rule.kept))
    gap = paired_difference(count_pairs(side, broken, kept))
    text = f"{100 * gap.value:+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f})"
    return text if gap.low <= 0 <= gap.high else f"**{text}**"


def table_of(side: Side, ledgers: dict[str, Ledger]) -> list[str]:
    """How often the player by all rules wins, and then rule by rule."""
    rates = [wilson(ledger.winners(0).count(side), len(ledger.winners(0))) for ledger in ledgers.values()]
    won = [f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})" for rate in rates]
    rows = [[f"`{AGENTS[side]}` wins", *won]]
    rows += [[rule.name, *(cell_of(side, rule, ledger) for ledger in ledgers.values())] for rule in RULES[side]]
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
    parser.add_argument("--against", nargs="+", default=None, help="some of the opponents; all by default")
    options = parser.parse_args()
    for side in SIDES[options.side]:
        known = [name for name in AGAINST[side] if options.against is None or name in options.against]
        if known:
            print("\n".join(table_of(side, {name: played(side, name, options) for name in known})), "\n", flush=True)


if __name__ == "__main__":
    main()
