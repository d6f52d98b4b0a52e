"""docs/reference/encoders.md from the encoders themselves; run this file to write it anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from manhunt.core.encoding import BoardEncoder, Encoder, Plane
from manhunt.core.registry import BUILT_IN, kit_of

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "encoders.md"
TABLE = "| planes | entries | meaning |\n|---|---|---|\n"
HEAD = (
    "# Encoders: numbers for actions, vectors for views\n\n"
    "An encoder (`manhunt.core.encoding.Encoder`) is made for one config. An action has the same number in every "
    "position of that config. A view becomes a flat `float32` vector with entries from 0 to 1; its slices are called "
    "planes. `encoder.planes` has them with `name`, `start`, `length` and `meaning`. "
    "[Environments](../how-to/environments.md) shows how to use all this.\n\n"
    "The tables below are for the first preset of each game; sizes follow the board and the options of yours. This "
    "page is written by `python tests/support/encoder_page.py`, and a test compares it with the code.\n\n"
    f"## All games\n\n{TABLE}"
)
DEFAULT = "Games on a board without an encoder of their own have these and Pursuit's, but for `waiting` and `placing`."
SHARED = "With `belief=True` these follow at the end of the vector (counted from there), from what everybody saw:"
LIKE_THIS = {"pursuit": {"visibility": "rounds", "reveal_rounds": [3, 8, 13]}}
"""Options that show planes which the preset alone does not have."""


def page() -> str:
    common = kit_of(BUILT_IN[0]).encoder(kit_of(BUILT_IN[0]).game.make_config()).planes[:2]
    parts = [HEAD + "".join(_row(plane) for plane in common)]
    parts.append(f"\n{DEFAULT} {_numbering(BoardEncoder)}\n")
    parts += [_section(name) for name in BUILT_IN]
    return "".join(parts)


def _section(name: str) -> str:
    kit = kit_of(name)
    config = kit.game.make_config(**LIKE_THIS.get(name, {}))
    encoder = kit.encoder(config)
    size = f"{encoder.n_actions:,} actions, {encoder.observation_size:,} entries"
    about = ", ".join(filter(None, (kit.game.describe_config(config), f"preset {kit.game.presets[0]}")))
    rows = "".join(_row(plane) for plane in encoder.planes[2:])
    shared = "".join(_row(plane) for plane in encoder.shared_planes)
    text = f"\n## {kit.title}\n\n{_capital(_unique(about))}: {size}. {_numbering(type(encoder))}\n\n"
    text += TABLE + rows
    if shared:
        text += f"\n{SHARED}\n\n{TABLE}{shared}"
    return text


def _unique(about: str) -> str:
    return ", ".join(dict.fromkeys(about.split(", ")))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _numbering(kind: type[Encoder] | Any) -> str:
    """What the class says about its numbers."""
    return " ".join((kind.__doc__ or "").split())


def _row(plane: Plane) -> str:
    last = plane.start + plane.length - 1
    where = str(plane.start) if plane.length == 1 else f"{plane.start}-{last}"
    return f"| `{plane.name}` | {where} | {plane.meaning} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
