"""Events in words, for the seat that may read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from manhunt.games.registry import make_game
from manhunt.ids import Seat
from manhunt.server.rooms import GAVE_UP

_REFEREE = ("fault", "forfeit", "end", "pass by rule", "stand-in")
"""Events of the referee, which every game has."""


def told_of(game: str, events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The events that a seat may read in a few words each, as far as there is something to say."""
    tell = import_module(f"manhunt.games.{game}.words").tell
    told = [_referee(game, event) if event["t"] in _REFEREE else tell(event) for event in events]
    return [words for words in told if words]


def _referee(game: str, event: Mapping[str, Any]) -> str | None:
    if event["t"] == "forfeit":
        who = _name(game, event["seat"])
        return f"{who} resigned" if event["why"] == "resign" else f"{who} lost by forfeit: {event['why']}"
    if event["t"] == "pass by rule":
        return f"{_name(game, event['seat'])} must pass: {event['why']}"
    return str(event["detail"]) if event["t"] == "fault" and event["detail"] != GAVE_UP else None


def _name(game: str, seat: str) -> str:
    name = make_game(game).seat_names[Seat(seat)]
    return name if name == "Mr X" else f"the {name}"
