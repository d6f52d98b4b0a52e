"""Taking a turn back: how often, and who has to agree; how far: `play.reopening`."""

from __future__ import annotations

from collections.abc import Mapping
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
