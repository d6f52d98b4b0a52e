"""`manhunt watch`: agents play a game, stepped by keys, printed as lines, or shown in a window."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from manhunt.cli.parser import seconds
from manhunt.cli.terminal.contract import AnyScreen
from manhunt.cli.terminal.options import begin, build_parser, finish, game_first
from manhunt.ids import Seat

if TYPE_CHECKING:
    from manhunt.cli.parser import Parser
    from manhunt.cli.terminal.options import Begun

DESCRIPTION = """Watch agents play. Keys: N one player's move, R round, A to the end, Q quit.
Where standard input or output is no terminal, plain lines are printed."""


def run(arguments: Sequence[str]) -> int:
    screen, rest = game_first(arguments)
    options = parser_of(screen).parse_args(rest)
    if getattr(options, "server", None) is not None:
        from manhunt.cli.terminal.following import follow

        follow(options)
        return 0
    seat = screen.truth_seat if options.reveal else Seat.SPECTATOR
    begun = begin(screen, options, seat, acting=False)
    if options.json:
        _print_json(begun)
    elif options.figure:
        _open_window(begun, options.theme)
    elif options.no_viz or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_lines(begun)
    else:
        from manhunt.cli.terminal.watching import watch_in_terminal

        watch_in_terminal(begun, options.pace)
    finish(begun, options)
    return 0


def parser_of(screen: AnyScreen) -> Parser:
    parser = build_parser("watch", screen, DESCRIPTION)
    parser.add_argument("--reveal", action="store_true", help="show what is hidden from the pursuers, too")
    text = "seconds between moves after A (default %(default)s)"
    parser.add_argument("--pace", type=seconds, default=0.25, metavar="SECONDS", help=text)
    return parser


def _print_lines(begun: Begun) -> None:
    from manhunt.cli.terminal.plain import PlainTeller, result_lines

    teller = PlainTeller(begun)
    teller.catch_up()
    while not begun.game.over:
        begun.game.step()
        teller.catch_up()
    print("\n".join(result_lines(begun)))


def _print_json(begun: Begun) -> None:
    from manhunt.cli.terminal.plain import JsonTeller

    teller = JsonTeller(begun)
    teller.catch_up()
    while not begun.game.over:
        begun.game.step()
        teller.catch_up()
    teller.outcome()


def _open_window(begun: Begun, theme: str) -> None:
    from manhunt.cli.terminal.plain import result_lines
    from manhunt.draw.window import open_window, show

    open_window(begun.game, theme=theme)
    show()
    print("\n".join(result_lines(begun)))
