"""`manhunt play`: a person takes a seat, in the terminal or in a window."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from manhunt.cli.terminal.contract import AnyScreen
from manhunt.cli.terminal.options import begin, build_parser, finish, game_first
from manhunt.errors import BadConfig

if TYPE_CHECKING:
    from manhunt.cli.parser import Parser
    from manhunt.cli.terminal.options import Begun

DESCRIPTION = """Take a seat yourself. Moves are offered with numbers; type a number, a node or the move, Q to quit.
With --figure click the green nodes."""


def run(arguments: Sequence[str]) -> int:
    screen, rest = game_first(arguments)
    options = parser_of(screen).parse_args(rest)
    if options.figure and not screen.clickable:
        raise BadConfig(f"{screen.game} cannot be played with clicks; leave --figure out")
    begun = begin(screen, options, {**screen.words, **screen.parts}[options.seat], acting=True)
    if options.figure and not options.json:
        _open_window(begun, options.theme)
    else:
        _sit_down(begun, options.json, options.no_viz)
    finish(begun, options)
    return 0


def parser_of(screen: AnyScreen) -> Parser:
    parser = build_parser("play", screen, DESCRIPTION)
    words = (*screen.words, *screen.parts)
    text = f"your seat: {' or '.join(words)}"
    parser.add_argument("--as", dest="seat", choices=words, required=True, metavar="SEAT", help=text)
    return parser


def _sit_down(begun: Begun, as_json: bool, no_viz: bool) -> None:
    from manhunt.cli.terminal.playing import Desk, JsonDesk, PlainDesk, TerminalDesk, play_at

    desk: Desk
    if as_json:
        desk = JsonDesk(begun)
    elif no_viz or not (sys.stdin.isatty() and sys.stdout.isatty()):
        desk = PlainDesk(begun)
    else:
        desk = TerminalDesk(begun)
    play_at(desk, begun)


def _open_window(begun: Begun, theme: str) -> None:
    from manhunt.cli.terminal.plain import result_lines
    from manhunt.draw.window import open_window, show

    open_window(begun.game, theme=theme, adviser=begun.adviser)
    show()
    print("\n".join(result_lines(begun)))
