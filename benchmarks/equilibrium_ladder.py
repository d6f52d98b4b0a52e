"""A ladder of solved games with hidden information: value, exploitability, sizes, seconds, checksums.

    python benchmarks/equilibrium_ladder.py [--rungs 1 2 ...] [--iterations 2000]

Each rung is a command line of `manhunt equilibrium`, which is printed first. Beside predictive CFR+ the linear program
solves what has at most 20,000 sequences. Where open-spiel is installed it reads the tree and measures how much both
sides could gain against our policies; where cvxpy and ecos are installed too, its own linear program solves what has
at most 10,000 sequences. Seconds are processor time.
"""

import argparse
import json
import shlex
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measure import print_machine, print_peak

from manhunt.core.registry import make_game
from manhunt.games.fugitive.solvers.decks import DECKS
from manhunt.games.fugitive.solvers.mini import solve_mini
from manhunt.solvers.equilibrium.cfr import Equilibrium, solve_by_cfr
from manhunt.solvers.equilibrium.checksum import checksum
from manhunt.solvers.equilibrium.sequence_form import solve_exactly
from manhunt.solvers.equilibrium.tree import HistoryTree, build_tree

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples" / "games" / "night_chase"))
TICKETS = '--set mrx_tickets=\'{"taxi":3,"bus":2,"secret":1}\' --set detective_tickets=\'{"taxi":3,"bus":2}\''
BOARD = "--board examples/boards/ladder.csv"
LADDER = (
    "night-chase --board complete:4 --set hunters=1 --set rounds=3 --set sight=0",
    "night-chase --board grid:2x3 --set hunters=1 --set rounds=4 --set sight=0",
    "night-chase --board grid:2x4 --set hunters=2 --set rounds=2 --set sight=1",
    "night-chase --board grid:2x4 --set hunters=1 --set rounds=4 --set sight=0",
    "night-chase --board grid:3x3 --set hunters=2 --set rounds=2 --set sight=0",
    "pursuit --board path:6 --set n_detectives=1 --set max_rounds=5 --set visibility=rounds --set quarry_may_stay=true",
    "pursuit --board grid:2x4 --set n_detectives=2 --set max_rounds=2 --set visibility=rounds",
    "pursuit --board grid:3x3 --set n_detectives=1 --set max_rounds=4 --set visibility=rounds --set reveal_rounds=[3]",
    "pursuit --board path:7 --set n_detectives=1 --set max_rounds=6 --set visibility=sight --set sight_hops=0"
    " --set quarry_may_stay=true",
    f"scotland-yard {BOARD} --set n_detectives=2 --set rounds=[false,true] {TICKETS}",
    f"scotland-yard {BOARD} --set n_detectives=1 --set rounds=[false,true,false,false] {TICKETS}",
    f"scotland-yard {BOARD} --set n_detectives=1 --set rounds=[false,false,false,false] {TICKETS}",
    "fugitive --set last=5 --set piles=[[3,4]] --set dealt=[1] --set reach=2 --set manhunt_below=4"
    " --set first_draws=1 --set max_rounds=3",
)
DECK_NAMES = ("five", "six", "seven")
MOST_FOR_PROGRAM = 20_000
MOST_FOR_OPENSPIEL = 200_000
MOST_FOR_ITS_PROGRAM = 10_000


def options_of(line: str) -> tuple[Any, dict[str, Any]]:
    """The game and the config's options of a command line."""
    words = shlex.split(line)
    options: dict[str, Any] = {}
    for flag, text in zip(words[1::2], words[2::2], strict=True):
        key, _, value = text.partition("=") if flag == "--set" else (flag[2:], "", text)
        options[key] = _value(value)
    if str(options.get("board", "")).endswith(".csv"):
        options["board"] = str(ROOT / options["board"])
    if words[0] == "night-chase":
        from night_chase.game import NightChase  # type: ignore[import-not-found]

        return NightChase(), options
    return make_game(words[0].replace("-", "_")), options


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def checked(tree: HistoryTree, found: Equilibrium) -> tuple[str, str, str]:
    """How far the linear program is from the value; the gap that OpenSpiel measures; how far its own program is."""
    program = gap = own = "-"
    if tree.n_sequences <= MOST_FOR_PROGRAM:
        program = f"{abs(solve_exactly(tree.form).value - found.value):.0e}"
    if find_spec("pyspiel") is not None and len(tree.nodes.kind) <= MOST_FOR_OPENSPIEL:
        from openspiel_checks import load, policy_for, value_and_gap

        game = load(tree)
        gap = f"{value_and_gap(game, policy_for(game, tree, found))[1]:.0e}"
        if find_spec("cvxpy") is not None and tree.n_sequences <= MOST_FOR_ITS_PROGRAM:
            from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game

            own = f"{abs(solve_zero_sum_game(game)[0] - found.value):.0e}"
    return program, gap, own


def climb(number: int, line: str, iterations: int) -> None:
    game, options = options_of(line)
    began = time.process_time()
    tree = build_tree(game, game.make_config(None, **options))
    built = time.process_time()
    found = solve_by_cfr(tree.form, iterations, predictive=True)
    solved = time.process_time()
    sizes = f"{tree.n_histories:,} | {tree.n_infosets:,} | {tree.n_sequences:,}"
    facts = f"{found.value:.6f} | {found.exploitability:.0e} | {found.iterations:,}"
    seconds = f"{built - began:.1f} + {solved - built:.1f}"
    others = " | ".join(checked(tree, found))
    print(f"| {number} | {sizes} | {facts} | {seconds} | `{checksum(tree.form, found)}` | {others} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rungs", type=int, nargs="*", default=list(range(1, len(LADDER) + 1)))
    parser.add_argument("--iterations", type=int, default=2000)
    options = parser.parse_args()
    print_machine()
    for number in options.rungs:
        print(f"{number}. manhunt equilibrium {LADDER[number - 1]}")
    solve_by_cfr(solve_mini(DECKS["five"], 1).game, 2)
    print("| rung | histories | infosets | sequences | value | exploitability | iterations | build + solve, s |"
          " checksum | program | OpenSpiel's gap | its program |")  # fmt: skip
    print("|---" * 12 + "|")
    for number in options.rungs:
        climb(number, LADDER[number - 1], options.iterations)
    print("| deck | infosets | sequences | winning chance | exploitability | iterations | solve, s | plain CFR+ |")
    print("|---" * 8 + "|")
    for name in DECK_NAMES:
        mini = solve_mini(DECKS[name], options.iterations)
        began = time.process_time()
        found = solve_by_cfr(mini.game, options.iterations, predictive=True)
        seconds = time.process_time() - began
        facts = f"{found.value:.6f} | {found.exploitability:.0e} | {found.iterations:,} | {seconds:.1f}"
        print(
            f"| `{name}` | {mini.n_infosets:,} | {mini.n_sequences:,} | {facts} | {mini.exploitability:.0e} |",
            flush=True,
        )
    print_peak()


if __name__ == "__main__":
    main()
