"""`manhunt watch`: agents play a game, stepped by keys, printed as lines, or shown in the browser."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from manhunt.cli.parser import seconds
from manhunt.cli.screen import say
from manhunt.cli.terminal.contract import AnyScreen
from manhunt.cli.terminal.options import begin, build_parser, game_first, keeping
from manhunt.core.ids import Seat

if TYPE_CHECKING:
    from manhunt.cli.parser import Parser
    from manhunt.cli.terminal.options import Begun

DESCRIPTION = """Watch agents play. Keys: N one player's move, R round, A to the end, Q quit.
--figure opens a page in the browser with the same keys.
Without a terminal, plain lines are printed."""


def run(arguments: Sequence[str]) -> int:
    screen, rest = game_first(arguments)
    options = parser_of(screen).parse_args(rest)
    if screen.follow(options):
        return 0
    seat = screen.truth_seat if options.reveal else Seat.SPECTATOR
    begun = begin(screen, options, seat, acting=False)
    with keeping(begun, options):
        _show(begun, options)
    return 0


def _show(begun: Begun, options: Namespace) -> None:
    if options.json:
        _print_json(begun)
    elif options.figure:
        from manhunt.cli.browser_game import watch_in_browser
        from manhunt.cli.terminal.plain import result_lines

        watch_in_browser(begun, reveal=options.reveal)
        say("\n".join(result_lines(begun)))
    elif options.no_viz or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_lines(begun)
    else:
        from manhunt.cli.terminal.watching import watch_in_terminal

        watch_in_terminal(begun, options.pace)


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
    say("\n".join(result_lines(begun)))


def _print_json(begun: Begun) -> None:
    from manhunt.cli.terminal.plain import JsonTeller

    teller = JsonTeller(begun)
    teller.catch_up()
    while not begun.game.over:
        begun.game.step()
        teller.catch_up()
    teller.outcome()
