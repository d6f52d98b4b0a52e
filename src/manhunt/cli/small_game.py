"""What `equilibrium` and `exploit` share: the options of a small game, its tree and its solution, with bars."""

from __future__ import annotations

from argparse import Namespace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, add_settings, seconds, whole_number
from manhunt.cli.screen import progress_bar
from manhunt.core.registry import find_name, game_names, kit_of

if TYPE_CHECKING:
    from manhunt.solvers.equilibrium.cfr import Equilibrium
    from manhunt.solvers.equilibrium.tree import HistoryTree


def add_game(parser: Parser) -> None:
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(game_names())}")


def add_size(parser: Parser, iterations: int, target: float) -> None:
    from manhunt.solvers.equilibrium.tree import MOST_HISTORIES

    table = parser.add_argument_group("the game's setting")
    table.add_argument("--board", metavar="NAME", help="catalogue name, generator such as grid:2x3, or file")
    table.add_argument("--preset", metavar="NAME", help="one of the game's presets (see manhunt games)")
    add_settings(table, "another option of the game's config, the value as JSON or text; may be repeated")
    bound = parser.add_argument_group("how far to go")
    text = "refuse a game with more histories (default %(default)s)"
    bound.add_argument("--max-histories", type=whole_number(1), default=MOST_HISTORIES, metavar="N", help=text)
    text = "at most this many iterations of predictive CFR+ (default %(default)s)"
    bound.add_argument("--iterations", type=whole_number(1), default=iterations, metavar="N", help=text)
    text = "stop at this exploitability (default %(default)g)"
    bound.add_argument("--target", type=seconds, default=target, metavar="E", help=text)
    parser.add_argument("--json", action="store_true", help="one JSON document")


def tree_of(options: Namespace) -> tuple[HistoryTree, float]:
    """The tree of the game that is meant, and the seconds that it took."""
    from manhunt.solvers.equilibrium.tree import build_tree

    game = kit_of(find_name(options.game) or options.game).game
    config = game.make_config(options.preset, **_given(options))
    began = perf_counter()
    with progress_bar() as bar:
        task = bar.add_task("building", total=1.0, note="")

        def on_progress(n_histories: int, share: float) -> None:
            bar.update(task, completed=share, note=f"{n_histories:,} histories")

        tree = build_tree(game, config, most_histories=options.max_histories, on_progress=on_progress)
    return tree, perf_counter() - began


def _given(options: Namespace) -> dict[str, Any]:
    given = {} if options.board is None else {"board": options.board}
    return given | {key.replace("-", "_"): value for key, value in options.settings}


def solve_tree(tree: HistoryTree, options: Namespace) -> tuple[Equilibrium, float]:
    """The solution by predictive CFR+, and the seconds that it took."""
    from manhunt.solvers.equilibrium.cfr import solve_by_cfr

    began = perf_counter()
    with progress_bar() as bar:
        task = bar.add_task("solving", total=options.iterations, note="")

        def on_progress(iterations: int, equilibrium: Equilibrium, seconds: float) -> None:
            bar.update(task, completed=iterations, note=f"exploitability {equilibrium.exploitability:.6f}")

        found = solve_by_cfr(
            tree.form, options.iterations, target=options.target, predictive=True, on_progress=on_progress
        )
    return found, perf_counter() - began


def size_to_json(tree: HistoryTree) -> dict[str, Any]:
    evader, pursuers = tree.form.evader, tree.form.pursuers
    return {
        "game": tree.game.name,
        "config": tree.game.config_to_json(tree.config),
        "deals": len(tree.deals),
        "histories": tree.n_histories,
        "infosets": {"evader": evader.n_infosets, "pursuers": pursuers.n_infosets},
        "sequences": {"evader": evader.n_sequences, "pursuers": pursuers.n_sequences},
    }


def size_line(tree: HistoryTree) -> str:
    sizes = f"{len(tree.deals):,} deals, {tree.n_histories:,} histories, {tree.n_infosets:,} infosets"
    return f"Size             {sizes}, {tree.n_sequences:,} sequences"
