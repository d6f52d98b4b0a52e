"""What pages show alike in several games: title, turn and outcome; the pieces of a hunt on a board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from manhunt.draw.look import pursuer_look
from manhunt.games.base import View
from manhunt.games.outcome import Outcome
from manhunt.games.pursuit.views import View as PursuitView
from manhunt.games.scotland_yard.views import View as ScotlandYardView


def head(view: View, round: int, title: str, ending: Callable[[Outcome], str]) -> dict[str, Any]:
    """What every scene begins with; `ending` puts the outcome into words."""
    end = view.outcome
    return {
        "title": title,
        "round": round,
        "turn": None if view.to_act is None else view.to_act.value,
        "outcome": end and {"winner": end.winner.value, "how": end.termination.value, "words": ending(end)},
    }


def marks(view: PursuitView | ScotlandYardView, pursuers: list[dict[str, Any]]) -> dict[str, Any]:
    """The pieces, with the quarry where the seat sees it, else where it was seen last."""
    label = view.config.board.label
    seen = [] if view.quarry is None else [quarry(label(view.quarry))]
    last_seen = None
    if view.quarry is None and view.sighting is not None:
        last_seen = {"at": label(view.sighting.node), "words": f"round {view.sighting.round}"}
    return {"pieces": [*seen, *pursuers], "lastSeen": last_seen, "candidates": [], "arrows": [], "danger": []}


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
