"""`manhunt arena`: agents against agents on the same starts, ratings, sequential tests, reports."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import (
    Parser,
    add_aliases,
    add_players,
    add_settings,
    check_players,
    json_or_text,
    seconds,
    seed_option,
    whole_number,
)
from manhunt.cli.screen import print_answer, progress_bar, time_bar
from manhunt.core.errors import BadConfig, unknown
from manhunt.core.game import option_names
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import find_name, game_names, kit_of, kits_with

if TYPE_CHECKING:
    from manhunt.arena.ledger import Ledger
    from manhunt.arena.schedule import Plan

DESCRIPTION = """Play every agent of the evader against every agent of the pursuers, all on the same starts and seeds,
and print win rates with 95 % intervals, ratings and times.

  manhunt arena GAME ...            a tournament (these options; name the game to see its own)
  manhunt arena compare OLD NEW     is the new agent better? stops as soon as the result is clear
  manhunt arena report DIR          the figures of a folder as table, Markdown or HTML page
  manhunt arena games DIR           the games of a folder one by one: who lost which, and its record"""
EPILOG = """examples:
{lines}
  manhunt arena report duel --html duel.html
  manhunt arena games duel --lost-by MyBot

Run the same command with the same --out to resume."""


MOST_LISTED = 20


@dataclass(frozen=True)
class Words:
    """The options of one game: its words for the two seats, and settings with options of their own."""

    game: str
    seats: Mapping[str, Seat]
    settings: Sequence[Mapping[str, Any]] = ()
    options: tuple[str, ...] = ()
    """What `--set` knows."""

    def of(self, seat: Seat) -> list[str]:
        """The words of a seat; the one that every game knows is the last."""
        return [word for word, named in self.seats.items() if named is seat]


def words_of(game: str) -> Words:
    kit = kit_of(game)
    screen = kit.part("screen")
    own = {} if screen is None else screen.words
    return Words(game, {**own, **{seat.value: seat for seat in PLAYERS}}, kit.lobby.options, option_names(kit.game))


def run(arguments: Sequence[str]) -> int:
    verbs: dict[str, tuple[Callable[[Sequence[str]], Parser], Callable[[argparse.Namespace], int]]] = {
        "compare": (compare_parser, compare),
        "report": (report_parser, report),
        "games": (games_parser, games),
    }
    if arguments and arguments[0] in verbs:
        build, main = verbs[arguments[0]]
        return main(build(arguments[1:]).parse_args(arguments[1:]))
    return tournament(build_parser(arguments).parse_args(arguments))


def _game(text: str) -> str:
    """An argparse type: a game's name, in whichever spelling; an unknown one is refused later, with a suggestion."""
    return find_name(text) or text


def build_parser(arguments: Sequence[str]) -> Parser:
    """The parser for the game that is named first, or anywhere; without one its help knows the general words."""
    first = [text for text in arguments[:1] if not text.startswith("-")]
    named = first or [text for text in arguments if text in game_names()]
    words = words_of(_game(named[0])) if named else Words(game_names()[0], {seat.value: seat for seat in PLAYERS})
    parser = Parser(prog="manhunt arena", description=DESCRIPTION, epilog=EPILOG.format(lines=_examples(words)))
    parser.add_argument("game", type=_game, metavar="GAME", help=f"one of {', '.join(game_names())}")
    for seat in PLAYERS:
        text = f"agents for the {seat.value}: name, name:option=value or file.py:Class"
        usual, *others = (f"--agent-{word}" for word in words.of(seat))
        agents = parser.add_argument(usual, dest=seat.value, nargs="+", required=True, metavar="AGENT", help=text)
        add_aliases(parser, agents, *others, *(f"--{word}" for word in words.of(seat)))
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games in each cell (default %(default)s)")
    text = "time for certified bounds on the best play, printed beside the matrix, where the game has them"
    parser.add_argument("--bounds", type=seconds, default=0.0, metavar="SECONDS", help=text)
    parser.add_argument(
        "--no-records",
        dest="records",
        action="store_false",
        help="keep only results; plays compiled games where there are any",
    )
    _add_common(parser, words)
    return parser


def _examples(words: Words) -> str:
    evader, pursuers = (words.of(seat)[0] for seat in PLAYERS)
    both = f"--agent-{evader} random --agent-{pursuers} random"
    lines = (
        f"{words.game} {both} --games 100",
        f"{words.game} {both} my_bot.py:MyBot --games 1000 --seed 1 --out duel",
        f"{words.game} {both} --games 100000 --no-records",
        f"compare random my_bot.py:MyBot --game {words.game} --as {evader} --against random",
    )
    return "\n".join(f"  manhunt arena {line}" for line in lines)


def compare_parser(arguments: Sequence[str]) -> Parser:
    usual = game_names()[0]
    early = Parser(prog="manhunt arena compare", add_help=False)
    early.add_argument("--game", type=_game, default=usual)
    words = words_of(early.parse_known_args(arguments)[0].game)
    parser = Parser(
        prog="manhunt arena compare",
        description="Sequential test on pairs of games: OLD and NEW play the same deals against the same opponent.\n"
        "H0: NEW is better by at most elo0. H1: by at least elo1. Errors of both kinds 5 %.",
        epilog="example:\n" + _examples(words).splitlines()[-1],
    )
    parser.add_argument("old", metavar="OLD", help="the agent to beat")
    parser.add_argument("new", metavar="NEW", help="the agent that may be better")
    parser.add_argument("--game", type=_game, default=usual, metavar="GAME", help="default %(default)s")
    text = f"the role of OLD and NEW in {words.game}"
    parser.add_argument("--as", dest="seat", type=_seat_of(words), required=True, metavar="ROLE", help=text)
    parser.add_argument("--against", default="random", metavar="AGENT", help="the opponent (default %(default)s)")
    parser.add_argument("--elo0", type=float, default=0.0, metavar="E", help="default %(default)g")
    parser.add_argument("--elo1", type=float, default=20.0, metavar="E", help="default %(default)g")
    for name, text in (("--alpha", "risk of a wrong H1"), ("--beta", "risk of a wrong H0")):
        parser.add_argument(name, type=float, default=0.05, metavar="P", help=f"{text} (default %(default)g)")
    text = "give up undecided after this many deals (default %(default)s)"
    parser.add_argument("--max-games", type=int, default=10_000, metavar="N", help=text)
    _add_common(parser, words)
    return parser


def _seat_of(words: Words) -> Callable[[str], Seat]:
    """An argparse type: one of a game's words for its seats."""

    def parse(text: str) -> Seat:
        if text not in words.seats:
            raise argparse.ArgumentTypeError(unknown("role", text, words.seats))
        return words.seats[text]

    return parse


def report_parser(arguments: Sequence[str]) -> Parser:
    parser = Parser(
        prog="manhunt arena report",
        description="The figures of a results folder, finished or not.",
        epilog="example: manhunt arena report duel --markdown duel.md --html duel.html",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder given to --out")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report as Markdown")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as one HTML file with plots")
    text = "with --html: pages to replay the first N games of each match-up, in a folder beside the report"
    parser.add_argument("--replays", type=whole_number(1), metavar="N", help=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def games_parser(arguments: Sequence[str]) -> Parser:
    parser = Parser(
        prog="manhunt arena games",
        description="The games of a results folder, finished or not, with their records. `manhunt replay RECORD`\n"
        "shows one again, `manhunt analyse RECORD` judges its moves. AGENT may be a part of a name.",
        epilog="example: manhunt arena games duel --lost-by MyBot",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder given to --out")
    parser.add_argument("--lost-by", metavar="AGENT", help="only games that this agent lost")
    parser.add_argument("--won-by", metavar="AGENT", help="only games that this agent won")
    parser.add_argument("--evader", metavar="AGENT", help="only games with this evader")
    parser.add_argument("--pursuers", metavar="AGENT", help="only games with these pursuers")
    text = "list this many (default %(default)s; 0: all)"
    parser.add_argument("--limit", type=whole_number(0), default=MOST_LISTED, metavar="N", help=text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_common(parser: Parser, words: Words) -> None:
    table = parser.add_argument_group("the game's setting")
    table.add_argument("--board", metavar="NAME", help="catalogue name, generator such as grid:8x8, or file")
    table.add_argument("--preset", metavar="NAME", help="one of the game's presets (see manhunt games)")
    text = "another option of the game's config, the value as JSON or text; may be repeated"
    add_settings(table, f"{text}. Options of {words.game}: {', '.join(words.options)}" if words.options else text)
    parser.game_options = words.options
    bound = parser.add_argument_group("how to play")
    bound.add_argument("--seconds", type=float, metavar="S", help="time for each decision")
    text = "the clock of --seconds: wall (default), or processor, which stays fair on a busy machine"
    bound.add_argument("--clock", default="wall", metavar="CLOCK", help=text)
    bound.add_argument("--iterations", type=int, metavar="I", help="work for each decision; reproducible")
    text = "decides deals and chance; anyone who knows S can predict them (default: a new secret, kept in --out)"
    bound.add_argument("--seed", type=seed_option, metavar="S", help=text)
    add_players(bound)
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep results here; the same command resumes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    for row in words.settings:
        name, usual = row["name"], f" (default {row['usual']})" if "usual" in row else ""
        with contextlib.suppress(argparse.ArgumentError):  # a name that is taken is left to --set
            flag = f"--{name.replace('_', '-')}"
            table.add_argument(
                flag, dest=f"set_{name}", type=json_or_text, metavar="VALUE", help=f"{row['title']}{usual}"
            )


def tournament(options: argparse.Namespace) -> int:
    from manhunt.arena.folder import save_bounds
    from manhunt.cli.arena_screen import LiveMatrix, print_report, report_to_json

    plan = _plan(options, options.evader, options.pursuers, options.games, options.records)
    if options.bounds and not kit_of(options.game).has("bounds"):
        known = ", ".join(kit.name for kit in kits_with("bounds"))
        raise BadConfig(f"--bounds: {options.game} has no certified bounds; games that have them: {known}")
    with LiveMatrix(plan) as live:
        ledger = _play(options, plan, live.show)
    if options.bounds:
        ledger.bounds = _find_bounds(plan, options.bounds)
        if options.out is not None:
            save_bounds(options.out, ledger.bounds)
    return print_answer(options.json, lambda: report_to_json(ledger), lambda: print_report(ledger, options.out))


def _find_bounds(plan: Plan, limit_seconds: float) -> dict[str, Any]:
    kit = kit_of(plan.game)
    config = kit.game.config_from_json(plan.config)
    with time_bar("bounds", limit_seconds):
        found: dict[str, Any] = kit.part("bounds").find_bounds(config, limit_seconds)
    return found


def compare(options: argparse.Namespace) -> int:
    from manhunt.arena.sequential import Comparison, Sprt
    from manhunt.cli.arena_screen import LiveComparison, print_comparison

    if options.old == options.new:
        raise BadConfig(f"OLD and NEW are both {options.old}; on the same seeds they play the same games")
    if options.max_games < 1:
        raise BadConfig(f"--max-games is {options.max_games}; at least 1 deal is needed")
    test = Sprt(options.elo0, options.elo1, options.alpha, options.beta)
    seat: Seat = options.seat
    pair, opponent = [options.old, options.new], [options.against]
    evaders, pursuers = (pair, opponent) if seat is Seat.EVADER else (opponent, pair)
    plan = _plan(options, evaders, pursuers, options.max_games)
    comparison = Comparison(plan, seat, test)
    with LiveComparison(comparison) as live:
        _play(options, plan, live.show, comparison.is_decided)
    return print_answer(options.json, comparison.to_json, lambda: print_comparison(comparison))


def report(options: argparse.Namespace) -> int:
    from manhunt.arena.folder import load_ledger
    from manhunt.cli.arena_screen import print_report, report_to_json
    from manhunt.core.files import write_atomically

    ledger = load_ledger(options.folder)
    if options.markdown is not None:
        from manhunt.arena.markdown import markdown_of

        write_atomically(options.markdown, markdown_of(ledger))
    if options.html is not None:
        from manhunt.arena.page import page_of
        from manhunt.arena.replays import linked_games

        with progress_bar() as bar:
            task = bar.add_task("replays", total=None, note="")
            linked = linked_games(
                options.folder,
                options.html,
                options.replays or 0,
                lambda done, total: bar.update(task, completed=done, total=total, note=f"{done}/{total}"),
            )
        write_atomically(options.html, page_of(ledger, linked))
    elif options.replays is not None:
        raise BadConfig("--replays writes pages beside a report; give --html FILE, too")
    return print_answer(options.json, lambda: report_to_json(ledger), lambda: print_report(ledger))


def games(options: argparse.Namespace) -> int:
    from manhunt.arena.games import wanted_games
    from manhunt.cli.arena_screen import print_games

    names = ("lost_by", "won_by", "evader", "pursuers")
    found = wanted_games(options.folder, **{name: getattr(options, name) for name in names})
    shown = found[: options.limit or None]
    facts = {"total": len(found), "games": [game.to_json() for game in shown]}
    return print_answer(options.json, lambda: facts, lambda: print_games(shown, len(found)))


def _plan(
    options: argparse.Namespace, evaders: list[str], pursuers: list[str], n_games: int, records: bool = True
) -> Plan:
    """What the options say, tried; then where it is to be played and kept."""
    from manhunt.arena.folder import seal
    from manhunt.arena.schedule import make_plan
    from manhunt.core.agent import Limit

    if options.seconds is not None and options.iterations is not None:
        raise BadConfig("--seconds and --iterations exclude each other; give one of them")
    plan = make_plan(
        options.game,
        evaders,
        pursuers,
        n_games,
        options=_config_options(options),
        seed=options.seed,
        limit=Limit(options.seconds, options.iterations),
        records=records and options.out is not None,
        clock=options.clock,
    )
    check_players(options)
    if options.out is not None and not options.out.absolute().parent.is_dir():
        raise BadConfig(f"cannot write {options.out}: the folder {options.out.parent} does not exist")
    return seal(plan, options.out)


def _play(
    options: argparse.Namespace,
    plan: Plan,
    watch: Callable[[Ledger], object],
    is_enough: Callable[[Ledger], bool] | None = None,
) -> Ledger:
    """Few quick games are not worth the start of all processes."""
    from manhunt.arena.schedule import KERNEL
    from manhunt.arena.tournament import run_tournament
    from manhunt.cli.arena_screen import warn
    from manhunt.core.warm import COMPILED, start_work, work_of_agents
    from manhunt.workers.pool import usable_processors

    agents = work_of_agents(kit_of(plan.game), (*plan.evaders, *plan.pursuers))
    start_work([f"{plan.game}/{COMPILED}"] if plan.path == KERNEL else agents, heavy=True)
    workers = min(usable_processors(), plan.n_matches) if options.workers is None else options.workers
    return run_tournament(
        plan, out=options.out, workers=workers, ray=options.ray, watch=watch, warn=warn, is_enough=is_enough
    )


def _config_options(options: argparse.Namespace) -> dict[str, Any]:
    own = {name[len("set_") :]: value for name, value in vars(options).items() if name.startswith("set_")}
    given = {"board": options.board, "preset": options.preset, **own}
    given |= {key.replace("-", "_"): value for key, value in options.settings}
    return {key: value for key, value in given.items() if value is not None}
