"""`manhunt play`: a person takes a seat, in the terminal or in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from manhunt.cli.screen import say
from manhunt.cli.terminal.contract import AnyScreen, make_screen
from manhunt.cli.terminal.options import begin, build_parser, game_first, keeping
from manhunt.cli.terminal.resuming import StartedGame, add_start_options, check_beside, find_start
from manhunt.core.errors import BadConfig

if TYPE_CHECKING:
    from manhunt.cli.parser import Parser
    from manhunt.cli.terminal.options import Begun

DESCRIPTION = """Take a seat yourself. Moves are offered with numbers; type a number, a node or the move.
Type ? for help, u to take your last turn back, q to quit. Use --from to continue a game that you left.
With --figure you play on a page in the browser: click the green nodes, Q quits."""


def run(arguments: Sequence[str]) -> int:
    start = None if {"-h", "--help"} & {*arguments} else find_start(arguments)
    screen, rest = _screen_of(arguments, start)
    parser = parser_of(screen, must_choose=start is None)
    options = parser.parse_args(rest)
    if options.reveal and options.figure:
        raise BadConfig("--reveal shows everything in the terminal; leave --figure out")
    if options.figure and start is not None:
        raise BadConfig("--from continues in the terminal; leave --figure out")
    if start is not None:
        check_beside(start, screen, options, parser)
        options.seat = options.seat or start.seat_word(screen)
    if options.hints:
        check_hints(screen)
    begun = begin(screen, options, {**screen.words, **screen.parts}[options.seat], acting=True, start=start)
    with keeping(begun, options):
        if options.figure and not options.json:
            from manhunt.cli.browser_game import play_in_browser
            from manhunt.cli.terminal.plain import result_lines

            play_in_browser(begun)
            say("\n".join(result_lines(begun)))
        else:
            _play_in_terminal(begun, options.json, options.no_viz)
    return 0


def _screen_of(arguments: Sequence[str], start: StartedGame | None) -> tuple[AnyScreen, list[str]]:
    """The game that is named first, or that of the record."""
    if start is None:
        return game_first(arguments)
    game = start.record.game
    if not arguments or arguments[0].startswith("-"):
        return make_screen(game), list(arguments)
    screen, rest = game_first(arguments)
    if screen.game != game:
        raise BadConfig(f"{start.path} is a game of {game}, not of {screen.game}")
    return screen, rest


def check_hints(screen: AnyScreen) -> None:
    """BadConfig where nobody can give a hint."""
    from manhunt.analysis.insights import insights_of

    if "hint" not in insights_of(screen.game):
        raise BadConfig(f"--hints: {screen.game} has no hints")


def parser_of(screen: AnyScreen, *, must_choose: bool = True) -> Parser:
    parser = build_parser("play", screen, DESCRIPTION)
    words = (*screen.words, *screen.parts)
    text = f"your seat: {' or '.join(words)}"
    parser.add_argument("--as", dest="seat", choices=words, required=must_choose, metavar="SEAT", help=text)
    text = "before each of your moves: what a strong agent would do, from what you know"
    parser.add_argument("--hints", action="store_true", help=text)
    add_start_options(parser)
    text = "also show what is hidden from your seat, to try things out; the record notes it"
    parser.add_argument("--reveal", action="store_true", help=text)
    return parser


def _play_in_terminal(begun: Begun, as_json: bool, no_viz: bool) -> None:
    from manhunt.cli.terminal.playing import JsonPrompt, MovePrompt, PlainPrompt, TerminalPrompt, play_with

    prompt: MovePrompt
    if as_json:
        prompt = JsonPrompt(begun)
    elif no_viz or not (sys.stdin.isatty() and sys.stdout.isatty()):
        prompt = PlainPrompt(begun)
    else:
        prompt = TerminalPrompt(begun)
    play_with(prompt, begun)
