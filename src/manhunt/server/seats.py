"""What a seat knows, and the secret that a seat is held by."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manhunt.games.base import View
from manhunt.ids import Seat


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


def new_token() -> str:
    return secrets.token_urlsafe(24)


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def seat_of(token: str | None, hashes: Mapping[Seat, str]) -> Seat | None:
    """The seat that a token holds; spectators have none, None is a wrong one."""
    if token is None:
        return Seat.SPECTATOR
    shown = hash_of(token)
    found = [seat for seat, kept in hashes.items() if hmac.compare_digest(kept, shown)]
    return found[0] if found else None
