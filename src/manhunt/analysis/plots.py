"""Plots of an analysis as SVG, in the colours of our pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from manhunt.analysis.findings import SYMBOLS
from manhunt.analysis.report_words import is_never
from manhunt.draw.look import FONT
from manhunt.draw.markup import tag, words
from manhunt.draw.page_style import PAGE

WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 880.0, 240.0, 64.0, 16.0, 14.0, 34.0
COLOURS = {"evader": PAGE.belief, "pursuers": PAGE.bus}
Points = Sequence[tuple[float, float]]


class Plot:
    """One picture over the plies of a game: grid, curves with bands, marks."""

    def __init__(self, last: int, low: float, high: float, title: str) -> None:
        self.last, self.low, self.high, self.title = last, low, max(high, low + 1e-9), title
        self.rows: list[str] = []

    def x(self, ply: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ply / max(1, self.last)

    def y(self, value: float) -> float:
        share = (min(self.high, max(self.low, value)) - self.low) / (self.high - self.low)
        return TOP + (HEIGHT - TOP - FOOT) * (1 - share)

    def grid(self, ticks: Sequence[float], text: Callable[[float], str]) -> None:
        for value in ticks:
            y = self.y(value)
            self.rows.append(tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, stroke=PAGE.line))
            self.rows.append(self._text(text(value), LEFT - 10, y + 4, "end"))
        step = next(n for n in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 10**9) if self.last / n <= 12)
        for ply in range(0, self.last + 1, step):
            self.rows.append(self._text(str(ply), self.x(ply), HEIGHT - 16, "middle"))
        self.rows.append(self._text("ply", WIDTH - RIGHT, HEIGHT - 2, "end"))

    def _text(self, text: str, x: float, y: float, anchor: str) -> str:
        return tag("text", words(text), x=x, y=y, text_anchor=anchor, font_size=12, fill=PAGE.quiet)

    def curve(self, points: Points, colour: str, *, dashed: bool = False) -> None:
        path = "".join(f"{'L' if i else 'M'}{self.x(p):.1f} {self.y(v):.1f}" for i, (p, v) in enumerate(points))
        dash = "6 3" if dashed else None
        line = tag("path", d=path, fill="none", stroke=colour, stroke_width=2, stroke_dasharray=dash)
        self.rows.append(line if len(points) > 1 else "")
        if len(points) == 1:
            self.rows.append(tag("circle", cx=self.x(points[0][0]), cy=self.y(points[0][1]), r=3, fill=colour))

    def band(self, points: Sequence[tuple[float, float, float]], colour: str) -> None:
        there = [f"{self.x(ply):.1f} {self.y(high):.1f}" for ply, _, high in points]
        back = [f"{self.x(ply):.1f} {self.y(low):.1f}" for ply, low, _ in reversed(points)]
        self.rows.append(tag("path", d=f"M{'L'.join([*there, *back])}Z", fill=colour, opacity="0.14"))

    def mark(self, ply: float, value: float, sign: str, colour: str, hint: str) -> None:
        x, y = self.x(ply), max(self.y(value), TOP + 6)
        disc = tag("circle", cx=x, cy=y, r=9, fill=PAGE.surface, stroke=colour, stroke_width=2)
        look = {"text_anchor": "middle", "font_size": "11", "font_weight": "700", "fill": PAGE.ink}
        text = tag("text", words(sign), x=x, y=y + 4, **look)
        self.rows.append(tag("g", tag("title", words(hint)) + disc + text, class_="mark"))

    def drawing(self) -> str:
        inside = "\n".join([tag("title", words(self.title)), *filter(None, self.rows)])
        box = f"0 0 {WIDTH:g} {HEIGHT:g}"
        return tag("svg", inside, class_="plot", viewBox=box, role="img", font_family=FONT)


def value_plot(found: dict[str, Any]) -> str:
    """What the game was worth, with the marked moves on the curve of their seat."""
    axis = found["axis"]
    low, high, unit = axis["low"], axis["high"], axis["unit"]
    plot = Plot(found["plies"], low, high, axis["name"])
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0) if unit == "chance" else (low, (low + high) / 2, high)
    plot.grid(ticks, lambda value: _tick_text(axis, value))
    for curve in found["curves"]:
        colour = COLOURS.get(curve["seat"], PAGE.belief)
        plot.band([(ply, low, high) for ply, _, low, high in curve["points"]], colour)
        plot.curve([(p, v) for p, v, _, _ in curve["points"]], colour, dashed=curve["seat"] == "pursuers")
    for move in found["moves"]:
        if move["mark"]:
            colour = PAGE.offer if move["mark"] == "find" else PAGE.danger
            plot.mark(move["ply"], _at(found, move), SYMBOLS[move["mark"]], colour, move["words"])
    return plot.drawing()


def _tick_text(axis: dict[str, Any], value: float) -> str:
    if is_never(axis, value):
        return "never"
    return f"{100 * value:.0f} %" if axis["unit"] == "chance" else f"{value:.3g}"


def _at(found: dict[str, Any], move: dict[str, Any]) -> float:
    """Where the curve of the seat is at a move."""
    curve = next((c for c in found["curves"] if c["seat"] in (move["seat"], None)), found["curves"][0])
    known = [value for ply, value, *_ in curve["points"] if ply <= move["ply"]]
    return float(known[-1] if known else found["axis"]["high"])


def surprise_plot(found: dict[str, Any]) -> str:
    points = [(ply, bits) for ply, bits in found["surprise"]]
    top = max(1.0, *(bits for _, bits in points)) if points else 1.0
    plot = Plot(found["plies"], 0.0, top, found["surprise_how"])
    plot.grid((0.0, top / 2, top), lambda bits: f"{bits:.1f} bit")
    plot.curve(points, PAGE.belief)
    return plot.drawing()


def skill_plot(found: dict[str, Any]) -> str:
    """Running sums of both sides' choices and of luck, as gains of the evader."""
    steps, unit = found["skill"]["steps"], found["axis"]["unit"]
    curves = [
        (_running(steps, lambda s: s["choice"] if s["seat"] == "evader" else 0.0), PAGE.belief, False),
        (_running(steps, lambda s: s["choice"] if s["seat"] == "pursuers" else 0.0), PAGE.bus, True),
        (_running(steps, lambda s: s["luck"] + s["open"]), PAGE.taxi, False),
    ]
    values = [value for points, _, _ in curves for _, value in points]
    low, high = min(values), max(values)
    low, high = (low, high) if high - low > 1e-9 else (low - 0.5, high + 0.5)
    plot = Plot(found["plies"], low, high, "Sums of choices and luck")
    scale = 100 if unit == "chance" else 1
    plot.grid(sorted({low, 0.0, high}), lambda value: f"{scale * value:+.3g}")
    for points, colour, dashed in curves:
        plot.curve(points, colour, dashed=dashed)
    return plot.drawing()


def _running(steps: Sequence[dict[str, Any]], part: Callable[[dict[str, Any]], float]) -> Points:
    sums = accumulate((part(step) for step in steps), initial=0.0)
    plies = [steps[0]["ply"], *(step["end"] for step in steps)]
    return list(zip(plies, sums, strict=True))
