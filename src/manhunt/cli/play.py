"""`manhunt play`: a person takes a seat, in the terminal or in the browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from manhunt.cli.screen import say
from manhunt.cli.terminal.contract import AnyScreen
from manhunt.cli.terminal.options import begin, build_parser, game_first, keeping
from manhunt.core.errors import BadConfig

if TYPE_CHECKING:
    from manhunt.cli.parser import Parser
    from manhunt.cli.terminal.options import Begun

DESCRIPTION = """Take a seat yourself. Moves are offered with numbers; type a number, a node or the move, Q to quit.
With --figure you play on a page in the browser: click the green nodes, Q quits."""


def run(arguments: Sequence[str]) -> int:
    screen, rest = game_first(arguments)
    options = parser_of(screen).parse_args(rest)
    if options.reveal and options.figure:
        raise BadConfig("--reveal shows everything in the terminal; leave --figure out")
    begun = begin(screen, options, {**screen.words, **screen.parts}[options.seat], acting=True)
    with keeping(begun, options):
        if options.figure and not options.json:
            from manhunt.cli.browser_game import play_in_browser
            from manhunt.cli.terminal.plain import result_lines

            play_in_browser(begun)
            say("\n".join(result_lines(begun)))
        else:
            _play_in_terminal(begun, options.json, options.no_viz)
    return 0


def parser_of(screen: AnyScreen) -> Parser:
    parser = build_parser("play", screen, DESCRIPTION)
    words = (*screen.words, *screen.parts)
    text = f"your seat: {' or '.join(words)}"
    parser.add_argument("--as", dest="seat", choices=words, required=True, metavar="SEAT", help=text)
    text = "show you what is hidden from your seat, too, to try things out; the record says so"
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
