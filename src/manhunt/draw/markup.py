"""Small pieces of SVG text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr


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
