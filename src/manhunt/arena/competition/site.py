"""A tournament as a folder of web pages that open from files: tables, faults, and every game to replay."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from pathlib import Path

from manhunt.arena.competition.run import Progress
from manhunt.arena.competition.scores import match_of
from manhunt.arena.competition.site_pages import games_page, index_page
from manhunt.arena.competition.standings import table_of, table_to_json
from manhunt.errors import BadConfig, ManhuntError
from manhunt.files import write_atomically
from manhunt.play.record import parse_record
from manhunt.play.replay_page import replay_page
from manhunt.store.connect import Store
from manhunt.store.games import load_record
from manhunt.store.tournaments import KeptResult

INDEX, GAMES, RESULTS, REPLAYS = "index.html", "games.html", "results.json", "games"
Watch = Callable[[int, int], object]


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
        write_atomically(out / REPLAYS / page_name(result.number), _replay(store, progress, result))
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


def _prepare(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise BadConfig(f"{out} is a file; name a folder for the site with --out")
    if out.is_dir() and any(out.iterdir()) and not (out / REPLAYS).is_dir():
        raise BadConfig(f"{out} is not empty and holds no site of ours; choose another folder with --out")
    try:
        (out / REPLAYS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ManhuntError(f"cannot make the folder {out}: {error.strerror}") from None


def _chosen(progress: Progress, most: int | None) -> list[KeptResult]:
    """The games that get a page, in schedule order."""
    kept = [progress.results[number] for number in sorted(progress.results)]
    kept = [result for result in kept if result.game_uid is not None]
    if most is None:
        return kept
    seen: dict[tuple[int, str], int] = {}
    chosen = []
    for result in kept:
        keys = [(result.entry, name) for name in (result.evader, result.pursuers)]
        if any(seen.get(key, 0) < most for key in keys):
            chosen.append(result)
            for key in keys:
                seen[key] = seen.get(key, 0) + 1
    return chosen


def _replay(store: Store, progress: Progress, result: KeptResult) -> str:
    assert result.game_uid is not None
    match = match_of(progress.competition, result)
    page = replay_page(parse_record(load_record(store, result.game_uid), f"the record of {match}"))
    back = f'<p class="quiet"><a href="../{INDEX}">{escape(progress.competition.name)}</a> · game {result.number}</p>'
    return page.replace("<main>", f"<main>{back}", 1)
