"""`manhunt boards generate`: contest graphs, written as game files."""

from __future__ import annotations

import argparse
from pathlib import Path

from manhunt.cli.parser import Parser, whole_number
from manhunt.core.errors import BadBoard

EXAMPLES = (
    "manhunt boards generate --nodes 300 --degree 9.4 --separation 8 --cut 4 --seed 7 --out game.txt",
    "manhunt boards generate --nodes 100 --degree 6 --separation 6 --cut 3 --seed 1 --out game.txt",
)


def add_verbs(verbs: argparse._SubParsersAction[Parser]) -> None:
    parser = verbs.add_parser(
        "generate",
        help="make a contest graph for shortest_path",
        description="Make a random graph for Adversarial Shortest Path, as a game file; same numbers, same graph.",
        epilog="\n".join(["examples:", *(f"  {line}" for line in EXAMPLES)]),
    )
    parser.add_argument("--nodes", type=whole_number(2), default=40, metavar="N", help="default %(default)s")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--degree", type=float, metavar="D", help="edges at a node on average (default 4)")
    size.add_argument("--edges", type=whole_number(1), metavar="M", help="number of edges instead")
    text = "hops from source to target (default %(default)s)"
    parser.add_argument("--separation", type=whole_number(2), default=6, metavar="H", help=text)
    text = "edges of the smallest cut between them, at the target (default %(default)s)"
    parser.add_argument("--cut", type=whole_number(1), default=3, metavar="C", help=text)
    parser.add_argument("--seed", type=whole_number(0), default=0, metavar="S", help="default %(default)s")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the game file (default: print it)")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a drawing")
    parser.set_defaults(run=generate)


def generate(options: argparse.Namespace) -> int:
    from manhunt.boards.contest import make_contest
    from manhunt.cli.boards import facts_of
    from manhunt.cli.screen import print_json, say
    from manhunt.core.files import write_atomically
    from manhunt.games.shortest_path.rules.game_file import format_game_file

    degree = 4.0 if options.degree is None else options.degree
    if not 0 < degree < options.nodes:
        raise BadBoard(f"--degree {degree:g}: {options.nodes} nodes take degrees above 0 and below {options.nodes}")
    n_edges = options.edges if options.edges is not None else round(options.nodes * degree / 2)
    made = make_contest(options.nodes, n_edges, options.separation, options.cut, options.seed)
    text = format_game_file(made)
    if options.out is not None:
        write_atomically(options.out, text)
    if options.svg is not None:
        from manhunt.core.scene import Scene
        from manhunt.draw.svg import draw_scene

        write_atomically(options.svg, draw_scene(Scene(f"{made.source} to {made.target}", board=made.board)))
    if options.json:
        print_json({**facts_of(made.board), "source": made.source, "target": made.target})
    elif options.out is not None:
        size = f"{made.board.n_nodes} nodes, {len(made.board.edges)} edges"
        say(f"{options.out}: {size}, {made.source} to {made.target} in {options.separation} hops, cut {options.cut}")
    else:
        say(text, end="")
    return 0
