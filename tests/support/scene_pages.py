"""What a page gets of a view: the scene and its offers as JSON."""

from __future__ import annotations

from typing import Any

from manhunt.draw.scene_json import offers_json, scene_json
from manhunt.draw.scenes import scene_of


def page_scene(view: Any) -> dict[str, Any]:
    return scene_json(scene_of(view))


def page_offers(view: Any) -> list[dict[str, Any]]:
    return offers_json(scene_of(view))
