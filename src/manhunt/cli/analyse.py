"""`manhunt analyse`: a record judged move by move, in the terminal, as JSON, or as a page with plots."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, seconds, whole_number
from manhunt.cli.screen import progress_bar
from manhunt.core.errors import ManhuntError
from manhunt.core.files import check_writable, write_atomically

if TYPE_CHECKING:
    from manhunt.play.hindsight import Hindsight
    from manhunt.play.record import Record

DESCRIPTION = """Judge every move of a finished game by what its player could know at the time: how much it lost against
the best move considered, with an interval, and how skill and luck led from the start to the result.

The marks are those of chess: ?! slip, ? mistake, ?? blunder, ! the only good move and hard to find. The same record
gives the same analysis, except that bounds found within a time limit may be closer on a faster machine.
In games with certified bounds, those in the record are checked first."""
EPILOG = """examples:
  manhunt analyse game.record.txt
  manhunt analyse game.record.txt --html report.html
  manhunt analyse game.record.txt --quick --json
  manhunt analyse game.record.txt --worth

Wrong bounds, or a deal that does not match its commitment, are reported in one line with exit code 2."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt analyse", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("record", type=Path, metavar="RECORD", help="a file written by --record or --record-dir")
    parser.add_argument(
        "--quick", action="store_true", help="judge by fewer simulated games: takes seconds, with wider intervals"
    )
    text = "instead of judging moves: what each thing that was shown, hidden or used up was worth (not in every game)"
    parser.add_argument("--worth", action="store_true", help=text)
    text = "seed of the simulated games (default %(default)s)"
    parser.add_argument("--seed", type=whole_number(0), default=0, metavar="N", help=text)
    text = "time for the bounds of each position, in games that have bounds (default %(default)g; 0: only check those)"
    parser.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help=text)
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page with plots that needs no server")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    return parser


def main(options: Namespace) -> int:
    from manhunt.core.registry import kit_of
    from manhunt.core.warm import ANALYSIS, WORTH, start_work
    from manhunt.play.fair_deal import DealCheck, deal_words, verify_deal
    from manhunt.play.record import load_record

    if options.html is not None:
        if options.worth:
            raise ManhuntError("--worth has no page: leave out --html")
        check_writable(options.html)
    record = load_record(options.record)
    if verify_deal(record) is DealCheck.BROKEN:
        raise ManhuntError(f"{options.record}: {deal_words(record)}")
    kit = kit_of(record.game)
    if options.worth:
        if kit.has("worth"):
            start_work([f"{kit.name}/{WORTH}"])
        return _worth(options, record)
    if kit.has("analysis"):
        start_work([f"{kit.name}/{ANALYSIS}"])
    review = kit.part("review")
    reviewed = None if review is None else review.review(record, str(options.record), options.seconds)
    if reviewed is not None and (record.outcome is None or not options.seconds):
        return _answer(options, record, reviewed, None, None)
    past = _past(record, options.record)
    found = _analysed(past, options, reviewed)
    return _answer(options, record, reviewed, past, found)


def _worth(options: Namespace, record: Record) -> int:
    from manhunt.analysis.worth import QUICK_PAIRS, USUAL_PAIRS, game_worth
    from manhunt.cli.analyse_table import show_worth
    from manhunt.cli.screen import print_answer

    with shown_progress("playing"):
        found = game_worth(record, pairs=QUICK_PAIRS if options.quick else USUAL_PAIRS, seed=options.seed)
    return print_answer(options.json, found.to_json, lambda: show_worth(found))


def _past(record: Record, path: Path) -> Hindsight:
    from manhunt.core.errors import BadText
    from manhunt.play.hindsight import Hindsight

    try:
        return Hindsight(record)
    except BadText as error:
        raise BadText(f"{path}: {error}") from None


def _analysed(past: Hindsight, options: Namespace, reviewed: Any) -> dict[str, Any]:
    from manhunt.analysis.analyse import analysis_json, findings_of
    from manhunt.analysis.findings import QUICK, USUAL

    if reviewed is not None:
        return analysis_json(past, reviewed.findings(past))
    effort = replace(QUICK if options.quick else USUAL, seed=options.seed)
    with shown_progress("analysing"):
        return analysis_json(past, findings_of(past, effort))


@contextmanager
def shown_progress(title: str) -> Iterator[None]:
    """A bar for work that reports how far it is."""
    from manhunt.analysis import progress

    with progress_bar() as bar:
        task = bar.add_task(title, total=None, note="")
        progress.listen(lambda done, total, words: bar.update(task, completed=done, total=total, note=words))
        try:
            yield
        finally:
            progress.listen(None)


def _answer(options: Namespace, record: Record, reviewed: Any, past: Hindsight | None, found: Any) -> int:
    from manhunt.cli.screen import print_answer, say

    if options.html is not None:
        if past is None:
            raise ManhuntError("--html needs a whole analysis: a game that is over, and --seconds above 0")
        from manhunt.analysis.report_page import report_page

        write_atomically(options.html, report_page(past, found))

    def to_json() -> Any:
        return {**({} if reviewed is None else reviewed.to_json()), **(found or {})}

    def show() -> None:
        from manhunt.cli.analyse_table import show_analysis

        if reviewed is not None:
            reviewed.show()
        if past is not None:
            show_analysis(past, found, options.record, heading=reviewed is None)
        if options.html is not None:
            say(f"wrote {options.html}")

    return print_answer(options.json, to_json, show)
