"""Draw what a seat sees: scenes as SVG, PNG and GIF."""

from typing import TYPE_CHECKING

from manhunt.core.lazy import lazy_names

if TYPE_CHECKING:
    from manhunt.draw.look import PieceLook, pursuer_look
    from manhunt.draw.pictures import save_scenes
    from manhunt.draw.scenes import draw_view, scene_of
    from manhunt.draw.svg import draw_board, draw_scene

_HOME = {
    "PieceLook": "manhunt.draw.look",
    "draw_board": "manhunt.draw.svg",
    "draw_scene": "manhunt.draw.svg",
    "draw_view": "manhunt.draw.scenes",
    "pursuer_look": "manhunt.draw.look",
    "save_scenes": "manhunt.draw.pictures",
    "scene_of": "manhunt.draw.scenes",
}
__all__ = [
    "PieceLook", "draw_board", "draw_scene", "draw_view", "pursuer_look", "save_scenes", "scene_of",
]  # fmt: skip
__getattr__, __dir__ = lazy_names(__name__, _HOME)
