"""What is kept of one game: its result, and apart from it (because no two runs agree) how long it took."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from manhunt.arena.schedule import Match
from manhunt.errors import BadText, in_words
from manhunt.games.outcome import Outcome, parse_outcome
from manhunt.ids import PLAYERS, Seat

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that should not happen. `seat` is None when a worker died and nobody can be blamed."""

    seat: Seat | None
    why: str
    detail: str = ""
    ply: int | None = None
    policy: str = ""
    """What the match made of it: forfeit, pass, random."""
    stderr: str = ""
    """The end of what the bot wrote there."""

    def to_json(self) -> dict[str, Any]:
        detail = _ADDRESS.sub("0x", " ".join(self.detail.split()))[:300]  # the same text in every process
        more = {key: value for key in ("ply", "policy", "stderr") if (value := getattr(self, key)) not in (None, "")}
        return {"seat": self.seat.value if self.seat else None, "why": self.why, "detail": detail, **more}


@dataclass(frozen=True, slots=True)
class Result:
    """How match `number` ended; no outcome means that it could not be played."""

    number: int
    outcome: Outcome | None
    rounds: int
    plies: int
    fault: Fault | None = None

    def line(self, match: Match) -> str:
        """One line of results.jsonl; the same in every run of the same plan."""
        outcome = _quoted(str(self.outcome)) if self.outcome else "null"
        fault = f', "fault": {json.dumps(self.fault.to_json(), ensure_ascii=False)}' if self.fault else ""
        return (
            f'{{"n": {self.number}, "game": {match.game}, "evader": {_quoted(match.evader)}, '
            f'"pursuers": {_quoted(match.pursuers)}, "seed": {match.seed}, "outcome": {outcome}, '
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
        row = json.loads(line)
        outcome = parse_outcome(row["outcome"]) if row["outcome"] else None
        said = row.get("fault")
        fault = Fault(Seat(said["seat"]) if said["seat"] else None, said["why"], said["detail"]) if said else None
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

    def add(self, other: Thinking) -> None:
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

    def line(self) -> str:
        row: dict[str, Any] = {"n": self.number}
        for seat in PLAYERS:
            spent = self.of(seat)
            row[seat.value] = [spent.decisions, round(spent.seconds, 6), round(spent.longest, 6)]
        return json.dumps(row) + "\n"


def parse_times(line: str) -> Times | None:
    """The inverse of `Times.line`; None where it is none, because times are only of interest, not of weight."""
    try:
        row = json.loads(line)
        return Times(int(row["n"]), Thinking(*row["evader"]), Thinking(*row["pursuers"]))
    except (ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class Played:
    """What a worker hands back."""

    result: Result
    times: Times | None = None
    record: str | None = None
    faults: tuple[Fault, ...] = ()
    """All of the game in their order, where the match allows more than one; the last may be the one that ended it."""
