"""`manhunt puzzle`: a position with one right answer, here in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from textwrap import fill
from typing import TYPE_CHECKING

from manhunt.cli.parser import Parser, seed_option
from manhunt.cli.screen import console, print_json, say
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.registry import find_name, kit_of
from manhunt.core.seeds import seeded

if TYPE_CHECKING:
    from manhunt.analysis.puzzles import Answered
    from manhunt.core.puzzle import Posed, Puzzle
    from manhunt.core.scene import SceneOffer
    from manhunt.play.position import Position

EPILOG = """examples:
  manhunt puzzle --daily                     the puzzle of today, the same for everybody
  manhunt puzzle GAME --level Easy           an easy one of one game
  manhunt puzzle --id ID                     this one
  manhunt puzzle --id ID --json              the position, the question and what may be answered, for programs
  manhunt puzzle --id ID --json --answer A   what an answer leads to; give --answer again for each later one"""
LEVELS = ("Beginner", "Easy", "Medium", "Hard", "Expert")
ROWS, LEAST_ROWS, MOST_ROWS = 26, 12, 40
COLUMNS = 120
MOST_LISTED = 60
MOST_TOLD = 12
ASKS_HELP = ("?", "h", "help")
KEYS = (("?", "this help"), ("q", "leave the puzzle"))
WORK = "page"
"""The kernels that answers may need belong to what a game's web page uses."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt puzzle", description="Solve a puzzle: one question, one right answer.", epilog=EPILOG)
    parser.add_argument("game", nargs="?", metavar="GAME", help="one of the games that have puzzles (default: any)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--daily", action="store_true", help="the puzzle of today")
    which.add_argument("--id", metavar="ID", help="the puzzle with this ID")
    parser.add_argument("--level", choices=LEVELS, metavar="LEVEL", help=f"one of {', '.join(LEVELS)}")
    parser.add_argument("--date", type=_date, metavar="DATE", help="with --daily: of this day, such as 2027-01-31")
    parser.add_argument("--seed", type=seed_option, metavar="N", help="draw the puzzle with this number")
    parser.add_argument("--answer", action="append", metavar="A", default=[], help="your answer; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2027-01-31") from None


def main(options: argparse.Namespace) -> int:
    puzzle = _chosen(options)
    if options.json:
        return _as_json(puzzle, options.answer)
    from manhunt.analysis.puzzles import kind_title, story

    say(f"{kit_of(puzzle.game).title}: {kind_title(puzzle)} ({puzzle.id}, {puzzle.level}, {puzzle.rating})\n")
    for line in story(puzzle)[-MOST_TOLD:]:
        say(f"  {line}")
    return _play(puzzle, options.answer)


def _play(puzzle: Puzzle, answers: Sequence[str]) -> int:
    """These answers first, one after the other; then those that are typed, until it is over or somebody leaves."""
    from manhunt.analysis.puzzles import pose, position_of

    given, queue, position = list[str](), list(answers), position_of(puzzle)
    posed = pose(puzzle)
    _show(posed)
    while True:
        text = queue[0] if queue else _asked()
        if text is None:
            return 0
        if text in ASKS_HELP:
            _help(puzzle, position)
            continue
        try:
            found = _answered(puzzle, given, text, posed.scene.offers)
        except ManhuntError as error:
            if queue:
                raise
            say(str(error), stderr=True)
            continue
        del queue[:1]
        if found.solved is not None:
            return _end(found)
        for line in filter(None, (found.words, *found.told)):
            say(line)
        position, posed = found.position, pose(puzzle, found.position)
        offers = posed.scene.offers
        if len(offers) == 1 and not queue:  # nothing to choose
            say(f"→ {offers[0].words}")
            queue = [offers[0].action]
        else:
            _show(posed)


def _chosen(options: argparse.Namespace) -> Puzzle:
    from manhunt.analysis.puzzles import choose, daily, daily_of_all, find_puzzle, puzzles_of

    game = options.game and (find_name(options.game) or kit_of(options.game).name)
    if options.date is not None and not options.daily:
        raise BadText("--date chooses the day of the daily puzzle; give --daily as well")
    if options.level and (options.id or options.daily):
        raise BadText("--level chooses among all puzzles; leave it out with --id and --daily")
    if options.id is not None:
        found = find_puzzle(options.id)
        if game not in (None, found.game):
            raise BadText(f"{found.id} is a puzzle of {found.game}, not of {game}")
        return found
    if options.daily:
        day = options.date or datetime.now(UTC).date()
        of_day = daily(day, puzzles_of(game)) if game else daily_of_all(day)
        if of_day is None:
            raise BadText("there is no puzzle of the day" + (f" for {game}" if game else ""))
        return of_day
    fitting = choose(game, options.level)
    if not fitting:
        where = f" of {game}" if game else ""
        raise BadText(f"there are no puzzles{where}{f' of the level {options.level}' if options.level else ''}")
    seed = options.seed if options.seed is not None else int(datetime.now(UTC).timestamp())
    return seeded(seed, "puzzle").choice(fitting)


def _as_json(puzzle: Puzzle, texts: Sequence[str]) -> int:
    from manhunt.analysis.puzzle_json import answer_json, puzzle_json

    if texts:
        _start(puzzle)
    print_json(answer_json(puzzle.id, texts) if texts else puzzle_json(puzzle))
    return 0


def _start(puzzle: Puzzle) -> None:
    """Kernels of solvers are compiled first, or run plain, before they are imported."""
    from manhunt.analysis.puzzles import needs_solver
    from manhunt.core.warm import start_work

    if needs_solver(puzzle):
        start_work([f"{puzzle.game}/{WORK}"])


def _show(posed: Posed) -> None:
    """The picture gets the room that the lines below it leave on the screen."""
    from manhunt.cli.terminal.card_chart import draw_cards
    from manhunt.cli.terminal.chart import draw_chart
    from manhunt.cli.terminal.scene_lines import offer_columns, piece_lines, told_lines

    out, scene = console(), posed.scene
    columns = min(out.width, COLUMNS)
    pieces = [] if scene.board is None else piece_lines(scene)
    offers = [offer for offer in scene.offers if offer.action]
    more = [f"  and {len(offers) - MOST_LISTED} more"] if len(offers) > MOST_LISTED else []
    asked = ["", fill(posed.question, columns), "", *offer_columns(offers[:MOST_LISTED], columns), *more]
    below = "\n".join([*told_lines(scene, columns), *asked])
    room = out.height - below.count("\n") - len(pieces) - 2 if out.is_terminal else ROWS
    rows = min(max(room, LEAST_ROWS), MOST_ROWS)
    out.print(draw_chart(scene, columns, rows) if scene.table is None else draw_cards(scene.table, columns, rows))
    for line in pieces:
        line.truncate(columns, overflow="ellipsis")
        out.print(line)
    say(below)


def _help(puzzle: Puzzle, position: Position) -> None:
    """The same as in a game: rules, signs, moves."""
    from manhunt.cli.terminal.contract import make_screen
    from manhunt.cli.terminal.help_screen import help_lines

    lines = help_lines(make_screen(puzzle.game), position.view(puzzle.seat), KEYS)
    say("\n".join(fill(line, min(console().width, COLUMNS), subsequent_indent="  ") for line in lines))


def _asked() -> str | None:
    """A line that was typed; None at the end of the input, and for q."""
    say("Your answer (q quits): ", end="")
    line = sys.stdin.readline()
    if not line or line.strip().lower() in ("q", "quit"):
        say("")
        return None
    return line.strip()


def _answered(puzzle: Puzzle, given: list[str], text: str, offers: Sequence[SceneOffer]) -> Answered:
    """What the answers so far lead to; a ManhuntError says why this one is none."""
    from manhunt.analysis.puzzles import answer

    _start(puzzle)
    action = _meant(text, offers)
    found = answer(puzzle, [*given, action])
    given.append(action)
    return found


def _meant(text: str, offers: Sequence[SceneOffer]) -> str:
    """An offer by its notation, its words, or by where it ends if that is only one."""
    fits = [o.action for o in offers if o.action and text.lower() in (o.action.lower(), o.words.lower())]
    fits = fits or [o.action for o in offers if o.action and o.picks and o.picks[-1] == text]
    if len(fits) > 1:
        raise BadText(f"{text!r} may mean {' or '.join(fits)}; write one of these")
    return fits[0] if fits else text


def _end(found: Answered) -> int:
    say(f"\n{'Solved.' if found.solved else 'Not this time.'} {found.words}")
    if not found.solved:
        say(f"The answer was: {found.best}.")
    for line in found.why:
        say(f"  {line}")
    return 0
