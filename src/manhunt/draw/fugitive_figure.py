"""The pictures of Fugitive as pixels: the drawing of `draw.fugitive`, painted element by element.

That drawing is made of a few kinds of elements (groups that are shifted, boxes with round corners, straight lines and
text), so that a film needs no program that draws SVG.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.etree import ElementTree

from manhunt.draw.figure import Told, check_format, need, nobody, png_of, save_gif
from manhunt.draw.fugitive import Probabilities, draw_view
from manhunt.draw.look import theme_of
from manhunt.files import write_atomically
from manhunt.games.base import View

if TYPE_CHECKING:
    from PIL.Image import Image

SCALE = 2
"""Pixels are drawn so many times finer, then made smooth."""
FONT_SHARE = 0.88
"""Our letters are wider than those of most systems."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ANCHORS = {"middle": "ms", "end": "rs"}
Given = dict[str, str]
"""What an element and the groups around it say."""


def save_views(
    views: Sequence[View], path: Path, theme: str = "light", probabilities: Probabilities | None = None
) -> None:
    """A GIF of all moments, or a PNG or SVG of the last one, whose notepad is shaded by `probabilities`."""
    check_format(path)
    kind, last = path.suffix.lower(), views[-1]
    if kind == ".svg":
        write_atomically(path, draw_view(last, theme=theme, probabilities=probabilities))  # type: ignore[arg-type]
    elif kind == ".png":
        drawing = _parsed(last, theme, probabilities)
        write_atomically(path, png_of(_painted(drawing, _size(drawing), theme_of(theme).paper)))
    else:
        buffer = io.BytesIO()
        film_of_views(views, buffer, theme)
        write_atomically(path, buffer.getvalue())


def film_of_views(views: Sequence[View], out: BinaryIO, theme: str = "light", told: Told = nobody) -> None:
    """A GIF of the table at each of these moments."""
    drawings = [_parsed(view, theme) for view in views]
    size = max(_size(each)[0] for each in drawings), max(_size(each)[1] for each in drawings)
    pictures = (_painted(each, size, theme_of(theme).paper) for each in drawings)
    save_gif(pictures, len(drawings), out, told)


def _parsed(view: Any, theme: str, probabilities: Probabilities | None = None) -> ElementTree.Element:
    drawn = draw_view(view, theme=theme, probabilities=probabilities)
    return ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", drawn))


def _size(drawing: ElementTree.Element) -> tuple[int, int]:
    return int(float(drawing.get("width", "0"))), int(float(drawing.get("height", "0")))


def _painted(drawing: ElementTree.Element, size: tuple[int, int], paper: str) -> Image:
    image = need("PIL.Image")
    picture: Image = image.new("RGB", (SCALE * size[0], SCALE * size[1]), paper)
    brush = need("PIL.ImageDraw").Draw(picture, "RGBA")
    for element, x, y, given in _leaves(drawing, 0.0, 0.0, {}):
        _PAINTERS[element.tag](brush, element, x, y, given)
    return picture.resize(size, image.Resampling.LANCZOS)


def _leaves(
    group: ElementTree.Element, x: float, y: float, given: Given
) -> Iterator[tuple[ElementTree.Element, float, float, Given]]:
    """What is to be painted, with where its group lies and what the groups around it say."""
    shift = [float(n) for n in _NUMBER.findall(group.get("transform", ""))] or [0.0, 0.0]
    x, y, given = x + shift[0], y + shift[1], {**given, **group.attrib}
    for child in group:
        if child.tag == "g":
            yield from _leaves(child, x, y, given)
        elif child.tag in _PAINTERS:
            yield child, x, y, {**given, **child.attrib}


def _colour(given: Given, name: str) -> tuple[int, ...] | None:
    value = given.get(name, "none")
    if value == "none":
        return None
    red, green, blue = need("PIL.ImageColor").getrgb(value)[:3]
    return red, green, blue, round(255 * float(given.get("opacity", "1")))


def _paint_box(brush: Any, box: ElementTree.Element, x: float, y: float, given: Given) -> None:
    width, height = float(box.get("width", "0")), float(box.get("height", "0"))
    left, top = x + float(box.get("x", "0")), y + float(box.get("y", "0"))
    edges = [SCALE * n for n in (left, top, left + width, top + height)]
    corner = SCALE * min(float(box.get("rx", "0")), width / 2, height / 2)
    rim = _colour(given, "stroke") if "stroke" in box.attrib else None
    thick = max(1, round(SCALE * float(given.get("stroke-width", "1"))))
    brush.rounded_rectangle(edges, corner, _colour(given, "fill"), rim, thick if rim else 0)


def _paint_text(brush: Any, text: ElementTree.Element, x: float, y: float, given: Given) -> None:
    at = SCALE * (x + float(text.get("x", "0"))), SCALE * (y + float(text.get("y", "0")))
    size, words = float(given.get("font-size", "13")), "".join(text.itertext())
    font = _font(round(FONT_SHARE * SCALE * size), int(given.get("font-weight", "400")) >= 600)
    anchor = _ANCHORS.get(given.get("text-anchor", ""), "ls")
    brush.text(at, words, _colour(given, "fill"), font, anchor)
    if given.get("text-decoration") == "line-through":
        left, _, right, _ = brush.textbbox(at, words, font, anchor)
        height = at[1] - 0.32 * SCALE * size
        brush.line([left, height, right, height], _colour(given, "fill"), SCALE)


@lru_cache(maxsize=64)
def _font(size: int, bold: bool) -> Any:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    folder = Path(need("matplotlib").get_data_path()) / "fonts" / "ttf"
    return need("PIL.ImageFont").truetype(str(folder / name), size)


def _paint_line(brush: Any, line: ElementTree.Element, x: float, y: float, given: Given) -> None:
    """From a point (M) to the right (h): all the lines there are."""
    left, top, length = (float(n) for n in _NUMBER.findall(line.get("d", "")))
    ends = [SCALE * n for n in (x + left, y + top, x + left + length, y + top)]
    brush.line(ends, _colour(given, "stroke"), round(SCALE * float(given.get("stroke-width", "1"))))


_PAINTERS = {"rect": _paint_box, "text": _paint_text, "path": _paint_line}
