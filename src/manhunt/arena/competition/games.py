"""The games of a tournament one by one: who won and lost which, and its record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manhunt.arena.competition.run import Progress
from manhunt.arena.competition.scores import LOSS, WIN, Score, scores_of
from manhunt.core.errors import ManhuntError
from manhunt.core.files import write_atomically
from manhunt.core.ids import PLAYERS
from manhunt.store.connect import Store
from manhunt.store.games import load_record
from manhunt.store.tournaments import KeptResult

_SLUG = re.compile(r"[^A-Za-z0-9.=@-]+")


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """One game; nobody has won or lost a drawn one, and one that does not count."""

    entry: str
    """Its name in the programme."""
    result: KeptResult
    winner: str | None
    loser: str | None

    def to_json(self) -> dict[str, Any]:
        result = self.result
        return {
            "number": result.number,
            "game": self.entry,
            "evader": result.evader,
            "pursuers": result.pursuers,
            "winner": self.winner,
            "loser": self.loser,
            "outcome": result.outcome,
            "rounds": result.rounds,
            "plies": result.plies,
            "uid": result.game_uid,
        }


def games_of(progress: Progress) -> list[TournamentGame]:
    """All that were played, in schedule order. Where costs decide, the two games of a deal are compared."""
    competition = progress.competition
    results = [progress.results[number] for number in sorted(progress.results)]
    scores = {score.match.number: score for score in scores_of(competition, results)}
    return [TournamentGame(competition.entries[r.entry].name, r, *_sides(scores.get(r.number))) for r in results]


def _sides(score: Score | None) -> tuple[str | None, str | None]:
    if score is None:
        return None, None
    points = {score.match.bots[seat]: score.points_of(seat) for seat in PLAYERS}
    names = {value: name for name, value in points.items()}
    return names.get(WIN), names.get(LOSS)


def save_records(store: Store, games: Sequence[TournamentGame], out: Path) -> dict[int, Path]:
    """The records of these games as files, by number; a game that could not be played has none."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ManhuntError(f"cannot make the folder {out}: {error.strerror}") from None
    files = {}
    for game in games:
        if game.result.game_uid is not None:
            files[game.result.number] = out / record_name(game.result)
            write_atomically(files[game.result.number], load_record(store, game.result.game_uid))
    return files


def record_name(result: KeptResult) -> str:
    slug = _SLUG.sub("_", f"{result.evader}-vs-{result.pursuers}")[:80]
    return f"{result.number:06d}-{slug}.txt"
