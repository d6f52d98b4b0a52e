"""A tournament as a folder of web pages that open from files: tables, faults, and every game to replay."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from manhunt.arena.competition.games import games_of
from manhunt.arena.competition.model import SWISS, Competition
from manhunt.arena.competition.run import Progress
from manhunt.arena.competition.scores import match_of
from manhunt.arena.competition.standings import BotFault, TournamentTable, table_of, table_to_json
from manhunt.arena.page import report_page
from manhunt.arena.plots import Row, dot_plot, elo_axis
from manhunt.arena.words import elo_words, percent, seconds_text
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.files import write_atomically
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.registry import make_game
from manhunt.draw.page_style import NOT_AFFILIATED
from manhunt.play.record import parse_record
from manhunt.play.replay_page import replay_page
from manhunt.store.connect import Store
from manhunt.store.games import load_record
from manhunt.store.tournaments import KeptResult

INDEX, GAMES, RESULTS = "index.html", "games.html", "results.json"
REPLAYS, RECORDS = "games", "records"
Watch = Callable[[int, int], object]
MAX_EXAMPLES = 3
"""Faults of one bot and kind that are shown in full."""


def write_site(
    store: Store, progress: Progress, out: Path, *, replays: int | None = None, watch: Watch | None = None
) -> int:
    """Write the pages and return how many; the index comes last, so that a site with an index is whole.

    `replays` bounds the pages of games: so many of each bot in each game of the programme.
    """
    _prepare(out)
    table = table_of(progress)
    chosen = _chosen(progress, replays)
    for done, result in enumerate(chosen):
        text = _record(store, result)
        write_atomically(out / REPLAYS / page_name(result.number), _replay(text, progress, result))
        write_atomically(out / RECORDS / record_name(result.number), text)
        if watch is not None:
            watch(done + 1, len(chosen))
    pages = {result.number: f"{REPLAYS}/{page_name(result.number)}" for result in chosen}
    tables = [table_of(progress, entry) for entry in range(len(progress.competition.entries))]
    write_atomically(out / RESULTS, json.dumps(table_to_json(table), ensure_ascii=False, indent=1) + "\n")
    write_atomically(out / GAMES, games_page(progress, pages))
    write_atomically(out / INDEX, index_page(progress, table, tables, pages))
    return len(chosen) + 2


def page_name(number: int) -> str:
    return f"{number:06d}.html"


def record_name(number: int) -> str:
    return f"{number:06d}.txt"


def _prepare(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise BadConfig(f"{out} is a file; name a folder for the site with --out")
    if out.is_dir() and any(out.iterdir()) and not (out / REPLAYS).is_dir():
        raise BadConfig(f"{out} is not empty and is not a tournament site; choose another folder with --out")
    try:
        for folder in (REPLAYS, RECORDS):
            (out / folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ManhuntError(f"cannot make the folder {out}: {error.strerror}") from None


def _chosen(progress: Progress, most: int | None) -> list[KeptResult]:
    """The games that get a page, in schedule order."""
    kept = [progress.results[number] for number in sorted(progress.results)]
    kept = [result for result in kept if result.game_uid is not None]
    if most is None:
        return kept
    seen: Counter[tuple[int, str]] = Counter()
    chosen = []
    for result in kept:
        keys = [(result.entry, name) for name in (result.evader, result.pursuers)]
        if any(seen[key] < most for key in keys):
            chosen.append(result)
            seen.update(keys)
    return chosen


def _record(store: Store, result: KeptResult) -> str:
    assert result.game_uid is not None
    return load_record(store, result.game_uid)


def _replay(text: str, progress: Progress, result: KeptResult) -> str:
    """With the way back, and the record that `manhunt analyse` judges."""
    match = match_of(progress.competition, result)
    page = replay_page(parse_record(text, f"the record of {match}"))
    record = record_name(result.number)
    links = [
        f'<a href="../{INDEX}">{escape(progress.competition.name)}</a>',
        f"game {result.number}",
        f'<a href="../{RECORDS}/{record}" download>record</a> (manhunt analyse {record} judges its moves)',
    ]
    return page.replace("<main>", f'<main><p class="quiet">{" · ".join(links)}</p>', 1)


def index_page(
    progress: Progress, table: TournamentTable, by_game: Sequence[TournamentTable], pages: Mapping[int, str]
) -> str:
    competition = table.competition
    rounds = f" in {len(progress.rounds)} of {competition.rounds} rounds" if competition.format == SWISS else ""
    state = "" if progress.is_finished else " · not finished"
    policies = ", ".join(f"{kind}: {policy}" for kind, policy in competition.policies.items())
    return _page(
        "tournament.html",
        competition.name,
        pages,
        percent=percent,
        seconds_text=seconds_text,
        anchor=_anchor,
        title_of=lambda name: make_game(name).title,
        competition=competition,
        progress=progress,
        table=table,
        by_game=by_game,
        setting=f"{competition.format}{rounds} · {progress.games_text}{state} · {origin_words(progress)}",
        plots=_plots(table),
        balance="; ".join(f"{name} {elo_words(elo)}" for name, elo in table.balance.items()),
        faults=_faults(table),
        max_examples=MAX_EXAMPLES,
        clock=_clock_text(competition),
        policies=policies or "all are forfeits",
    )


def origin_words(progress: Progress) -> str:
    """What the games come from, for people who want to check them."""
    return " · ".join(f"{name} {value}" for name, value in progress.origin.items())


def games_page(progress: Progress, pages: Mapping[int, str]) -> str:
    competition = progress.competition
    values = {"competition": competition, "games": games_of(progress), "fault_words": _fault_words}
    return _page("tournament_games.html", f"{competition.name}: games", pages, **values)


def _page(template: str, title: str, pages: Mapping[int, str], **values: Any) -> str:
    style = (resources.files("manhunt.arena") / "templates" / "tournament.css").read_text(encoding="utf-8")
    return report_page(template, title, style, pages=pages, not_affiliated=NOT_AFFILIATED, **values)


def _fault_words(result: KeptResult) -> str:
    return ", ".join(dict.fromkeys(f"{fault['seat']}: {fault['why']}" for fault in result.faults))


def _anchor(name: str) -> str:
    return "bot-" + "".join(sign if sign.isalnum() else f"-{ord(sign):x}-" for sign in name)


def _plots(table: TournamentTable) -> dict[Seat, str]:
    """The ratings of each role that somebody played."""
    plots = {}
    for seat in PLAYERS:
        roles = [(standing.name, standing.roles[seat]) for standing in table.standings]
        rated = [Row(name, role.elo, role.elo_text[0]) for name, role in roles if role.elo is not None]
        rated.sort(key=lambda row: -row.interval.value)
        if rated:
            plots[seat] = dot_plot(f"Ratings as {seat.value}", rated, elo_axis(rated), seat.value)
    return plots


def _faults(table: TournamentTable) -> dict[str, dict[str, list[BotFault]]]:
    """By bot in the order of the table, then by kind."""
    by_bot: dict[str, dict[str, list[BotFault]]] = {standing.name: {} for standing in table.standings}
    for fault in sorted(table.faults, key=lambda fault: fault.kind):
        by_bot[fault.bot].setdefault(fault.kind, []).append(fault)
    return {name: by_kind for name, by_kind in by_bot.items() if by_kind}


def _clock_text(competition: Competition) -> str:
    clock, limit = competition.clock, competition.limit
    bounds = [
        f"bank {clock.bank_seconds:g} s" if clock.bank_seconds else "",
        f"increment {clock.increment_seconds:g} s" if clock.increment_seconds else "",
        f"{clock.cap_seconds:g} s a move at most" if clock.cap_seconds else "",
        f"{limit.iterations} iterations a decision" if limit.iterations else "",
        f"{limit.seconds:g} s a decision" if limit.seconds else "",
    ]
    return ", ".join(filter(None, bounds)) or "no clock"
