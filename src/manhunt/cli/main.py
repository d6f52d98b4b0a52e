"""The command `manhunt`: finds the command's module and runs it; heavy imports stay behind that."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from manhunt.cli.parser import Parser
from manhunt.errors import ManhuntError

COMMANDS = {
    "demo": "the one-minute tour: solve, hunt, hide, cross",
    "web": "play, watch, replay and analyse in the browser",
    "watch": "watch agents play a game, step by step",
    "play": "take a seat yourself",
    "solve": "solve Pursuit exactly (one start, all starts, cop numbers, tables), or a small deck of Fugitive",
    "beliefs": "fit and score models of where Mr X is",
    "analyse": "check a record's bounds, and which moves were surely mistakes",
    "arena": "measure agents against agents: matrix, ratings, sequential tests, reports",
    "study": "answers to the questions of Fugitive, measured and written as a page",
    "tournament": "bots against bots from one file: run, resume, status, web site",
    "serve": "a server for bots: Adversarial Shortest Path by the classic protocol",
    "bot": "check a bot of your own before you hand it in",
    "boards": "list, show, draw and check boards",
    "games": "list the games and their presets",
    "agents": "list the agents and their options",
}
DEFAULT = ["web"]
EPILOG = """examples:
  manhunt                                    the web app, browser opened
  manhunt demo                               a tour of one minute, here in the terminal
  manhunt play pursuit --as mrx              be the hunted
  manhunt solve --mrx 1 --detectives 5 10 --max-rounds 4
  manhunt COMMAND --help                     options and examples of one command

An independent project, not affiliated with any game publisher."""


def build_parser() -> Parser:
    listing = "\n".join(f"  {name:<10} {text}" for name, text in COMMANDS.items())
    parser = Parser(
        prog="manhunt",
        usage="manhunt [COMMAND] [OPTIONS]",
        description=f"Games in which somebody hides on a graph and others hunt.\n\ncommands:\n{listing}",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    return parser


def run(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit code: 0, 2 for bad input, 130 when interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(arguments)
    except ManhuntError as error:
        print(f"manhunt: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("manhunt: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _dispatch(arguments: list[str]) -> int:
    if arguments and not arguments[0].startswith("-"):
        name, rest = arguments[0], arguments[1:]
        if name not in COMMANDS:
            from manhunt.errors import unknown

            raise ManhuntError(unknown("command", name, COMMANDS))
        return _run_command(name, rest)
    if arguments:
        options = build_parser().parse_args(arguments)
        if options.version:
            from manhunt import __version__

            print(f"manhunt {__version__}")
            return 0
    return _run_command(DEFAULT[0], DEFAULT[1:])


def _run_command(name: str, arguments: list[str]) -> int:
    module = import_module(f"manhunt.cli.{name}")
    if hasattr(module, "run"):
        return int(module.run(arguments))
    options = module.build_parser().parse_args(arguments)
    return int(module.main(options))
