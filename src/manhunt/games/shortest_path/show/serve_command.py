"""`manhunt serve`: a server that bots play on."""

import argparse
import asyncio
import ipaddress
from importlib import resources
from pathlib import Path

from manhunt.boards.contest import Contest, make_contest
from manhunt.cli.parser import Parser, port_number, seconds, whole_number
from manhunt.cli.screen import print_json, say
from manhunt.core.errors import BadConfig
from manhunt.games.shortest_path.classic.server import ClassicReport, ClassicServer
from manhunt.games.shortest_path.rules.config import THINKING_SECONDS, ShortestPathConfig, make_config
from manhunt.games.shortest_path.rules.game_file import load_game_file

DESCRIPTION = """Serve Adversarial Shortest Path over TCP, by the classic protocol of the course contests: a player and
an adversary connect, in either order, and their game begins. Every update is printed as a line."""
EPILOG = """examples:
  manhunt serve shortest-path
  manhunt serve shortest-path --game-file game.txt --games 1 --record-dir records
  manhunt serve shortest-path --port 9000 --time 20 --rule double --waiting 50
then, each in a terminal of its own:
  python -m manhunt.samples.classic_player
  python -m manhunt.samples.classic_adversary"""
SAMPLE_FILE = "sample_game.txt"
CONTEST_SIZE = (300, 1410, 8, 4)
"""Nodes, edges, separation and cut of the contest graphs; the sample game is the one of seed 0."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt serve", usage="manhunt serve GAME [OPTIONS]", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument(
        "--port", type=port_number, default=8080, metavar="P", help="default %(default)s; 0 takes a free one"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default %(default)s)")
    parser.add_argument("--public", action="store_true", help="allow an address that other machines can reach")
    parser.add_argument("--game-file", type=Path, metavar="FILE", help="the graph (default: the sample game)")
    parser.add_argument("--rule", metavar="R", help="what a raise does: sqrt (default) or double")
    parser.add_argument("--games", type=whole_number(1), metavar="N", help="stop after N games (default: never)")
    parser.add_argument("--time", type=_seconds, metavar="S", help="thinking time of a side in a game (default 120)")
    text = "how many players, and how many adversaries, may wait for an opponent (default %(default)s)"
    parser.add_argument("--waiting", type=whole_number(1), default=1, metavar="N", help=text)
    text = "time for certified bounds on the best play, in a process beside the server (default %(default)g; 0: none)"
    parser.add_argument("--bounds", type=seconds, default=5.0, metavar="SECONDS", help=text)
    parser.add_argument("--record-dir", type=Path, metavar="DIR", help="keep the records of all games here")
    text = "serve another contest graph of the sample's size"
    parser.add_argument("--seed", type=whole_number(0), metavar="S", help=text)
    parser.add_argument("--json", action="store_true", help="one JSON line per update")
    return parser


def main(options: argparse.Namespace) -> int:
    if not options.public and not _is_loopback(options.host):
        raise BadConfig(f"--host {options.host} can be reached by other machines; add --public if you want that")
    config = _config(options)
    asyncio.run(_serve(options, config))
    return 0


async def _serve(options: argparse.Namespace, config: ShortestPathConfig) -> None:
    server = ClassicServer(
        config,
        n_games=options.games,
        most_waiting=options.waiting,
        record_folder=options.record_dir,
        bounds_seconds=options.bounds,
        report=_print_json if options.json else _print_line,
    )
    await server.start(options.host, options.port)
    try:
        await server.run()
    finally:
        await server.stop()


def _config(options: argparse.Namespace) -> ShortestPathConfig:
    if options.game_file is not None:
        file = load_game_file(options.game_file)
    elif options.seed is not None:
        file = make_contest(*CONTEST_SIZE, options.seed)
    else:
        file = sample_game()
    return make_config(
        None,
        file.board,
        source=file.source,
        target=file.target,
        rule=options.rule or "sqrt",
        thinking_seconds=options.time or THINKING_SECONDS,
    )


def sample_game() -> Contest:
    """The game that is served when no file is given."""
    return load_game_file(Path(str(resources.files("manhunt.games.shortest_path.classic") / SAMPLE_FILE)))


def _print_line(report: ClassicReport) -> None:
    say(report.text)


def _print_json(report: ClassicReport) -> None:
    words = {"t": report.kind, "game": report.game, **report.data, "text": report.text}
    print_json(words)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time; give seconds above 0")
    return value
