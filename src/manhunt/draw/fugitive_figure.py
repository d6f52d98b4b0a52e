"""The pictures of Fugitive in matplotlib: the drawing of `draw.fugitive`, painted element by element.

That drawing is made of a few kinds of elements (groups that are shifted, boxes with round corners, straight lines and
text), so that a film needs no program that draws SVG.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.etree import ElementTree

from manhunt.draw.figure import Told, need, nobody, save_gif
from manhunt.draw.fugitive import draw_view
from manhunt.draw.look import theme_of
from manhunt.games.base import View

if TYPE_CHECKING:
    from PIL.Image import Image

DOTS_PER_INCH = 100
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ANCHORS = {"middle": "center", "end": "right"}


def film_of_views(views: Sequence[View], out: BinaryIO, theme: str = "light", told: Told = nobody) -> None:
    """A GIF of the table at each of these moments."""
    drawings = [_parsed(view, theme) for view in views]
    width = max(_size(each)[0] for each in drawings)
    height = max(_size(each)[1] for each in drawings)
    pictures = (_painted(each, width, height, theme_of(theme).paper) for each in drawings)
    save_gif(pictures, len(drawings), out, told)


def _parsed(view: Any, theme: str) -> ElementTree.Element:
    return ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", draw_view(view, theme=theme)))


def _size(drawing: ElementTree.Element) -> tuple[float, float]:
    return float(drawing.get("width", "0")), float(drawing.get("height", "0"))


def _painted(drawing: ElementTree.Element, width: float, height: float, paper: str) -> Image:
    inches = (width / DOTS_PER_INCH, height / DOTS_PER_INCH)
    figure = need("matplotlib.figure").Figure(figsize=inches, dpi=DOTS_PER_INCH, facecolor=paper)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_autoscale_on(False)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    for i, (element, x, y, given) in enumerate(_leaves(drawing, 0.0, 0.0, {})):
        _PAINTERS[element.tag](axes, element, x, y, given, i)
    canvas = need("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    canvas.draw()
    picture: Image = need("PIL.Image").fromarray(need("numpy").asarray(canvas.buffer_rgba()).copy()).convert("RGB")
    return picture


def _leaves(
    group: ElementTree.Element, x: float, y: float, given: dict[str, str]
) -> Iterator[tuple[ElementTree.Element, float, float, dict[str, str]]]:
    """What is to be painted, with where its group lies and what the groups around it say."""
    shift = [float(n) for n in _NUMBER.findall(group.get("transform", ""))] or [0.0, 0.0]
    x, y, given = x + shift[0], y + shift[1], {**given, **group.attrib}
    for child in group:
        if child.tag == "g":
            yield from _leaves(child, x, y, given)
        elif child.tag in _PAINTERS:
            yield child, x, y, {**given, **child.attrib}


def _stroke(given: dict[str, str]) -> dict[str, Any]:
    width = float(given.get("stroke-width", "1")) * 72 / DOTS_PER_INCH
    dashes = tuple(float(n) for n in given.get("stroke-dasharray", "").split())
    return {"linewidth": width if "stroke" in given else 0.0, "linestyle": (0, dashes) if dashes else "solid"}


def _paint_box(axes: Any, box: ElementTree.Element, x: float, y: float, given: dict[str, str], z: int) -> None:
    width, height = float(box.get("width", "0")), float(box.get("height", "0"))
    corner = min(float(box.get("rx", "0")), width / 2, height / 2)
    left, top = x + float(box.get("x", "0")), y + float(box.get("y", "0"))
    patch = need("matplotlib.patches").FancyBboxPatch(
        (left, top),
        width,
        height,
        boxstyle=f"round,pad=0,rounding_size={corner}",
        facecolor=given.get("fill", "none"),
        edgecolor=given.get("stroke", "none"),
        alpha=float(given.get("opacity", "1")),
        zorder=z,
        **_stroke(given),
    )
    axes.add_artist(patch)


def _paint_text(axes: Any, text: ElementTree.Element, x: float, y: float, given: dict[str, str], z: int) -> None:
    size = float(given.get("font-size", "13"))
    left, base = x + float(text.get("x", "0")), y + float(text.get("y", "0"))
    axes.text(
        left,
        base,
        "".join(text.itertext()).replace("$", r"\$"),
        fontsize=0.94 * size * 72 / DOTS_PER_INCH,
        ha=_ANCHORS.get(given.get("text-anchor", ""), "left"),
        va="baseline",
        color=given.get("fill", "black"),
        alpha=float(given.get("opacity", "1")),
        weight="bold" if int(given.get("font-weight", "400")) >= 600 else "normal",
        zorder=z,
    )
    if given.get("text-decoration") == "line-through":
        half = 0.3 * size * len("".join(text.itertext()))
        axes.plot([left - half, left + half], [base - 0.32 * size] * 2, color=given.get("fill"), lw=1, zorder=z)


def _paint_line(axes: Any, line: ElementTree.Element, x: float, y: float, given: dict[str, str], z: int) -> None:
    """From a point (M) to the right (h): all the lines there are."""
    left, top, length = (float(n) for n in _NUMBER.findall(line.get("d", "")))
    ends = [x + left, x + left + length]
    axes.plot(ends, [y + top] * 2, color=given.get("stroke", "none"), zorder=z, **_stroke(given))


_PAINTERS = {"rect": _paint_box, "text": _paint_text, "path": _paint_line}
