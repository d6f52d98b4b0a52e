"""One moment of a game as it should be seen; every way of drawing (SVG, figure, terminal) starts from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from manhunt.boards.board import Board
from manhunt.draw.overlay import Overlay
from manhunt.errors import ManhuntError, unknown
from manhunt.games.base import View
from manhunt.games.outcome import Outcome, Termination
from manhunt.ids import Node, Side

_HOME = {
    "pursuit": "manhunt.draw.pursuit",
    "scotland_yard": "manhunt.draw.scotland_yard",
    "shortest_path": "manhunt.draw.shortest_path",
}


@dataclass(frozen=True)
class Scene:
    """A board with marks, and the line above it."""

    board: Board
    marks: Overlay
    title: str


SceneMaker = Callable[[View, tuple[Node, ...]], Scene]
"""The scene of a view after some nodes were picked towards one action."""
PickMaker = Callable[[View, Any], tuple[Node, ...]]
"""The nodes to pick, one after the other, that mean an action."""


def scene_of(view: View, picked: tuple[Node, ...] = ()) -> Scene:
    make: SceneMaker = _module(view.game).scene_of
    return make(view, picked)


def picks_of(view: View, action: Any) -> tuple[Node, ...]:
    make: PickMaker = _module(view.game).picks_of
    return make(view, action)


def ending_of(outcome: Outcome, survived: str) -> str:
    """How a hunt for Mr X ended; `survived` says what it means that the rounds are over."""
    how = {
        Termination.CAPTURE: "Mr X is caught",
        Termination.STRANDED: "Mr X cannot move",
        Termination.EXHAUSTED: "no detective can move",
        Termination.SURVIVAL: survived,
        Termination.FORFEIT: "the other side gave up or failed",
    }
    who = "Mr X wins" if outcome.winner is Side.EVADER else "the detectives win"
    return f"{who} ({how.get(outcome.termination, outcome.termination.value)})"


def _module(game: str) -> Any:
    if game not in _HOME:
        raise ManhuntError(unknown("drawing of the game", game, _HOME))
    return import_module(_HOME[game])
