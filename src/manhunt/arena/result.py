"""What is kept of one game: its result, and apart from it (because no two runs agree) how long it took."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from manhunt.arena.schedule import Match
from manhunt.core.errors import BadText, in_words
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import Outcome, parse_outcome
from manhunt.core.reading import parse_json
from manhunt.play.fault import Fault, fault_from_json


@dataclass(frozen=True, slots=True)
class Result:
    """How match `number` ended; without an outcome it could not be played."""

    number: int
    outcome: Outcome | None
    rounds: int
    plies: int
    fault: Fault | None = None

    def line(self, match: Match) -> str:
        """One line of results.jsonl; the same in every run of the same plan."""
        outcome = _quoted(str(self.outcome)) if self.outcome else "null"
        seed = match.seed if isinstance(match.seed, int) else "null"  # a secret stays where it is kept
        fault = f', "fault": {json.dumps(self.fault.to_json(), ensure_ascii=False)}' if self.fault else ""
        return (
            f'{{"n": {self.number}, "game": {match.game}, "evader": {_quoted(match.evader)}, '
            f'"pursuers": {_quoted(match.pursuers)}, "seed": {seed}, "outcome": {outcome}, '
            f'"rounds": {self.rounds}, "plies": {self.plies}{fault}}}\n'
        )


@lru_cache(maxsize=256)
def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def number_of(line: str) -> int:
    """The number of a result's line, which begins with it."""
    return int(line[len('{"n": ') : line.index(",")])


def parse_result(line: str, source: str) -> Result:
    """The inverse of `Result.line`."""
    try:
        row = parse_json(line, f"{source} is not a result")
        outcome = parse_outcome(row["outcome"]) if row["outcome"] else None
        fault = fault_from_json(row["fault"]) if row.get("fault") else None
        return Result(_whole(row, "n"), outcome, _whole(row, "rounds"), _whole(row, "plies"), fault)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadText(f"{source} is not a result: {in_words(error)}") from None


def _whole(row: dict[str, Any], key: str) -> int:
    value = row[key]
    if type(value) is not int:
        raise ValueError(f"{key!r} must be a whole number, not {value!r}")
    return value


@dataclass(slots=True)
class Thinking:
    """Time one agent took; observing counts as thinking."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, other: Self) -> None:
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)

    @property
    def mean_seconds(self) -> float | None:
        return self.seconds / self.decisions if self.decisions else None


@dataclass(frozen=True, slots=True)
class Times:
    """How long match `number` took, by seat."""

    number: int
    evader: Thinking
    pursuers: Thinking

    def of(self, seat: Seat) -> Thinking:
        return self.evader if seat is Seat.EVADER else self.pursuers

    def to_json(self) -> dict[str, Any]:
        """By seat: decisions, seconds in all, the longest."""
        both = {seat.value: self.of(seat) for seat in PLAYERS}
        return {name: [t.decisions, round(t.seconds, 6), round(t.longest, 6)] for name, t in both.items()}

    def line(self) -> str:
        return json.dumps({"n": self.number, **self.to_json()}) + "\n"


def parse_times(line: str) -> Times | None:
    """The inverse of `Times.line`; None where it is none, because times are only of interest, not of weight."""
    try:
        row = parse_json(line, "times")
        return Times(int(row["n"]), Thinking(*row["evader"]), Thinking(*row["pursuers"]))
    except (BadText, ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class Played:
    """What a worker returns for a game."""

    result: Result
    times: Times | None = None
    record: str | None = None
    faults: tuple[Fault, ...] = ()
    """All faults of the game in order, if the match allows more than one; the last one may have ended it."""
