"""From a report to its games: links to their records, and pages to replay them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from manhunt.arena.games import ListedGame, first_of_each_cell, games_of
from manhunt.core.errors import ManhuntError
from manhunt.core.files import write_atomically
from manhunt.play.record import load_record
from manhunt.play.replay_page import replay_page

MOST_LISTED = 1_000
Watch = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class LinkedGame:
    """A row of a report; links are relative to the report and empty where there is nothing."""

    number: int
    evader: str
    pursuers: str
    outcome: str
    rounds: int
    page: str
    record: str


def linked_games(folder: Path, report: Path, n_pages: int, watch: Watch) -> list[LinkedGame]:
    """The first games of a results folder for a report; of each match-up so many get a page to replay."""
    games = list(games_of(folder))
    chosen = {game.number for game in first_of_each_cell(games, n_pages)}
    pages: dict[int, str] = {}
    home = report.with_name(f"{report.stem}-games")
    for game in games if chosen else ():
        if game.number in chosen and game.record is not None:
            pages[game.number] = _write_page(game.record, home, game.number)
            watch(len(pages), len(chosen))
    listed = [game for i, game in enumerate(games) if i < MOST_LISTED or game.number in pages]
    return [_linked(game, report, pages.get(game.number, "")) for game in listed]


def _write_page(record: Path, home: Path, number: int) -> str:
    try:
        home.mkdir(exist_ok=True)
    except OSError as error:
        raise ManhuntError(f"cannot make the folder {home}: {error.strerror}") from None
    name = f"{number:06d}.html"
    write_atomically(home / name, replay_page(load_record(record)))
    return quote(f"{home.name}/{name}")


def _linked(game: ListedGame, report: Path, page: str) -> LinkedGame:
    record = "" if game.record is None else quote(os.path.relpath(game.record, report.absolute().parent))
    outcome = str(game.result.outcome or "could not be played")
    return LinkedGame(game.number, game.match.evader, game.match.pursuers, outcome, game.result.rounds, page, record)
