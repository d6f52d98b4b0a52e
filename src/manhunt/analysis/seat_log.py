"""What one seat has been told so far."""

from dataclasses import dataclass
from typing import Any

from manhunt.core.game import View
from manhunt.core.ids import Seat


@dataclass(frozen=True)
class SeatLog:
    """All that one seat has been told so far; everything made for the seat is made from this alone."""

    game: str
    seat: Seat
    opening: View
    """Its first view."""
    events: tuple[dict[str, Any], ...]
    """All events so far; hidden ones are their numbers alone."""
    view: View
    """What it knows now."""
