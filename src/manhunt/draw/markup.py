"""Small pieces of SVG text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from manhunt.draw.look import FONT, Theme

SVG_NAMES = "http://www.w3.org/2000/svg"
SIDE = 24.0
"""The margin of documents, left and right."""


def tag(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    """An element; `stroke_width=2` is stroke-width="2", `class_` is class, None leaves an attribute out."""
    head = name + "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(value if isinstance(value, str) else num(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{head}>{content}</{name}>" if content else f"<{head}/>"


def group(rows: Sequence[str], **attributes: str | float | None) -> str:
    """A <g> with one row a line; nothing without rows."""
    return tag("g", "\n" + "\n".join(rows) + "\n", **attributes) if rows else ""


def document(
    parts: Sequence[str],
    title: str,
    theme: Theme,
    size: tuple[float, float],
    class_: str,
    *,
    has_paper: bool = True,
    **attributes: str | float | None,
) -> str:
    """A whole drawing on the theme's paper; it shrinks with the page that it is on.

    Drawings in the colours of our pages have no style of their own: the pages' policy forbids style attributes.
    """
    width, height = size
    paper = tag("rect", class_="paper", width=width, height=height, rx=10, fill=theme.paper)
    rows = [tag("title", words(title)), *([paper] if has_paper else []), *(part for part in parts if part)]
    drawn = tag(
        "svg",
        "\n" + "\n".join(rows) + "\n",
        xmlns=SVG_NAMES,
        class_=f"{class_} {theme.name}",
        role="img",
        viewBox=f"0 0 {num(width)} {num(height)}",
        width=width,
        height=height,
        style=None if theme.name == "page" else "max-width:100%;height:auto;font-variant-numeric:tabular-nums",
        font_family=FONT,
        **attributes,
    )
    return drawn + "\n"


def heading(title: str, theme: Theme) -> str:
    return tag("text", words(title), class_="title", x=SIDE, y=34, font_size=18, font_weight=600, fill=theme.ink)


def num(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def pair(point: tuple[float, float]) -> str:
    return f"{num(point[0])} {num(point[1])}"


def at(point: tuple[float, float]) -> str:
    return f"translate({pair(point)})"


def words(text: str) -> str:
    """Text for an XML element: escaped, control signs as spaces."""
    return escape(printable(text))


def printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


def arc(radius: float, start: float, end: float) -> str:
    """A part of a circle; 0 is the top, clockwise, 1 is once around."""
    x1, y1 = radius * math.sin(math.tau * start), -radius * math.cos(math.tau * start)
    x2, y2 = radius * math.sin(math.tau * end), -radius * math.cos(math.tau * end)
    large = 1 if end - start > 0.5 else 0
    return f"M{x1:.2f} {y1:.2f}A{num(radius)} {num(radius)} 0 {large} 1 {x2:.2f} {y2:.2f}"
