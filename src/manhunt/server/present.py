"""Words and scenes for a seat, made from what that seat knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from manhunt.games.base import View
from manhunt.games.registry import make_game

MOST_OFFERS = 20_000


def scene_of(view: View) -> dict[str, Any]:
    found = _made("scene_of", view)
    if found is not None:
        return dict(found)
    title = make_game(view.game).title
    outcome = view.outcome and {"winner": view.outcome.winner.value, "words": str(view.outcome)}
    return {"title": title, "turn": view.to_act and view.to_act.value, "outcome": outcome}


def offers_of(view: View) -> list[dict[str, Any]]:
    found = _made("offers_of", view)
    if found is not None:
        return list(found)
    game = make_game(view.game)
    notations = [game.format_action(view.config, action) for action in view.legal[:MOST_OFFERS]]
    return [{"action": text, "words": text, "picks": []} for text in notations]


def told_of(game: str, events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The events in a few words each, as far as there is something to say."""
    name = f"manhunt.games.{game}.words"
    tell = import_module(name).tell if find_spec(name) else lambda event: None
    told = [_referee(event) or (None if event["t"] in _REFEREE else tell(event)) for event in events]
    return [words for words in told if words]


_REFEREE = ("fault", "forfeit", "end", "pass by rule", "stand-in")
"""Events of the referee, which every game has."""


def _referee(event: Mapping[str, Any]) -> str | None:
    if event["t"] == "forfeit":
        return f"{event['seat']} lost by forfeit: {event['why']}"
    if event["t"] == "pass by rule":
        return f"{event['seat']} passes: {event['why']}"
    return str(event["detail"]) if event["t"] == "fault" else None


def _made(name: str, view: View) -> Any:
    try:
        module = import_module("manhunt.server.scenes")
        return getattr(module, name)(view)
    except (ImportError, AttributeError, KeyError):
        return None
