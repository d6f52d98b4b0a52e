"""The games of a results folder one by one: who lost which, and where its record is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manhunt.arena.folder import RECORDS, RESULTS, load_plan, record_name, results_of
from manhunt.arena.result import Result
from manhunt.arena.schedule import Match
from manhunt.core.errors import BadConfig, unknown
from manhunt.core.ids import Side


@dataclass(frozen=True, slots=True)
class ListedGame:
    """One game with its record; None where none was kept."""

    match: Match
    result: Result
    record: Path | None

    @property
    def number(self) -> int:
        return self.result.number

    @property
    def winner(self) -> str | None:
        """The agent that won; None where the game could not be played."""
        outcome = self.result.outcome
        if outcome is None:
            return None
        return self.match.evader if outcome.winner is Side.EVADER else self.match.pursuers

    @property
    def loser(self) -> str | None:
        outcome = self.result.outcome
        if outcome is None:
            return None
        return self.match.pursuers if outcome.winner is Side.EVADER else self.match.evader

    def to_json(self) -> dict[str, Any]:
        outcome = self.result.outcome
        return {
            "number": self.number,
            "evader": self.match.evader,
            "pursuers": self.match.pursuers,
            "winner": None if outcome is None else outcome.winner.value,
            "outcome": None if outcome is None else str(outcome),
            "rounds": self.result.rounds,
            "plies": self.result.plies,
            "record": None if self.record is None else str(self.record),
        }


def games_of(folder: Path) -> Iterator[ListedGame]:
    """All that were played, in schedule order."""
    plan = load_plan(folder)
    for result in sorted(results_of(folder / RESULTS, plan), key=lambda result: result.number):
        file = folder / RECORDS / record_name(plan, result.number)
        yield ListedGame(plan.match(result.number), result, file if file.is_file() else None)


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games are wanted, by agents; what is None does not matter."""

    lost_by: str | None = None
    won_by: str | None = None
    evader: str | None = None
    pursuers: str | None = None

    def takes(self, game: ListedGame) -> bool:
        facts = (game.loser, game.winner, game.match.evader, game.match.pursuers)
        wanted = (self.lost_by, self.won_by, self.evader, self.pursuers)
        return all(name is None or name == fact for name, fact in zip(wanted, facts, strict=True))


def wanted_games(folder: Path, **wanted: str | None) -> list[ListedGame]:
    """The games of a `GameFilter`; an agent may be given by a part of its name, as long as it is the only one."""
    plan = load_plan(folder)
    agents = {"evader": plan.evaders, "pursuers": plan.pursuers}
    everybody = tuple(dict.fromkeys((*plan.evaders, *plan.pursuers)))
    meant = {
        key: None if text is None else meant_agent(text, agents.get(key, everybody)) for key, text in wanted.items()
    }
    chosen = GameFilter(**meant)
    return [game for game in games_of(folder) if chosen.takes(game)]


def meant_agent(text: str, agents: Iterable[str], kind: str = "agent of this run") -> str:
    """An agent by its name, or by a part that no other one has."""
    names = list(agents)
    if text in names:
        return text
    found = [name for name in names if text.lower() in name.lower()]
    if len(found) > 1:
        raise BadConfig(f"{text!r} could be {' or '.join(found)}; give more of the name")
    if not found:
        raise BadConfig(unknown(kind, text, names))
    return found[0]


def first_of_each_cell(games: Sequence[ListedGame], most: int) -> list[ListedGame]:
    """So many of each match-up, those that have a record."""
    seen: dict[int, int] = {}
    chosen = []
    for game in games:
        if game.record is not None and seen.get(game.match.cell, 0) < most:
            seen[game.match.cell] = seen.get(game.match.cell, 0) + 1
            chosen.append(game)
    return chosen
