"""Scenes as PNG and GIF: our own SVG, turned into pixels by resvg; `draw.film` puts films together.

Both are optional dependencies and are imported when a picture is made.
"""

from __future__ import annotations

import atexit
import io
import os
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from manhunt.core.errors import ManhuntError, missing_extra
from manhunt.core.files import check_writable, write_atomically
from manhunt.core.scene import Scene
from manhunt.draw.look import FONT, theme_of
from manhunt.draw.svg import draw_scene

FORMATS = (".gif", ".png", ".svg")
SYSTEM_FONTS = "'Noto Sans', 'DejaVu Sans', 'Liberation Sans'"
"""What Linux has for a sans-serif font; resvg finds fonts by their names alone."""


def need(module: str) -> Any:
    """A module of the extra `pictures`, or the line that says how to get it."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise missing_extra(f"{name} is not installed; it makes pictures", "pictures") from None


def check_format(path: Path, formats: Sequence[str] = FORMATS) -> None:
    """Refuse a file that could not be written, before a game is played for it."""
    if path.suffix.lower() not in formats:
        raise ManhuntError(f"cannot save a picture as {path.name!r}; the name must end in {' or '.join(formats)}")
    check_writable(path)
    if path.suffix.lower() != ".svg":
        need("resvg_py")
        need("PIL")


def save_scenes(scenes: Sequence[Scene], path: Path, theme: str = "light") -> None:
    """A GIF of all scenes, or a PNG or SVG of the last one."""
    check_format(path)
    kind = path.suffix.lower()
    if kind == ".svg":
        write_atomically(path, draw_scene(scenes[-1], theme=theme))
    elif kind == ".png":
        write_atomically(path, png_of(draw_scene(scenes[-1], theme=theme), theme_of(theme).paper))
    else:
        from manhunt.draw.film import save_film

        buffer = io.BytesIO()
        save_film(scenes, buffer, theme)
        write_atomically(path, buffer.getvalue())


def png_of(svg: str, paper: str | None = None, *, system_fonts: bool = True) -> bytes:
    """An SVG document as PNG; without paper what is not drawn upon stays clear."""
    made: bytes = need("resvg_py").svg_to_bytes(
        svg_string=svg.replace(FONT, f"{FONT.removesuffix(', sans-serif')}, {SYSTEM_FONTS}, sans-serif"),
        background=paper,
        skip_system_fonts=not system_fonts,
        font_files=[_spare_font()[0]],
        sans_serif_family=_spare_font()[1],
        serif_family=_spare_font()[1],
    )
    return bytes(made)


@lru_cache(maxsize=1)
def _spare_font() -> tuple[str, str]:
    """The file and the family of the font that Pillow brings, for machines that have none."""
    font = need("PIL.ImageFont").load_default(12)
    handle, name = mkstemp(suffix=".ttf")
    with os.fdopen(handle, "wb") as file:
        file.write(font.font_bytes)
    atexit.register(Path(name).unlink, missing_ok=True)
    return name, font.getname()[0]
