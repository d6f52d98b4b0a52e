"""REST: the tournaments of the store, also while another process plays them: standings, and what was played.

While a tournament runs its deals are still being played, so the records of its finished games stay closed.
"""

from typing import Any

from fastapi import APIRouter, Request

from manhunt.arena.competition.games import TournamentGame, games_of
from manhunt.arena.competition.model import SWISS, competition_from_text
from manhunt.arena.competition.run import competition_of, progress_of
from manhunt.arena.competition.standings import table_of, table_to_json
from manhunt.core.ids import Side
from manhunt.core.outcome import Termination, parse_outcome
from manhunt.core.registry import kit_of
from manhunt.server.errors import NotFound
from manhunt.server.recent import Recent
from manhunt.server.site import Site, in_thread, site_of
from manhunt.store.tournaments import KeptTournament, count_results, find_tournament, tournament_names

MOST_LISTED = 200
router = APIRouter(prefix="/api/tournaments")
_tables: Recent[tuple[object, ...], dict[str, Any]] = Recent(8)
"""By what decides them: a table is made once for all who watch, until the next game is over."""


@router.get("")
async def get_tournaments(request: Request) -> list[dict[str, Any]]:
    """The tournaments of the store, the newest first."""
    return await in_thread(request, _tournaments, site_of(request))


@router.get("/{name:path}")
async def get_tournament(name: str, request: Request) -> dict[str, Any]:
    """Table, matrix and newest games of one tournament."""
    return await in_thread(request, _tournament, site_of(request), name)


def _tournaments(site: Site) -> list[dict[str, Any]]:
    rows = []
    for name in reversed(tournament_names(site.store)):
        kept = find_tournament(site.store, name)
        if kept is None:
            continue
        competition = competition_from_text(kept.spec)
        rows.append(
            {
                "name": name,
                "begun": kept.begun_at,
                "finished": kept.finished_at,
                "played": count_results(site.store, kept),
                "games": [entry.name for entry in competition.entries],
                "bots": [bot.name for bot in competition.bots],
                "format": competition.format,
            }
        )
    return rows


def _tournament(site: Site, name: str) -> dict[str, Any]:
    kept = find_tournament(site.store, name)
    if kept is None:
        raise NotFound(f"this store has no tournament {name[:80]!r}")
    key = (site.store.name, kept.id, kept.spec_hash, kept.finished_at, count_results(site.store, kept))
    found = _tables.get(key)
    if found is None:
        found = _table(site, kept)
        _tables.keep(key, found)
    return found


def _table(site: Site, kept: KeptTournament) -> dict[str, Any]:
    competition = competition_of(kept)
    progress = progress_of(site.store, kept, competition)
    table = table_of(progress)
    newest = games_of(progress)[: -MOST_LISTED - 1 : -1]
    analysed = {entry.name: kit_of(entry.game).has("analysis") for entry in competition.entries}
    return {
        **table_to_json(table),
        "expected": progress.n_expected,
        "finished": kept.finished_at,
        "origin": {} if kept.finished_at is None else progress.origin,
        "format": competition.format,
        "games": [entry.name for entry in competition.entries],
        "rounds": [len(progress.rounds), competition.rounds] if competition.format == SWISS else None,
        "matrix": [
            {"evader": evader, "pursuers": pursuers, "games": cell.n_games, "points": cell.points / 2}
            for (evader, pursuers), cell in table.matrix.items()
        ],
        "results": [
            _result_json(game, kept.finished_at is not None) | {"analysis": analysed[game.entry]} for game in newest
        ],
    }


def _result_json(game: TournamentGame, is_over: bool) -> dict[str, Any]:
    """The link to its replay comes when the tournament is over."""
    result = game.result
    words = None if result.outcome is None else words_of(result.outcome, result.evader, result.pursuers)
    return {**game.to_json(), "words": words, "uid": result.game_uid if is_over else None}


ENDS = {
    Termination.CAPTURE: "catches the quarry",
    Termination.STRANDED: "leaves the quarry no move",
    Termination.EXHAUSTED: "escapes: no pursuer can move",
    Termination.SURVIVAL: "survives all rounds",
    Termination.ARRIVAL: "arrives",
    Termination.FORFEIT: "wins, because the other side forfeits",
}


def words_of(text: str, evader: str, pursuers: str) -> str:
    """An outcome as a sentence about the bots: `blue arrives, cost 44.9`."""
    outcome = parse_outcome(text)
    cost = "" if outcome.cost is None else f", cost {outcome.cost:.4g}"
    return f"{evader if outcome.winner is Side.EVADER else pursuers} {ENDS[outcome.termination]}{cost}"
