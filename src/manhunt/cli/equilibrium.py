"""`manhunt equilibrium`: a small game of any kit solved as a game of hidden information."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser
from manhunt.cli.screen import console, print_answer
from manhunt.cli.small_game import add_game, add_size, size_line, size_to_json, solve_tree, tree_of
from manhunt.core.files import check_writable, write_atomically
from manhunt.core.ids import Seat

if TYPE_CHECKING:
    from manhunt.solvers.equilibrium.cfr import Equilibrium
    from manhunt.solvers.equilibrium.tree import HistoryTree

DESCRIPTION = """Who is favoured when both sides play as well as possible, and neither knows what is hidden from it?

Every history of the game is listed, and predictive CFR+ or a linear program solves it. The value is the evader's,
from -1 to 1, and comes with bounds: the evader's policy gets at least the lower bound whatever the pursuers do, and
against the pursuers' policy no evader gets more than the upper bound. It works for small boards, few pieces and few
rounds."""
EPILOG = """examples:
  manhunt equilibrium GAME --board path:5 --set KEY=VALUE
  manhunt equilibrium GAME --board grid:2x3 --set KEY=VALUE --exactly --json
  manhunt equilibrium GAME --board ring:6 --efg game.efg"""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt equilibrium", description=DESCRIPTION, epilog=EPILOG)
    add_game(parser)
    add_size(parser, iterations=2000, target=0.0)
    parser.add_argument("--exactly", action="store_true", help="by a linear program instead of predictive CFR+")
    parser.add_argument("--efg", type=Path, metavar="FILE", help="also write the tree in Gambit's format")
    return parser


def main(options: Namespace) -> int:
    if options.efg is not None:
        check_writable(options.efg)
    tree, build_seconds = tree_of(options)
    if options.efg is not None:
        from manhunt.solvers.equilibrium.efg import export_efg

        write_atomically(options.efg, export_efg(tree))
    found, solve_seconds = _solved(tree, options)
    facts = _to_json(tree, found, build_seconds, solve_seconds)
    return print_answer(options.json, lambda: facts, lambda: _show(tree, found, facts))


def _solved(tree: HistoryTree, options: Namespace) -> tuple[Equilibrium, float]:
    if not options.exactly:
        return solve_tree(tree, options)
    from manhunt.solvers.equilibrium.sequence_form import solve_exactly

    began = perf_counter()
    return solve_exactly(tree.form), perf_counter() - began


def _to_json(tree: HistoryTree, found: Equilibrium, build_seconds: float, solve_seconds: float) -> dict[str, Any]:
    from manhunt.solvers.equilibrium.checksum import checksum

    return {
        **size_to_json(tree),
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "exploitability": found.exploitability,
        "iterations": found.iterations,
        "build_seconds": round(build_seconds, 3),
        "solve_seconds": round(solve_seconds, 3),
        "checksum": checksum(tree.form, found),
    }


def _show(tree: HistoryTree, found: Equilibrium, facts: dict[str, Any]) -> None:
    screen, game = console(), tree.game
    how = f"after {found.iterations:,} iterations" if found.iterations else "by a linear program"
    wins = f"{game.called(Seat.EVADER)} wins {max(0.0, found.value + 1) / 2:.2%} of the games"
    screen.print(f"{game.title}, {game.describe_config(tree.config) or 'as set'}", style="quiet")
    screen.print(
        f"Value            [offer]{found.value:.6f}[/offer]  (from {found.low:.6f} to {found.high:.6f}): {wins}"
    )
    screen.print(f"Exploitability   {found.exploitability:.2g} {how}")
    screen.print(size_line(tree))
    screen.print(f"Time             {facts['build_seconds']:.1f} s to build, {facts['solve_seconds']:.1f} s to solve")
    screen.print(f"Checksum         {facts['checksum']}")
