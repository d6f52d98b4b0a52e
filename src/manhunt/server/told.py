"""Events in words, for the seat that may read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

_REFEREE = ("fault", "forfeit", "end", "pass by rule", "stand-in")
"""Events of the referee, which every game has."""


def told_of(game: str, events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The events that a seat may read in a few words each, as far as there is something to say."""
    tell = import_module(f"manhunt.games.{game}.words").tell
    told = [_referee(event) if event["t"] in _REFEREE else tell(event) for event in events]
    return [words for words in told if words]


def _referee(event: Mapping[str, Any]) -> str | None:
    if event["t"] == "forfeit":
        return f"{event['seat']} lost by forfeit: {event['why']}"
    if event["t"] == "pass by rule":
        return f"{event['seat']} passes: {event['why']}"
    return str(event["detail"]) if event["t"] == "fault" else None
