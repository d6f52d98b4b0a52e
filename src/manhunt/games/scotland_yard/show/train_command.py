"""`manhunt train scotland_yard`: train the nets of the agent `champion` by self-play."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, add_settings, whole_number

if TYPE_CHECKING:
    from manhunt.games.scotland_yard.champion.training import GenerationReport

DESCRIPTION = """Train the nets of the agent champion by self-play. Mr X plays by his net against a pool of detectives;
after every generation of games the nets are fitted to what happened.

The folder keeps everything after each generation. The same command resumes there, whatever stopped it, and ends with
the same nets as if nothing had."""
EPILOG = """examples:
  manhunt train scotland_yard --out nets --games 24000
  manhunt train scotland_yard --out nets --games 24000 --minutes 10
  manhunt arena scotland_yard --mrx champion:nets=nets/nets.npz --detectives minimax --games 20
  manhunt train scotland_yard --out rival --respond mrx --generation 100 --minutes 30

The result depends on the seed and the numbers of games, not on --minutes unless that ends the training early."""


def build_parser() -> Parser:
    parser = Parser(
        prog="manhunt train", usage="manhunt train GAME --out DIR [OPTIONS]", description=DESCRIPTION, epilog=EPILOG
    )
    text = "the folder of the training; nets.npz and its card nets.json are there"
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help=text)
    text = "games of the first stage, for both nets (default %(default)s)"
    parser.add_argument("--games", type=whole_number(0), default=24_000, metavar="N", help=text)
    text = "games of the second stage, Mr X against detectives who know his net as well (default %(default)s)"
    parser.add_argument("--informed-games", type=whole_number(0), default=0, metavar="N", help=text)
    text = "games between two fits of the nets (default %(default)s)"
    parser.add_argument("--generation", type=whole_number(1), default=400, metavar="N", help=text)
    parser.add_argument(
        "--minutes", type=float, default=math.inf, metavar="M", help="stop after so long, at the latest"
    )
    text = "begin with these nets, shipped ones by name or a .npz file, instead of random ones"
    parser.add_argument("--begin", metavar="NETS", help=text)
    text = "train one side alone, against the other side of the agent champion as it is with the nets of --begin"
    parser.add_argument("--respond", choices=("mrx", "detectives"), help=f"{text} (there: standard)")
    parser.add_argument("--seed", type=whole_number(0), default=1, metavar="S", help="(default %(default)s)")
    parser.add_argument("--preset", default="standard", metavar="NAME", help="rules and tickets (default %(default)s)")
    parser.add_argument(
        "--board", default="london", metavar="BOARD", help="a board by name or file (default %(default)s)"
    )
    add_settings(parser, "an option of the game, such as --set n_detectives=3; may be given again")
    parser.add_argument("--json", action="store_true", help="the card as one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.cli.screen import print_answer, progress_bar
    from manhunt.core.errors import ManhuntError
    from manhunt.games.scotland_yard.champion.nets import find_nets, load_nets
    from manhunt.games.scotland_yard.champion.training import NETS, Trainer, TrainingPlan
    from manhunt.games.scotland_yard.rules.config import make_config

    if not options.minutes > 0:
        raise ManhuntError(f"--minutes must be more than 0, not {options.minutes:g}")
    config = make_config(options.preset, options.board, **dict(options.settings))
    plan = TrainingPlan(options.seed, options.games, options.informed_games, options.generation)
    if plan.games + plan.informed_games == 0:
        raise ManhuntError("--games and --informed-games are both 0; one of them must be more")
    begin = None
    if options.begin or options.respond:
        begin, card = find_nets(options.begin or "standard")
        plan = replace(plan, responds=options.respond or "", begins_with=card["hash"])
    trainer = Trainer(config, plan, options.out, begin)
    with progress_bar() as bar:
        total = plan.games + plan.informed_games
        task = bar.add_task("training", total=total, completed=trainer.games, note="compiling")

        def tell(report: GenerationReport) -> None:
            bar.update(task, completed=report.games, note=f"{report.games}/{total} games, {wins_text(report)}"[:70])

        trainer.run(tell, 60 * options.minutes)
    card = load_nets(options.out / NETS)[1]
    return print_answer(options.json, lambda: card, lambda: _show(card, options.out / NETS, trainer.is_done))


def wins_text(report: GenerationReport) -> str:
    """Mr X's wins of a generation, by the detectives' way to plan."""
    return ", ".join(f"{name} {won / n:.0%}" for name, (won, n) in report.wins.items())


def _show(card: dict[str, Any], file: Path, is_done: bool) -> None:
    from manhunt.cli.screen import console

    screen = console()
    screen.print(f"{card['games']} games in {card['seconds']:.0f} s, {card['generations']} generations")
    for name, row in card["last_generation"].items():
        screen.print(f"  Mr X won {row['mrx_wins']} of {row['games']} against {name}", markup=False)
    screen.print(f"{'done' if is_done else 'not done; the same command goes on'}: {file}", markup=False)
