"""`manhunt train fugitive`: train the net of the agent `champion` by self-play."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, add_settings, whole_number

if TYPE_CHECKING:
    from manhunt.games.fugitive.champion.training import GenerationReport

MARSHALS = ("exact", "champion")
DESCRIPTION = """Train the net of the agent champion by self-play. The Fugitive plays by his net against the Marshal
exact, or a pool of Marshals; after every generation of games a net is fitted to who won.

The folder keeps everything after each generation. The same command resumes there, whatever stopped it, and ends with
the same net as if nothing had."""
EPILOG = """examples:
  manhunt train fugitive --out net
  manhunt train fugitive --out net --minutes 10
  manhunt arena fugitive --fugitive champion:net=net/net.npz --marshal exact --games 20

The result depends on the seed and the numbers of games, not on --minutes unless that ends the training early."""


def build_parser() -> Parser:
    parser = Parser(
        prog="manhunt train", usage="manhunt train GAME --out DIR [OPTIONS]", description=DESCRIPTION, epilog=EPILOG
    )
    text = "the folder of the training; net.npz and its card net.json are there"
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help=text)
    parser.add_argument("--games", type=whole_number(1), default=3600, metavar="N", help="(default %(default)s)")
    text = "games between two fits of the net (default %(default)s)"
    parser.add_argument("--generation", type=whole_number(1), default=900, metavar="N", help=text)
    parser.add_argument(
        "--minutes", type=float, default=math.inf, metavar="M", help="stop after so long, at the latest"
    )
    text = "whom he meets: exact, champion or both (default exact)"
    parser.add_argument("--marshals", nargs="+", default=["exact"], choices=MARSHALS, metavar="NAME", help=text)
    parser.add_argument("--seed", type=whole_number(0), default=1, metavar="S", help="(default %(default)s)")
    parser.add_argument("--preset", default="standard", metavar="NAME", help="(default %(default)s)")
    add_settings(parser, "an option of the game, such as --set reach=4; may be given again")
    parser.add_argument("--json", action="store_true", help="the card as one JSON document")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.cli.screen import print_answer, progress_bar
    from manhunt.core.errors import ManhuntError
    from manhunt.games.fugitive.champion.features import FEATURES
    from manhunt.games.fugitive.champion.training import NET, Trainer, TrainingPlan
    from manhunt.games.fugitive.rules.config import make_config
    from manhunt.search.value_net import load_net

    if not options.minutes > 0:
        raise ManhuntError(f"--minutes must be more than 0, not {options.minutes:g}")
    config = make_config(options.preset, **dict(options.settings))
    plan = TrainingPlan(options.seed, options.games, options.generation, tuple(options.marshals))
    trainer = Trainer(config, plan, options.out)
    with progress_bar() as bar:
        task = bar.add_task("training", total=plan.games, completed=trainer.games, note="compiling")

        def tell(report: GenerationReport) -> None:
            note = f"{report.games}/{plan.games} games, {wins_text(report)}"
            bar.update(task, completed=report.games, note=note[:70])

        trainer.run(tell, 60 * options.minutes)
    card = load_net(options.out / NET, FEATURES)[1]
    return print_answer(options.json, lambda: card, lambda: _show(card, options.out / NET, trainer.is_done))


def wins_text(report: GenerationReport) -> str:
    """The Fugitive's wins of a generation, by Marshal."""
    return ", ".join(f"{name} {won / max(n, 1):.0%}" for name, (won, n) in report.wins.items())


def _show(card: dict[str, Any], file: Path, is_done: bool) -> None:
    from manhunt.cli.screen import console

    screen = console()
    screen.print(f"{card['games']} games in {card['seconds']:.0f} s, {card['generations']} generations")
    for name, row in card["last_generation"].items():
        screen.print(f"  the Fugitive won {row['fugitive_wins']} of {row['games']} against {name}", markup=False)
    screen.print(f"{'done' if is_done else 'not done; the same command goes on'}: {file}", markup=False)
