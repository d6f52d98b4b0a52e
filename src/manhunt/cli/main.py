"""The command `manhunt`: finds the command's module and runs it; heavy imports stay behind that."""

import sys
from collections.abc import Sequence
from importlib import import_module

from manhunt.cli.ending import Terminated
from manhunt.cli.parser import Parser
from manhunt.cli.screen import say
from manhunt.core.errors import ManhuntError

COMMANDS = {
    "demo": "the one-minute tour of all games",
    "web": "play, watch, replay and analyse in the browser",
    "watch": "watch agents play a game, step by step",
    "play": "take a seat yourself",
    "replay": "replay a finished game from any seat: terminal, page, picture, animation, data",
    "lesson": "learn a game by playing short lessons",
    "analyse": "judge a finished game move by move: mistakes, skill and luck, a report",
    "puzzle": "solve a position with one right answer: the daily one, or by game and level",
    "arena": "compare agents: matrix, ratings, sequential tests, reports",
    "learn": "train a policy by playing (masked PPO), for any game and seat",
    "tournament": "bots against bots from one file: run, resume, status, web site",
    "bot": "check your bot before you hand it in",
    "equilibrium": "solve a small game with hidden information: who is favoured, and by how much",
    "exploit": "how much a best response wins against an agent, in a small game",
    "boards": "list, show, draw and check boards",
    "games": "list the games and their presets",
    "agents": "list the agents and their options",
    "warm": "compile everything now, so nothing waits for the compiler later",
}
"""Commands for all games; those of particular games come from their kits."""
DEFAULT = ["web"]
WIDTH = 11
DESCRIPTION = """Games of hiding and hunting on graphs.

commands:
{commands}

commands for particular games:
{of_games}"""
EPILOG = """examples:
  manhunt                                    the web app, in your browser
  manhunt demo                               a one-minute tour in the terminal
  {example:<42} take a seat yourself
  manhunt COMMAND --help                     options and examples of one command

without a command name, with the options of the command you mean:
{modes}

An independent project, not affiliated with any game publisher."""


def build_parser() -> Parser:
    from manhunt.cli.game_commands import command_lines
    from manhunt.cli.terminal.options import example_of

    parser = Parser(
        prog="manhunt",
        usage="manhunt [COMMAND] [OPTIONS]",
        description=DESCRIPTION.format(
            commands="\n".join(f"  {name:<{WIDTH}} {text}" for name, text in COMMANDS.items()),
            of_games="\n".join(command_lines(COMMANDS, WIDTH)),
        ),
        epilog=EPILOG.format(
            example=example_of("play"),
            modes="\n".join(f"  manhunt --mode {name:<27} manhunt {meant}" for name, meant in _modes().items()),
        ),
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    return parser


def run(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit code: 0, 2 for bad input, 130 when interrupted, 143 on SIGTERM."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(arguments)
    except ManhuntError as error:
        say(f"manhunt: {error}", stderr=True)
        return 2
    except Terminated as ending:
        say("manhunt: terminated", stderr=True)
        return 128 + ending.number
    except KeyboardInterrupt:
        say("manhunt: interrupted", stderr=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _dispatch(arguments: list[str]) -> int:
    if arguments and not arguments[0].startswith("-"):
        return _run_command(arguments[0], arguments[1:])
    if any(word.partition("=")[0] in ("--mode", *_mode_options()) for word in arguments):
        return _dispatch(command_of_mode(arguments))
    if arguments:
        options = build_parser().parse_args(arguments)
        if options.version:
            from manhunt import __version__

            say(f"manhunt {__version__}")
            return 0
    return _run_command(DEFAULT[0], DEFAULT[1:])


def _modes() -> dict[str, str]:
    from manhunt.core.registry import kits

    return {name: meant for kit in kits() for name, meant in kit.modes.items()}


def _mode_options() -> list[str]:
    from manhunt.core.registry import kits

    return [option for kit in kits() for option in kit.mode_options]


def command_of_mode(arguments: list[str]) -> list[str]:
    """The command line meant by one that begins with options: `--mode solve --no-viz` is `solve`."""
    from manhunt.cli.game_commands import game_commands

    modes = _modes()
    parser = Parser(prog="manhunt", add_help=False)
    parser.add_argument("--mode", choices=tuple(modes), default=next(iter(modes)))
    options, rest = parser.parse_known_args(arguments)
    meant = modes[options.mode].split()
    if meant[0] in game_commands():  # these draw nothing
        rest = [word for word in rest if word != "--no-viz"]
    return [*meant, *rest]


def _run_command(name: str, arguments: list[str]) -> int:
    if name not in COMMANDS:
        return _run_game_command(name, arguments)
    module = import_module(f"manhunt.cli.{name}")
    if hasattr(module, "run"):
        return int(module.run(arguments))
    options = module.build_parser().parse_args(arguments)
    return int(module.main(options))


def _run_game_command(name: str, arguments: list[str]) -> int:
    from manhunt.cli.game_commands import game_commands, run_game_command
    from manhunt.core.errors import unknown

    known = game_commands()
    if name not in known:
        raise ManhuntError(unknown("command", name, [*COMMANDS, *known]))
    return run_game_command(name, known[name], arguments)
