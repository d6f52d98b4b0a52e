"""`manhunt puzzle`: a position with one right answer, here in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from manhunt.cli.parser import Parser, seed_option
from manhunt.cli.screen import console, print_json, say
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.registry import find_name, kit_of
from manhunt.core.seeds import seeded

if TYPE_CHECKING:
    from manhunt.analysis.puzzles import Answered
    from manhunt.core.puzzle import Puzzle
    from manhunt.core.scene import Scene, SceneOffer

EPILOG = """examples:
  manhunt puzzle --daily                     the puzzle of today, the same for everybody
  manhunt puzzle GAME --level Easy           an easy one of one game
  manhunt puzzle --id ID                     this one
  manhunt puzzle --id ID --json              the position, the question and what may be answered, for programs
  manhunt puzzle --id ID --json --answer A   what an answer leads to; give --answer again for each later one"""
LEVELS = ("Beginner", "Easy", "Medium", "Hard", "Expert")
ROWS, MOST_ROWS = 26, 40
MOST_LISTED = 40
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
    from manhunt.analysis.puzzles import kind_title, pose, story

    posed = pose(puzzle)
    say(f"{kit_of(puzzle.game).title}: {kind_title(puzzle)} ({puzzle.id}, {puzzle.level}, {puzzle.rating})\n")
    for line in story(puzzle)[-12:]:
        say(f"  {line}")
    given: list[str] = []
    question, scene = posed.question, posed.scene
    queue = list(options.answer)
    while True:
        _show(scene, question)
        text = queue.pop(0) if queue else _asked()
        if text is None:
            return 0
        found = _answered(puzzle, given, text, scene.offers)
        if found is None:
            continue
        for line in (found.words, *found.told):
            if line and found.solved is None:
                say(line)
        if found.solved is not None:
            return _end(found)
        question, scene = pose(puzzle, found.position).question, found.scene


def _chosen(options: argparse.Namespace) -> Puzzle:
    from manhunt.analysis.puzzles import choose, daily, daily_of_all, find_puzzle, puzzles_of

    game = options.game and (find_name(options.game) or kit_of(options.game).name)
    if options.date is not None and not options.daily:
        raise BadText("--date chooses the day of the daily puzzle; give --daily as well")
    if options.id is not None:
        return find_puzzle(options.id)
    if options.daily:
        day = options.date or datetime.now(UTC).date()
        found = daily(day, puzzles_of(game)) if game else daily_of_all(day)
        if found is None:
            raise BadText("there is no puzzle of the day" + (f" for {game}" if game else ""))
        return found
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


def _show(scene: Scene, question: str) -> None:
    from manhunt.cli.terminal.card_chart import draw_cards
    from manhunt.cli.terminal.chart import draw_chart

    out = console()
    columns, rows = min(out.width, 160), max(12, min(out.height - 8, MOST_ROWS)) if out.is_terminal else ROWS
    out.print(draw_chart(scene, columns, rows) if scene.table is None else draw_cards(scene.table, columns, rows))
    for line in scene.caption:
        say(line)
    say(f"\n{question}\n")
    offers = [offer for offer in scene.offers if offer.action]
    for offer in offers[:MOST_LISTED]:
        say(f"  {offer.action:<10} {offer.words}")
    if len(offers) > MOST_LISTED:
        say(f"  and {len(offers) - MOST_LISTED} more")


def _asked() -> str | None:
    """A line that was typed; None at the end of the input, and for q."""
    say("Your answer (q quits): ", end="")
    line = sys.stdin.readline()
    if not line or line.strip().lower() in ("q", "quit"):
        say("")
        return None
    return line.strip()


def _answered(puzzle: Puzzle, given: list[str], text: str, offers: Sequence[SceneOffer]) -> Answered | None:
    """What the answers so far lead to; None where this one is no answer, which is said in one line."""
    from manhunt.analysis.puzzles import answer

    _start(puzzle)
    try:
        action = _meant(text, offers)
        found = answer(puzzle, [*given, action])
    except ManhuntError as error:
        say(f"{error}", stderr=True)
        return None
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
