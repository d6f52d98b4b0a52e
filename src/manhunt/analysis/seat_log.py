"""What one seat has been told so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from manhunt.core.game import View
from manhunt.core.ids import Seat
from manhunt.play.position import Position


@dataclass(frozen=True)
class SeatLog:
    """Everything that one seat has received so far; whatever is made for the seat uses only this."""

    game: str
    seat: Seat
    opening: View
    """Its first view."""
    events: tuple[dict[str, Any], ...]
    """All events so far; a hidden one is only its number."""
    view: View
    """What it knows now."""

    @classmethod
    def of(cls, position: Position, seat: Seat) -> Self:
        """What the seat had received up to this position."""
        return cls(position.game.name, seat, position.at(0).view(seat), position.events(seat), position.view(seat))
