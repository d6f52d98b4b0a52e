"""Scenes as PNG and GIF: our own SVG, turned into pixels by resvg; Pillow puts films together.

Both are optional dependencies and are imported when a picture is made.
"""

from __future__ import annotations

import atexit
import io
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, BinaryIO

from manhunt.core.errors import ManhuntError, MissingExtra
from manhunt.core.files import check_writable, write_atomically
from manhunt.core.scene import Scene
from manhunt.draw.lines import build_frame
from manhunt.draw.look import FONT, Theme, theme_of
from manhunt.draw.svg import WIDTH, DrawnPart, draw_scene, scene_document

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = (".gif", ".png", ".svg")
FRAME_SECONDS = 0.7
LAST_FRAME_SECONDS = 2.5
COLOURS = 255
SYSTEM_FONTS = "'Noto Sans', 'DejaVu Sans', 'Liberation Sans'"
"""What Linux has for a sans-serif font; resvg finds fonts by their names alone."""
Report = Callable[[int, int, str], object]


def report_nothing(done: int, total: int, words: str) -> None:
    """Whoever wants to know how far a film is gives another one."""


def need(module: str) -> Any:
    """A module of the extra `pictures`, or the line that says how to get it."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise MissingExtra(f"{name} is not installed; it makes pictures: pip install manhunt[pictures]") from None


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


def save_film(scenes: Sequence[Scene], out: BinaryIO, theme: str = "light", report: Report = report_nothing) -> None:
    """A GIF of all scenes of one game; `report` hears how many are done. All frames get the size of the tallest."""
    images, paper = need("PIL.Image"), theme_of(theme).paper
    ground, drawings = _drawings(scenes, theme_of(theme))
    bare: Image = images.new("RGBA", max(map(_size_of, drawings)), paper)
    if ground is not None:
        bare.alpha_composite(_image(ground))

    def frame(svg: str) -> Image:
        whole = bare.copy()
        whole.alpha_composite(_image(svg))
        return whole.convert("RGB")

    # One palette for all frames, from the first and the last: what does not change then takes no room in the file.
    ends = images.new("RGB", (bare.width, 2 * bare.height))
    ends.paste(frame(drawings[0]))
    ends.paste(frame(drawings[-1]), (0, bare.height))
    palette = ends.quantize(COLOURS, images.Quantize.FASTOCTREE)
    frames = []
    for i, svg in enumerate(drawings, 1):
        frames.append(frame(svg).quantize(palette=palette, dither=images.Dither.NONE))
        report(i, len(drawings), f"picture {i} of {len(drawings)}")
    pauses = [int(1000 * FRAME_SECONDS)] * (len(frames) - 1) + [int(1000 * LAST_FRAME_SECONDS)]
    frames[0].save(out, format="GIF", save_all=True, append_images=frames[1:], duration=pauses, loop=0)


def _drawings(scenes: Sequence[Scene], theme: Theme) -> tuple[str | None, list[str]]:
    """The board, and what lies upon it in each scene; whole drawings where something lies under its nodes."""
    board = scenes[0].board
    if board is None or any(scene.belief or scene.candidates or scene.danger for scene in scenes):
        return None, [draw_scene(scene, theme=theme.name) for scene in scenes]
    frame = build_frame(board, WIDTH)
    bare = scene_document(Scene(scenes[0].title, board=board), theme, frame, parts={DrawnPart.GROUND})
    return bare, [scene_document(scene, theme, frame, parts={DrawnPart.MARKS}) for scene in scenes]


def _image(svg: str) -> Image:
    made: Image = need("PIL.Image").open(io.BytesIO(png_of(svg)))
    return made


def _size_of(svg: str) -> tuple[int, int]:
    width, height = svg.partition('viewBox="0 0 ')[2].partition('"')[0].split()
    return round(float(width)), round(float(height))
