"""Pieces and outcomes as a page draws them, alike in all games on boards."""

from __future__ import annotations

from typing import Any

from manhunt.draw.look import pursuer_look
from manhunt.games.base import View
from manhunt.games.outcome import Outcome


def pursuer(index: int, at: str, name: str | None = None, letter: str | None = None) -> dict[str, Any]:
    look = pursuer_look(index)
    return {
        "id": f"pursuer-{index}",
        "at": at,
        "kind": "pursuer",
        "letter": letter or look.letter,
        "name": name or look.name,
        "colour": look.colour,
        "on": look.on_colour,
    }


def quarry(at: str, name: str = "Mr X", letter: str = "X") -> dict[str, Any]:
    """The hunted piece; its colours are the page's own."""
    colours = {"colour": "var(--ink)", "on": "var(--paper)"}
    return {"id": "quarry", "at": at, "kind": "quarry", "letter": letter, "name": name, **colours}


def outcome_of(outcome: Outcome | None, words: str) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {"winner": outcome.winner.value, "how": outcome.termination.value, "words": words}


def turn_of(view: View) -> str | None:
    return None if view.to_act is None else view.to_act.value
