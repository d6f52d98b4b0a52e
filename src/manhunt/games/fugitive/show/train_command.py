"""`manhunt train fugitive`: train the net of the agent `champion` by self-play."""

from __future__ import annotations

import argparse

from manhunt.cli.parser import Parser, add_settings, whole_number
from manhunt.cli.training import add_training_options, train

MARSHALS = ("exact", "champion")
DESCRIPTION = """Train the net of the agent champion by self-play. The Fugitive plays by his net against the Marshal
exact, or a pool of Marshals; after every generation of games a net is fitted to who won.

The folder keeps everything after each generation. The same command resumes an interrupted run, and ends with the
same net as an uninterrupted one."""
EPILOG = """examples:
  manhunt train fugitive --out net
  manhunt train fugitive --out net --minutes 10
  manhunt arena fugitive --agent-fugitive champion:net=net/net.npz --agent-marshal exact --games 20

The result depends on the seed and the numbers of games, not on --minutes unless that ends the training early."""


def build_parser() -> Parser:
    parser = Parser(
        prog="manhunt train", usage="manhunt train GAME --out DIR [OPTIONS]", description=DESCRIPTION, epilog=EPILOG
    )
    add_training_options(parser, 900, "the folder of the training; net.npz and its card net.json are there")
    parser.add_argument(
        "--games", type=whole_number(1), default=3600, metavar="N", help="games in all (default %(default)s)"
    )
    text = "whom he meets: exact, champion or both (default exact)"
    parser.add_argument("--marshals", nargs="+", default=["exact"], choices=MARSHALS, metavar="NAME", help=text)
    add_settings(parser, "an option of the game, such as --set reach=4; may be given again")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.games.fugitive.champion.features import FEATURES
    from manhunt.games.fugitive.champion.training import NET, Trainer, TrainingPlan
    from manhunt.games.fugitive.rules.config import make_config
    from manhunt.search.value_net import load_net

    config = make_config(options.preset, **dict(options.settings))
    plan = TrainingPlan(options.seed, options.games, options.generation, tuple(options.marshals))
    trainer = Trainer(config, plan, options.out)
    file = options.out / NET
    return train(options, trainer, plan.games, "the Fugitive", file, lambda: load_net(file, FEATURES)[1])
