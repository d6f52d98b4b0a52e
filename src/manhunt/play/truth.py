"""The truth as a view: what a seat sees when nothing is secret any more."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from manhunt.games.base import AnyGame, View
from manhunt.ids import Seat


def truth_for(game: AnyGame, state: Any, seat: Seat) -> View:
    """What the evader knows, and where that is nothing, what the pursuers know; without the moves on offer."""
    view, other = game.view(state, Seat.EVADER), game.view(state, Seat.PURSUERS)
    unseen = {field.name: getattr(other, field.name) for field in fields(view) if getattr(view, field.name) is None}
    truth: View = replace(view, **{**unseen, "seat": seat, "legal": ()})
    return truth
