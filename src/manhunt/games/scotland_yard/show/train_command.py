"""`manhunt train scotland_yard`: train the nets of the agent `champion` by self-play."""

from __future__ import annotations

import argparse
from dataclasses import replace

from manhunt.cli.parser import Parser, add_settings, whole_number
from manhunt.cli.training import add_training_options, train

DESCRIPTION = """Train the nets of the agent champion by self-play. Mr X plays by his net against a pool of detectives;
after every generation of games the nets are fitted to what happened.

The folder keeps everything after each generation. The same command resumes an interrupted run, and ends with the
same nets as an uninterrupted one."""
EPILOG = """examples:
  manhunt train scotland_yard --out nets --games 24000
  manhunt train scotland_yard --out nets --games 24000 --minutes 10
  manhunt arena scotland_yard --agent-mrx champion:nets=nets/nets.npz --agent-detectives minimax --games 20
  manhunt train scotland_yard --out rival --respond mrx --generation 100 --minutes 30

The result depends on the seed and the numbers of games, not on --minutes unless that ends the training early."""


def build_parser() -> Parser:
    parser = Parser(
        prog="manhunt train", usage="manhunt train GAME --out DIR [OPTIONS]", description=DESCRIPTION, epilog=EPILOG
    )
    add_training_options(parser, 400, "the folder of the training; nets.npz and its card nets.json are there")
    text = "games of the first stage, for the nets of both sides (default %(default)s)"
    parser.add_argument("--games", type=whole_number(0), default=24_000, metavar="N", help=text)
    text = "games of the second stage, Mr X against detectives who know his net as well (default %(default)s)"
    parser.add_argument("--informed-games", type=whole_number(0), default=0, metavar="N", help=text)
    text = "begin with these nets, shipped ones by name or a .npz file, instead of random ones"
    parser.add_argument("--begin", metavar="NETS", help=text)
    text = "train one side alone, against the other side of the agent champion with the nets of --begin (or standard)"
    parser.add_argument("--respond", choices=("mrx", "detectives"), help=text)
    text = "a board by name or file (default %(default)s)"
    parser.add_argument("--board", default="london", metavar="BOARD", help=text)
    add_settings(parser, "an option of the game, such as --set n_detectives=3; may be given again")
    return parser


def main(options: argparse.Namespace) -> int:
    from manhunt.core.errors import ManhuntError
    from manhunt.games.scotland_yard.champion.nets import find_nets, load_nets
    from manhunt.games.scotland_yard.champion.training import NETS, Trainer, TrainingPlan
    from manhunt.games.scotland_yard.rules.config import make_config

    config = make_config(options.preset, options.board, **dict(options.settings))
    plan = TrainingPlan(options.seed, options.games, options.informed_games, options.generation)
    if plan.games + plan.informed_games == 0:
        raise ManhuntError("--games and --informed-games are both 0; one of them must be more")
    begin = None
    if options.begin or options.respond:
        begin, card = find_nets(options.begin or "standard")
        plan = replace(plan, responds=options.respond or "", begins_with=card["hash"])
    trainer = Trainer(config, plan, options.out, begin)
    file = options.out / NETS
    return train(options, trainer, plan.games + plan.informed_games, "Mr X", file, lambda: load_nets(file)[1])
