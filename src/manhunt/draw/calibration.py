"""Whether probabilities hold what they say, as a plot: said against found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from manhunt.core.files import write_atomically
from manhunt.draw.look import LIGHT
from manhunt.draw.markup import document, group, num, tag, words
from manhunt.draw.pictures import check_format, png_of

FORMATS = (".png", ".svg")
Curve = Sequence[tuple[float, float, int]]
"""Points (said, found, how often)."""
LEAST, MOST = 0.002, 1.15
TICKS = (0.01, 0.03, 0.1, 0.3, 1.0)
SIZE, LEFT, TOP = 560.0, 70.0, 20.0
_COLOURS = ("#7D8693", "#D9A514", "#128A7E", "#B06AC4", "#C8365C")


def check_plot(path: Path) -> None:
    """Refuse a file that could not be written, before the work is done."""
    check_format(path, FORMATS)


def save_calibration(curves: Mapping[str, Curve], path: Path) -> None:
    svg = draw_calibration(curves)
    write_atomically(path, png_of(svg, LIGHT.paper) if path.suffix.lower() == ".png" else svg)


def draw_calibration(curves: Mapping[str, Curve]) -> str:
    """One line per model on logarithmic axes; larger dots stand for more nodes."""
    size = SIZE + LEFT + TOP, SIZE + TOP + 60
    bottom, middle = TOP + SIZE, LEFT + SIZE / 2
    sideways = f"rotate(-90 18 {num(TOP + SIZE / 2)})"
    names = [
        tag("text", "probability that the belief gives a node", x=middle, y=bottom + 46),
        tag("text", "share of times the quarry is there", x=18, y=TOP + SIZE / 2, transform=sideways),
    ]
    even = tag("path", d=_line([(LEAST, LEAST), (1, 1)]), stroke=LIGHT.quiet, stroke_dasharray="4 4")
    drawn = [_curve(i, name, curve) for i, (name, curve) in enumerate(curves.items())]
    parts = [group([*map(_tick, TICKS), even], fill="none"), group(names, text_anchor="middle", fill=LIGHT.ink), *drawn]
    return document(parts, "Calibration", LIGHT, size, "manhunt-plot", font_size=14)


def _tick(value: float) -> str:
    x, y = _point(value, value)
    cross = f"M{num(x)} {num(TOP)}V{num(TOP + SIZE)}M{num(LEFT)} {num(y)}H{num(LEFT + SIZE)}"
    across = tag("text", f"{value:g}", x=x, y=TOP + SIZE + 20, text_anchor="middle", fill=LIGHT.quiet)
    up = tag("text", f"{value:g}", x=LEFT - 8, y=y + 5, text_anchor="end", fill=LIGHT.quiet)
    return tag("path", d=cross, stroke=LIGHT.line) + across + up


def _curve(i: int, name: str, curve: Curve) -> str:
    """A model's line with its dots, and its name in the upper left corner."""
    colour = _COLOURS[i % len(_COLOURS)]
    shown = [(said, found, n) for said, found, n in curve if said >= LEAST and found >= LEAST]
    line = tag("path", d=_line([(said, found) for said, found, _ in shown]), fill="none", stroke=colour, stroke_width=2)
    dots = []
    for said, found, n in shown:
        x, y = _point(said, found)
        dots.append(tag("circle", cx=x, cy=y, r=2.5 + 1.2 * len(str(n)), fill=colour, stroke=LIGHT.paper))
    y = TOP + 22 + 22 * i
    sample = tag("path", d=f"M{num(LEFT + 12)} {num(y - 5)}h24", stroke=colour, stroke_width=3)
    return group([line, *dots, sample, tag("text", words(name), x=LEFT + 46, y=y, fill=LIGHT.ink)], class_="curve")


def _line(points: Sequence[tuple[float, float]]) -> str:
    places = [_point(*point) for point in points]
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in places) if places else ""


def _point(said: float, found: float) -> tuple[float, float]:
    across, up = (math.log(value / LEAST) / math.log(MOST / LEAST) for value in (said, found))
    return LEFT + SIZE * across, TOP + SIZE * (1 - up)
