"""The scene of any view: made by the module of its game, or by `board_scene` for games on a board that bring none.

A view is all that they get, so nobody can be shown more than their seat may know.
"""

from __future__ import annotations

from typing import Any

from manhunt.core.errors import ManhuntError
from manhunt.core.game import View
from manhunt.core.kit import Kit
from manhunt.core.registry import kit_of, kits
from manhunt.core.scene import Scene
from manhunt.draw import board_scene
from manhunt.draw.svg import draw_scene


def scene_of(view: View) -> Scene:
    """What the seat of this view sees."""
    made: Scene = _module(view.game).scene(view)
    return made


def draw_view(view: View, *, theme: str = "light", width: int | None = None) -> str:
    """What the seat of this view sees, as SVG.

    >>> from manhunt import Seat, make_game
    >>> game = make_game("pursuit")
    >>> state = game.start(game.make_config(), {"mrx": "1", "detectives": ["5", "10"]})
    >>> draw_view(game.view(state, Seat.PURSUERS))[:4]
    '<svg'
    """
    return draw_scene(scene_of(view), theme=theme, width=width)


def has_scene(kit: Kit) -> bool:
    return kit.has("scene") or kit.game.capabilities.board


def kits_with_scene() -> tuple[Kit, ...]:
    return tuple(kit for kit in kits() if has_scene(kit))


def load_all() -> None:
    """Import all modules, so that the first page need not wait for it."""
    for kit in kits_with_scene():
        kit.part("scene")


def _module(game: str) -> Any:
    kit = kit_of(game)
    if not has_scene(kit):
        raise ManhuntError(f"{kit.title} cannot be shown: it is not played on a board and brings no scene")
    return kit.part("scene") or board_scene
