"""Taking a turn back: how far, how often, and who has to agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from manhunt.core.ids import PLAYERS, Seat


@dataclass
class TakenBack:
    """How often each side took something back in this game, and when it was last done."""

    counts: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(PLAYERS, 0))
    at: float = 0.0
    """Seconds since 1970."""

    @property
    def n(self) -> int:
        return sum(self.counts.values())

    def one_more(self, seat: Seat, at: float) -> TakenBack:
        return TakenBack({**self.counts, seat: self.counts[seat] + 1}, at)

    def to_json(self) -> dict[str, Any]:
        return {**{seat.value: n for seat, n in self.counts.items()}, "at": self.at}

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Self:
        if data is None:
            return cls()
        return cls({seat: data[seat.value] for seat in PLAYERS}, data["at"])


@dataclass(frozen=True)
class Request:
    """Somebody who asks the other side to agree."""

    seat: Seat
    person: int | None


def plies_before(seat: Seat, movers: Sequence[Seat], is_persons: Callable[[int], bool]) -> int | None:
    """How many plies stay when this seat takes back the last turn in which its people moved; None if there is none.

    `movers` has the seat that made each ply; `is_persons` tells whether a person made it.
    """
    last = next((i for i in reversed(range(len(movers))) if movers[i] is seat and is_persons(i)), None)
    if last is None:
        return None
    first = last
    while first > 0 and movers[first - 1] is seat:
        first -= 1
    return next(i for i in range(first, last + 1) if is_persons(i))
