"""What a page draws and offers: a seat's view as JSON with labels, made by the module of its game.

Each module has `scene(view)` and `offers(view)`. A view is all that they get, so a page can show no more than its
seat may know.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from manhunt.errors import ManhuntError, unknown
from manhunt.games.base import View

_HOME = {
    "fugitive": "manhunt.server.scenes.fugitive",
    "pursuit": "manhunt.server.scenes.pursuit",
    "scotland_yard": "manhunt.server.scenes.scotland_yard",
    "shortest_path": "manhunt.server.scenes.shortest_path",
}


def scene_of(view: View) -> dict[str, Any]:
    """Title, round, turn, outcome and marks, and what else this game shows."""
    made: dict[str, Any] = _module(view.game).scene(view)
    return made


def offers_of(view: View) -> list[dict[str, Any]]:
    """What the seat may do now; empty when another seat acts. Every legal action is reached by exactly one way."""
    made: list[dict[str, Any]] = _module(view.game).offers(view)
    return made


def load_all() -> None:
    """Import all modules, so that the first page need not wait for it."""
    for game in _HOME:
        _module(game)


def _module(game: str) -> Any:
    if game not in _HOME:
        raise ManhuntError(unknown("page of the game", game, _HOME))
    return import_module(_HOME[game])
