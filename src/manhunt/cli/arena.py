"""`manhunt arena`: agents against agents on the same starts, ratings, sequential tests, reports."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, seconds, whole_number
from manhunt.errors import BadConfig, ManhuntError
from manhunt.ids import Seat

if TYPE_CHECKING:
    from manhunt.agents.base import Limit
    from manhunt.arena.schedule import Plan

BOUNDED = "shortest_path"
DESCRIPTION = """Play every Mr X agent against every detectives' agent, all on the same starts and seeds, and print
win rates with 95 % intervals, ratings and times.

  manhunt arena GAME ...            a tournament (these options)
  manhunt arena compare OLD NEW     is the new agent better? stops when the games say enough
  manhunt arena report DIR          the figures of a folder as table, Markdown or HTML page"""
EPILOG = """examples:
  manhunt arena pursuit --mrx random --detectives random --games 100
  manhunt arena scotland_yard --mrx random greedy --detectives random greedy --games 1000 --seed 1 --out duel
  manhunt arena scotland_yard --mrx random --detectives random --games 100000 --no-records
  manhunt arena shortest_path --player dijkstra committed --adversary greedy --games 1 --bounds 5
  manhunt arena compare random greedy --game scotland_yard --as mrx --against random
  manhunt arena report duel --html duel.html

The same command with the same --out goes on where it was stopped."""


def run(arguments: Sequence[str]) -> int:
    verbs: dict[str, tuple[Callable[[], Parser], Callable[[argparse.Namespace], int]]] = {
        "compare": (compare_parser, compare),
        "report": (report_parser, report),
    }
    if arguments and arguments[0] in verbs:
        build, main = verbs[arguments[0]]
        return main(build().parse_args(arguments[1:]))
    return tournament(build_parser().parse_args(arguments))


def build_parser() -> Parser:
    parser = Parser(prog="manhunt arena", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("game", metavar="GAME", help="the game's name, such as scotland_yard")
    for seat, names in _OPTIONS.items():
        text = f"agents for the {seat.value}: name, name:option=value or file.py:Class"
        parser.add_argument(*names, dest=seat.value, nargs="+", required=True, metavar="AGENT", help=text)
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games in each cell (default %(default)s)")
    _add_common(parser)
    text = "shortest_path: time for certified bounds on the best play, printed beside the matrix"
    parser.add_argument("--bounds", type=seconds, default=0.0, metavar="SECONDS", help=text)
    parser.add_argument("--no-records", dest="records", action="store_false", help="keep results only; compiled games")
    return parser


def compare_parser() -> Parser:
    parser = Parser(
        prog="manhunt arena compare",
        description="Sequential test on pairs of games: OLD and NEW play the same deals against the same opponent.\n"
        "H0: NEW is better by at most elo0. H1: by at least elo1. Errors of both kinds 5 %.",
        epilog="example: manhunt arena compare random greedy --game pursuit --as mrx --against random --elo1 50",
    )
    parser.add_argument("old", metavar="OLD", help="the agent to beat")
    parser.add_argument("new", metavar="NEW", help="the agent that may be better")
    parser.add_argument("--game", default="scotland_yard", metavar="GAME", help="default %(default)s")
    parser.add_argument("--as", dest="seat", choices=sorted(_SEATS), required=True, help="the role of OLD and NEW")
    parser.add_argument("--against", default="random", metavar="AGENT", help="the opponent (default %(default)s)")
    parser.add_argument("--elo0", type=float, default=0.0, metavar="E", help="default %(default)g")
    parser.add_argument("--elo1", type=float, default=20.0, metavar="E", help="default %(default)g")
    for name, text in (("--alpha", "risk of a wrong H1"), ("--beta", "risk of a wrong H0")):
        parser.add_argument(name, type=float, default=0.05, metavar="P", help=f"{text} (default %(default)g)")
    text = "give up undecided after so many deals (default %(default)s)"
    parser.add_argument("--max-games", type=int, default=10_000, metavar="N", help=text)
    _add_common(parser)
    return parser


_OPTIONS = {
    Seat.EVADER: ("--mrx", "--evader", "--player", "--fugitive"),
    Seat.PURSUERS: ("--detectives", "--pursuers", "--adversary", "--marshal"),
}
_SEATS = {name.removeprefix("--"): seat for seat, names in _OPTIONS.items() for name in names}


def report_parser() -> Parser:
    parser = Parser(
        prog="manhunt arena report",
        description="The figures of a results folder, finished or not.",
        epilog="example: manhunt arena report duel --markdown duel.md --html duel.html",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder given to --out")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report as Markdown")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as one HTML file with plots")
    parser.add_argument("--json", action="store_true", help="JSON for machines")
    return parser


def _add_common(parser: Parser) -> None:
    table = parser.add_argument_group("the game's setting")
    table.add_argument("--board", metavar="NAME", help="catalogue name, generator such as grid:8x8, or file")
    table.add_argument("--preset", metavar="NAME", help="one of the game's presets (see manhunt games)")
    table.add_argument("--n-detectives", type=whole_number(1), metavar="N", help="how many detectives")
    text = "another option of the game's config, the value as JSON or text; may be repeated"
    table.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE", help=text)
    bound = parser.add_argument_group("how to play")
    bound.add_argument("--seconds", type=float, metavar="S", help="time for each decision")
    bound.add_argument("--iterations", type=int, metavar="I", help="work for each decision; reproducible")
    text = "decides deals and chance (default %(default)s)"
    bound.add_argument("--seed", type=whole_number(0), default=0, metavar="S", help=text)
    text = "processes (default: one a processor; 0: play in this one)"
    bound.add_argument("--workers", type=whole_number(0), metavar="N", help=text)
    bound.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster: HOST:PORT, or local to start one here")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep results here; the same command goes on")
    parser.add_argument("--json", action="store_true", help="JSON for machines")


def tournament(options: argparse.Namespace) -> int:
    from manhunt.arena.folder import save_bounds
    from manhunt.arena.schedule import make_plan
    from manhunt.arena.tournament import run_tournament
    from manhunt.cli.arena_screen import LiveMatrix, print_report, report_to_json, warn
    from manhunt.cli.screen import print_json

    plan = make_plan(
        options.game,
        options.evader,
        options.pursuers,
        options.games,
        options=_config_options(options),
        seed=options.seed,
        limit=_limit(options),
        records=options.records and options.out is not None,
    )
    _check_place(options)
    if options.bounds and options.game != BOUNDED:
        raise BadConfig(f"--bounds: nobody knows certified bounds for {options.game}, only for {BOUNDED}")
    with LiveMatrix(plan) as live:
        ledger = run_tournament(
            plan,
            out=options.out,
            workers=_workers(options, plan),
            ray=options.ray,
            watch=live.show,
            warn=warn,
        )
    if options.bounds:
        ledger.bounds = _find_bounds(plan, options.bounds)
        if options.out is not None:
            save_bounds(options.out, ledger.bounds)
    if options.json:
        print_json(report_to_json(ledger))
    else:
        print_report(ledger, options.out)
    return 0


def _find_bounds(plan: Plan, limit_seconds: float) -> dict[str, Any]:
    from manhunt.cli.screen import time_bar
    from manhunt.games.shortest_path.config import config_from_json
    from manhunt.games.shortest_path.rules import start
    from manhunt.solvers.shortest_path.bounds import find_bounds

    config = config_from_json(plan.config)
    with time_bar("bounds", limit_seconds):
        return find_bounds(start(config), limit_seconds).to_json(config.board)


def compare(options: argparse.Namespace) -> int:
    from manhunt.arena.comparison import Comparison
    from manhunt.arena.schedule import make_plan
    from manhunt.arena.sequential import Sprt
    from manhunt.arena.tournament import run_tournament
    from manhunt.cli.arena_screen import LiveComparison, print_comparison, warn
    from manhunt.cli.screen import print_json

    if options.old == options.new:
        raise BadConfig(f"OLD and NEW are both {options.old}; on the same seeds they play the same games")
    if options.max_games < 1:
        raise BadConfig(f"--max-games is {options.max_games}; at least 1 deal is needed")
    test = Sprt(options.elo0, options.elo1, options.alpha, options.beta)
    seat = _SEATS[options.seat]
    pair, opponent = [options.old, options.new], [options.against]
    evaders, pursuers = (pair, opponent) if seat is Seat.EVADER else (opponent, pair)
    plan = make_plan(
        options.game,
        evaders,
        pursuers,
        options.max_games,
        options=_config_options(options),
        seed=options.seed,
        limit=_limit(options),
        records=options.out is not None,
    )
    _check_place(options)
    comparison = Comparison(plan, seat, test)
    with LiveComparison(comparison) as live:
        run_tournament(
            plan,
            out=options.out,
            workers=_workers(options, plan),
            ray=options.ray,
            watch=live.show,
            warn=warn,
            is_enough=comparison.is_decided,
        )
    if options.json:
        print_json(comparison.to_json())
    else:
        print_comparison(comparison)
    return 0


def report(options: argparse.Namespace) -> int:
    from manhunt.arena.folder import load_ledger
    from manhunt.cli.arena_screen import print_report, report_to_json
    from manhunt.cli.screen import print_json
    from manhunt.files import write_atomically

    ledger = load_ledger(options.folder)
    if options.markdown is not None:
        from manhunt.arena.markdown import markdown_of

        write_atomically(options.markdown, markdown_of(ledger))
    if options.html is not None:
        from manhunt.arena.page import page_of

        write_atomically(options.html, page_of(ledger))
    if options.json:
        print_json(report_to_json(ledger))
    else:
        print_report(ledger)
    return 0


def _limit(options: argparse.Namespace) -> Limit:
    from manhunt.agents.base import Limit

    if options.seconds is not None and options.iterations is not None:
        raise BadConfig("--seconds and --iterations exclude each other; give one of them")
    return Limit(options.seconds, options.iterations)


def _check_place(options: argparse.Namespace) -> None:
    if options.ray is not None and options.workers is not None:
        raise BadConfig("--workers and --ray exclude each other; a cluster has its own workers")
    if options.out is not None and not options.out.absolute().parent.is_dir():
        raise BadConfig(f"cannot write {options.out}: the folder {options.out.parent} does not exist")


def _workers(options: argparse.Namespace, plan: Plan) -> int | None:
    """Few quick games are not worth the start of processes."""
    from manhunt.arena.workers import usable_processors

    workers: int | None = options.workers
    return min(usable_processors(), plan.n_matches) if workers is None else workers


def _config_options(options: argparse.Namespace) -> dict[str, Any]:
    import json

    given = {"board": options.board, "preset": options.preset, "n_detectives": options.n_detectives}
    for item in options.settings:
        key, equals, text = item.partition("=")
        if not equals or not key:
            raise ManhuntError(f"--set {item!r}: write KEY=VALUE, such as --set max_rounds=20")
        try:
            given[key.replace("-", "_")] = json.loads(text)
        except ValueError:
            given[key.replace("-", "_")] = text
    return {key: value for key, value in given.items() if value is not None}
