"""`manhunt tournament`: an evening's competition from one file, kept in a store, with a site to look at."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manhunt.cli.parser import Parser, add_players, check_players, whole_number
from manhunt.cli.screen import console, print_answer, progress_bar
from manhunt.core.errors import BadConfig, ManhuntError, unknown
from manhunt.core.reading import read_text

if TYPE_CHECKING:
    from manhunt.arena.competition.model import Competition
    from manhunt.store.connect import Store
    from manhunt.store.tournaments import KeptTournament

STORE = "MANHUNT_STORE"
"""The environment variable that names the store where no --store does."""
SEED_WARNING = (
    "with a seed, bots can work out every deal and what other bots draw; leave the seed out unless you trust them all"
)
DESCRIPTION = """Bots against bots from one file, which says who plays what. Every finished game is saved at once.

  manhunt tournament check FILE.toml     try every bot before you start, in one table
  manhunt tournament run FILE.toml       play it from the first game
  manhunt tournament resume FILE.toml    resume it after any interruption
  manhunt tournament status FILE.toml    the table so far, also while it is being played
  manhunt tournament games FILE.toml     the games one by one: who lost which, and their records
  manhunt tournament export FILE.toml    write a web site: tables, faults, every game to replay"""
EPILOG = """examples:
  manhunt tournament run class.toml
  manhunt tournament run class.toml --store postgresql://user@host/games --workers 8
  manhunt tournament status class.toml --json
  manhunt tournament games class.toml --lost-by my-bot --records lost
  manhunt tournament export class.toml --out site

The store is class.db beside class.toml unless --store or MANHUNT_STORE says otherwise. Another one is noted in
class.store, so that the later commands find it. `manhunt web --store class.db` shows the standings live."""


def run(arguments: Sequence[str]) -> int:
    from manhunt.cli.tournament_check import check

    verbs = {"check": check, "run": begin, "resume": resume, "status": status, "games": games, "export": export}
    if not arguments or arguments[0] in ("-h", "--help"):
        build_parser().parse_args(["--help"])
    if arguments[0] not in verbs:
        raise BadConfig(unknown("command of tournament", arguments[0], verbs))
    return verbs[arguments[0]](verb_parser(arguments[0]).parse_args(arguments[1:]))


def build_parser() -> Parser:
    return Parser(
        prog="manhunt tournament", usage="manhunt tournament COMMAND FILE", description=DESCRIPTION, epilog=EPILOG
    )


ABOUT = {
    "check": ("Try every bot of a file in every game it is entered for.", "class.toml"),
    "run": ("Play a tournament from its first game.", "class.toml"),
    "resume": ("Resume a tournament: missing games are played, none twice.", "class.toml"),
    "status": ("The table so far; also while the tournament is being played.", "class.toml --json"),
    "games": ("The games one by one; --records writes them as files.", "class.toml --lost-by my-bot --records lost"),
    "export": ("A web site that opens from files: tables, faults, every game.", "class.toml --out site"),
}
"""What each command does, and what an example of it ends with."""


def verb_parser(verb: str) -> Parser:
    prog, (text, example) = f"manhunt tournament {verb}", ABOUT[verb]
    parser = Parser(prog=prog, description=text, epilog=f"example: {prog} {example}")
    detail = "the tournament file; or with --store the name of a tournament in it"
    parser.add_argument("file", metavar="FILE", help="the tournament file" if verb == "check" else detail)
    parser.add_argument("--json", action="store_true", help="print JSON")
    if verb == "check":
        text = "games per seat for the leak certificate; 0 skips it (default %(default)s)"
        parser.add_argument("--certificate", type=whole_number(0), default=1, metavar="N", help=text)
        return parser
    detail = "a file for SQLite, or postgresql://USER@HOST/NAME (default: FILE with .db, or $MANHUNT_STORE)"
    parser.add_argument("--store", metavar="URL", help=detail)
    if verb in ("run", "resume"):
        add_players(parser)
    if verb == "resume":
        text = "let bots join that were added below the others in the file after the tournament began"
        parser.add_argument("--late", action="store_true", help=text)
    if verb == "status":
        parser.add_argument("--game", metavar="NAME", help="the table of one game of the programme")
    if verb == "games":
        parser.add_argument("--lost-by", metavar="BOT", help="only games that this bot lost")
        parser.add_argument("--won-by", metavar="BOT", help="only games that this bot won")
        parser.add_argument("--game", metavar="NAME", help="only this game of the programme")
        text = "list this many, the newest (default %(default)s; 0: all)"
        parser.add_argument("--limit", type=whole_number(0), default=20, metavar="N", help=text)
        text = "write the records of the listed games into this folder, when the tournament is finished"
        parser.add_argument("--records", type=Path, metavar="DIR", help=text)
    if verb == "export":
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the site")
        text = "write pages of the first N games of each bot in each game of the programme only (default: of all)"
        parser.add_argument("--replays", type=whole_number(0), metavar="N", help=text)
    return parser


def begin(options: argparse.Namespace) -> int:
    from manhunt.arena.competition.file import load_competition, try_bots
    from manhunt.arena.competition.run import begin_competition
    from manhunt.cli.arena_screen import warn
    from manhunt.store.connect import open_store
    from manhunt.store.tournaments import count_results, find_tournament

    check_players(options)
    competition, source = load_competition(Path(options.file))
    store = open_store(_where(options))
    kept = find_tournament(store, competition.name)
    if kept is None:
        _compile_agents(competition)
        try_bots(competition, source, options.file, warn)
    else:
        remember(options)
        games = f"{count_results(store, kept)} games in {store.name}"
        head, tail = "manhunt tournament", options.file
        if kept.finished_at is None:
            what = f"was begun ({games}): go on with {head} resume {tail}, or"
        else:
            what = (
                f"is finished ({games}): see {head} status {tail} and {head} export {tail} --out site; to play again,"
            )
        raise BadConfig(f"the tournament {competition.name!r} {what} give the file another name = ...")
    if competition.seed is not None:
        warn(f"{options.file}: {SEED_WARNING}")
    remember(options)
    return _play(options, store, *begin_competition(store, competition, source))


def resume(options: argparse.Namespace) -> int:
    check_players(options)
    store, kept, competition = _find(options, late=options.late)
    return _play(options, store, kept, competition)


def status(options: argparse.Namespace) -> int:
    from manhunt.arena.competition.run import progress_of
    from manhunt.arena.competition.standings import table_of
    from manhunt.cli.tournament_screen import next_steps, print_table, state_to_json

    store, kept, competition = _find(options)
    entry = None
    if options.game is not None:
        names = [entry.name for entry in competition.entries]
        if options.game not in names:
            raise BadConfig(unknown("game of this tournament", options.game, names))
        entry = names.index(options.game)
    progress = progress_of(store, kept, competition)
    table = table_of(progress, entry)
    hints = next_steps(options.file)[1:] if progress.is_finished else ()
    return print_answer(
        options.json, lambda: state_to_json(progress, table), lambda: print_table(progress, table, hints)
    )


def games(options: argparse.Namespace) -> int:
    from manhunt.arena.competition.games import games_of, save_records
    from manhunt.arena.competition.run import progress_of
    from manhunt.cli.tournament_screen import print_games

    store, kept, competition = _find(options)
    if options.records is not None and kept.finished_at is None:
        raise BadConfig("the tournament is not finished: its deals are still being played, so the records stay closed")
    bots, entries = [bot.name for bot in competition.bots], [entry.name for entry in competition.entries]
    for what, name, known in (
        ("bot", options.lost_by, bots),
        ("bot", options.won_by, bots),
        ("game of this tournament", options.game, entries),
    ):
        if name is not None and name not in known:
            raise BadConfig(unknown(what, name, known))
    found = [
        game
        for game in games_of(progress_of(store, kept, competition))
        if options.lost_by in (None, game.loser)
        and options.won_by in (None, game.winner)
        and options.game in (None, game.entry)
    ]
    shown = found[-options.limit :]
    files = {} if options.records is None else save_records(store, shown, options.records)
    records = {number: str(path) for number, path in files.items()}
    rows = [{**game.to_json(), "record": records.get(game.result.number)} for game in shown]
    return print_answer(
        options.json,
        lambda: {"total": len(found), "games": rows},
        lambda: print_games(shown, len(found), records, options.file),
    )


def export(options: argparse.Namespace) -> int:
    from manhunt.arena.competition.run import progress_of
    from manhunt.arena.competition.site import write_site

    store, kept, competition = _find(options)
    progress = progress_of(store, kept, competition)
    with progress_bar() as bar:
        task = bar.add_task("writing the pages", total=None, note="")
        pages = write_site(
            store,
            progress,
            options.out,
            replays=options.replays,
            watch=lambda done, total: bar.update(task, completed=done, total=total, note=f"{done}/{total}"),
        )
    words = f"{pages:,} pages in {options.out}; open {options.out / 'index.html'} in a browser"
    facts = {"out": str(options.out), "pages": pages}
    return print_answer(options.json, lambda: facts, lambda: console().print(words, soft_wrap=True))


def _play(options: argparse.Namespace, store: Store, kept: KeptTournament, competition: Competition) -> int:
    from manhunt.arena.competition.run import run_competition
    from manhunt.arena.competition.standings import table_of
    from manhunt.cli.arena_screen import warn
    from manhunt.cli.tournament_screen import LiveTable, next_steps, print_table, state_to_json

    _compile_agents(competition)
    with LiveTable(competition) as live:
        progress = run_competition(
            store, kept, competition, workers=options.workers, ray=options.ray, watch=live.show, warn=warn
        )
    table = table_of(progress)
    hints = next_steps(options.file)
    return print_answer(
        options.json, lambda: state_to_json(progress, table), lambda: print_table(progress, table, hints)
    )


def _compile_agents(competition: Competition) -> None:
    """Before the first clock runs."""
    from manhunt.core.registry import kit_of
    from manhunt.core.warm import start_work, work_of_agents

    specs = [bot.spec for bot in competition.bots]
    games = {entry.game for entry in competition.entries}
    start_work([work for game in sorted(games) for work in work_of_agents(kit_of(game), specs)], heavy=True)


def _usual_store(file: str) -> Path:
    return Path(file).with_suffix(".db")


def _note_of(file: str) -> Path:
    """Where the store of a tournament is noted if it is not the usual one."""
    return Path(file).with_suffix(".store")


def _where(options: argparse.Namespace) -> str:
    """As the options say, else as noted when it was begun, else as the environment says, else beside the file."""
    if options.store:
        return str(options.store)
    note = _note_of(options.file)
    noted = read_text(note).strip() if note.is_file() else ""
    if "://" not in noted and not Path(noted).is_file():
        noted = ""  # it was moved or deleted
    return noted or os.environ.get(STORE) or str(_usual_store(options.file))


def remember(options: argparse.Namespace) -> None:
    """Note the store for the commands to come; a password is not written down."""
    from manhunt.core.files import write_atomically
    from manhunt.store.connect import parse_url, shown

    url, note = parse_url(_where(options)), _note_of(options.file)
    where = shown(url._replace(password=None))
    with contextlib.suppress(OSError, ManhuntError):  # a folder that cannot be written is no reason not to play
        if where == str(_usual_store(options.file).absolute()):
            note.unlink(missing_ok=True)
        elif not note.is_file() or read_text(note).strip() != where:
            write_atomically(note, f"{where}\n")


def _find(options: argparse.Namespace, late: bool = False) -> tuple[Any, KeptTournament, Competition]:
    """The store, and the tournament as it was begun; a file that says something else by now is refused."""
    from manhunt.arena.competition.file import load_competition
    from manhunt.arena.competition.model import as_begun, differences, with_late_bots
    from manhunt.arena.competition.run import competition_of
    from manhunt.store.connect import open_store
    from manhunt.store.tournaments import find_tournament, tournament_names

    is_file = options.file.endswith(".toml") or Path(options.file).is_file()
    if not is_file and not (options.store or os.environ.get(STORE)):
        raise BadConfig(f"there is no file {options.file}; to name a tournament in a store, give --store as well")
    given, source = load_competition(Path(options.file)) if is_file else (None, "")
    name = options.file if given is None else given.name
    store = open_store(_where(options), create=False)
    kept = find_tournament(store, name)
    if kept is None:
        names = tournament_names(store)
        hint = f"; it was not begun: manhunt tournament run {options.file}" if is_file else ""
        raise BadConfig(f"{store.name}: {unknown('tournament', name, names or ['none'])}{hint}")
    competition = competition_of(kept, store.name)
    if given is None:
        return store, kept, competition
    given = as_begun(competition, given)
    what = differences(competition, given)
    joined = with_late_bots(competition, given)
    if what and late and joined is not competition:
        return store, *_join(options, store, kept, joined, source)
    if what:
        more = f" (and {len(what) - 1} more)" if len(what) > 1 else ""
        if joined is not competition:
            more += f"; to let them join: manhunt tournament resume {options.file} --late"
        raise BadConfig(f"{options.file} differs from the tournament in {store.name}: {what[0]}{more}")
    return store, kept, replace(competition, folder=given.folder)


def _join(
    options: argparse.Namespace, store: Store, kept: KeptTournament, joined: Competition, source: str
) -> tuple[KeptTournament, Competition]:
    from manhunt.arena.competition.file import try_bots
    from manhunt.arena.competition.run import join_late
    from manhunt.cli.arena_screen import warn

    try_bots(joined, source, options.file, warn)
    kept, competition = join_late(store, kept, joined, source)
    return kept, replace(competition, folder=joined.folder)
