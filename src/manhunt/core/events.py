"""Numbered events, and the one place where they are made unreadable for those who may not know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from manhunt.core.ids import EVERYBODY, Seat


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, and the seats that may read it.

    An event has the same number for everybody. A seat outside the audience gets only the number, so that everybody can
    resume and notice gaps. The body holds labels and other JSON values, never node indices.
    """

    kind: str
    body: Mapping[str, Any] = field(default_factory=dict)
    audience: frozenset[Seat] = EVERYBODY
    version: int = 0

    def seen_by(self, seat: Seat) -> dict[str, Any]:
        """The event as a seat reads it: its number alone for a seat outside the audience."""
        if seat not in self.audience:
            return {"v": self.version}
        return {"v": self.version, "t": self.kind, **self.body}


def number_events(events: Iterable[Event], first: int) -> tuple[Event, ...]:
    """The same events with the versions first, first + 1, ..."""
    return tuple(replace(event, version=first + i) for i, event in enumerate(events))
