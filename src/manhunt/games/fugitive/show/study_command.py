"""`manhunt study`: answers to the questions of a game, measured and written down."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from manhunt.cli.parser import Parser, whole_number
from manhunt.core.errors import BadConfig

if TYPE_CHECKING:
    from manhunt.games.fugitive.study.setup import StudySetup

NOBODY = "none"
DESCRIPTION = """Play a strong Marshal and a strong Fugitive with and without fixed rules for one decision, all on the
same deals, solve small decks, and write the results: tables, plots, intervals.

parts: balance, piles, guesses, endings, hideouts, bluffs, mini"""
EPILOG = """examples:
  manhunt study fugitive --games 200 --out fugitive-study.md
  manhunt study fugitive --only mini --json
  manhunt study fugitive --only piles guesses --marshal l2 --fugitive l1 --games 50

Games are kept in --folder one by one; the same command resumes it. The page has all parts whose
games are there."""


def build_parser() -> Parser:
    parser = Parser(prog="manhunt study", usage="manhunt study GAME [OPTIONS]", description=DESCRIPTION, epilog=EPILOG)
    text = "games of each pair, all on the same deals (default %(default)s)"
    parser.add_argument("--games", type=whole_number(1), default=200, metavar="N", help=text)
    parser.add_argument("--only", nargs="+", default=[], metavar="PART", help="these parts, not all")
    for side, best in (("marshal", "exact"), ("fugitive", "fugitive-search")):
        text = f"the {side.title()} in question: name or name:option=value (default {best})"
        parser.add_argument(f"--{side}", metavar="AGENT", help=text)
    for side, second in (("marshal", "bir-2u"), ("fugitive", "continuation")):
        text = f"a second opponent, or {NOBODY} (default %(default)s)"
        parser.add_argument(f"--second-{side}", default=second, metavar="AGENT", help=text)
    parser.add_argument("--preset", default="standard", metavar="NAME", help="deck and rules (default %(default)s)")
    text = "decides deals and chance (default %(default)s)"
    parser.add_argument("--seed", type=whole_number(0), default=0, metavar="S", help=text)
    text = "processes (default: one per processor; 0: play in this one)"
    parser.add_argument("--workers", type=whole_number(0), metavar="N", help=text)
    text = "where games are kept (default %(default)s)"
    parser.add_argument("--folder", type=Path, default=Path("fugitive-study-games"), metavar="DIR", help=text)
    text = "the page; plots go into a folder of its name beside it (default %(default)s)"
    parser.add_argument("--out", type=Path, default=Path("fugitive-study.md"), metavar="FILE", help=text)
    parser.add_argument("--json", action="store_true", help="print JSON, besides the page")
    return parser


def run(arguments: Sequence[str]) -> int:
    return main(build_parser().parse_args(arguments), shlex.join(["manhunt", "study", "fugitive", *arguments]))


def main(options: argparse.Namespace, command: str) -> int:
    if options.out.is_dir() or options.out.suffix != ".md":
        raise BadConfig(f"--out {options.out} must be a Markdown file; write for example --out fugitive-study.md")
    from manhunt.cli.arena_screen import warn
    from manhunt.cli.screen import print_json, progress_bar, say
    from manhunt.games.fugitive.study.study import parts_named, run_study, sections_of
    from manhunt.games.fugitive.study.writing import figures_of, write_page

    parts, setup = parts_named(options.only), _setup(options)
    with progress_bar() as bar:
        task = bar.add_task("study of Fugitive", total=None, note="")

        def watch(done: int, total: int, note: str) -> None:
            bar.update(task, completed=done, total=total, note=f"{done}/{total} {note}"[:70])

        run_study(setup, parts, workers=options.workers, watch=watch, warn=warn)
    sections = sections_of(setup)
    write_page(setup, sections, command, options.out)
    if options.json:
        print_json(figures_of(setup, sections))
        return 0
    for part in parts:
        say(f"{sections[part.name].heading} {sections[part.name].answer}")
    say(f"written: {options.out}")
    return 0


def _setup(options: argparse.Namespace) -> StudySetup:
    from manhunt.games.fugitive.study.setup import BEST_FUGITIVES, BEST_MARSHALS, StudySetup, best_of

    second = {
        side: None if (agent := getattr(options, f"second_{side}")) == NOBODY else agent
        for side in ("fugitive", "marshal")
    }
    return StudySetup(
        options.fugitive or best_of(BEST_FUGITIVES),
        options.marshal or best_of(BEST_MARSHALS),
        options.games,
        options.seed,
        options.folder,
        second["fugitive"],
        second["marshal"],
        options.preset,
    )
