"""The plots of a tournament's page as inline SVG; colours come from the page's style."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from manhunt.arena.ledger import Cell
from manhunt.arena.stats import Interval
from manhunt.draw.markup import num, tag, words

WIDTH, LEFT, RIGHT, ROW, TOP, BOTTOM = 800.0, 310.0, 110.0, 30.0, 10.0, 30.0
LONGEST_LABEL = 40


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a dot plot: an estimate, its interval, and how to write it."""

    label: str
    interval: Interval
    text: str


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """A scale with its ticks; `marked` gets a stronger line."""

    low: float
    high: float
    ticks: tuple[float, ...]
    unit: str = ""
    marked: float | None = None

    def x(self, value: float) -> float:
        span = WIDTH - LEFT - RIGHT
        share = (value - self.low) / (self.high - self.low)
        return LEFT + span * min(1.0, max(0.0, share))


RATE_AXIS = PlotAxis(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0), " %", 0.5)


def elo_axis(rows: Sequence[Row]) -> PlotAxis:
    """A scale that holds all intervals, with round ticks, zero marked."""
    low = min(0.0, *(row.interval.low for row in rows))
    high = max(0.0, *(row.interval.high for row in rows))
    step = _round_step(max(high - low, 40.0) / 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    if first == last:
        first, last = first - 1, last + 1
    ticks = tuple(step * i for i in range(first, last + 1))
    return PlotAxis(ticks[0], ticks[-1], ticks, "", 0.0)


def _round_step(wanted: float) -> float:
    size = 10 ** math.floor(math.log10(wanted))
    return float(next(factor * size for factor in (1, 2, 5, 10) if factor * size >= wanted))


def dot_plot(title: str, rows: Sequence[Row], axis: PlotAxis, kind: str) -> str:
    """A dot with its interval for each row; `kind` is the class that colours it."""
    height = TOP + ROW * len(rows) + BOTTOM
    parts = _grid(axis, height)
    for i, row in enumerate(rows):
        y = TOP + ROW * (i + 0.5)
        low, high = axis.x(row.interval.low), axis.x(row.interval.high)
        parts.append(_label(row.label, y))
        parts.append(tag("line", class_=f"bar {kind}", x1=low, x2=high, y1=y, y2=y))
        parts.append(tag("circle", class_=f"dot {kind}", cx=axis.x(row.interval.value), cy=y, r=5))
        parts.append(tag("text", words(row.text), class_="value", x=WIDTH - RIGHT + 12, y=y + 5))
    return _svg(title, height, parts)


def _grid(axis: PlotAxis, height: float) -> list[str]:
    parts = []
    for tick in axis.ticks:
        x = axis.x(tick)
        kind = "zero" if tick == axis.marked else "grid"
        text = f"{100 * tick:.0f}{axis.unit}" if axis.unit else f"{tick:+.0f}" if tick else "0"
        parts.append(tag("line", class_=kind, x1=x, x2=x, y1=TOP, y2=height - BOTTOM))
        parts.append(tag("text", text, class_="tick", x=x, y=height - BOTTOM + 18))
    return parts


def _label(text: str, y: float) -> str:
    short = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
    return tag("text", tag("title", words(text)) + words(short), class_="label", x=LEFT - 14, y=y + 5)


def stacked_bars(
    title: str,
    cells: Sequence[Cell],
    kinds: Sequence[str],
    legend: Mapping[str, str] | None = None,
    unit: str = "games",
) -> str:
    """How the games of each cell ended, as shares; `legend` says below what the kinds mean."""
    height = TOP + ROW * len(cells) + BOTTOM
    parts = _grid(RATE_AXIS, height)
    for i, cell in enumerate(cells):
        y, done = TOP + ROW * i + 6, 0
        parts.append(_label(f"{cell.evader} against {cell.pursuers}", y + ROW / 2 - 6))
        for kind in kinds:
            n = cell.endings[kind]
            if not n:
                continue
            left, right = RATE_AXIS.x(done / cell.n_games), RATE_AXIS.x((done + n) / cell.n_games)
            tooltip = tag("title", words(f"{kind}: {n} of {cell.n_games}"))
            shape = {"x": left, "y": y, "width": max(right - left, 0.5), "height": ROW - 12}
            parts.append(tag("rect", tooltip, class_=f"end-{kind}", **shape))
            done += n
        parts.append(tag("text", f"{cell.n_games:,} {unit}", class_="value", x=WIDTH - RIGHT + 12, y=y + ROW / 2 - 1))
    if legend:
        squares, n_lines = _legend(legend, height + 4)
        parts += squares
        height += 24 * n_lines + 6
    return _svg(title, height, parts)


def _legend(legend: Mapping[str, str], y: float) -> tuple[list[str], int]:
    """Coloured squares with their meaning, and how many lines they take."""
    parts, x, n_lines = [], 14.0, 1
    for kind, text in legend.items():
        width = 38 + 7 * len(text)
        if x + width > WIDTH:
            x, n_lines = 14.0, n_lines + 1
        top = y + 24 * (n_lines - 1)
        parts.append(tag("rect", class_=f"end-{kind}", x=x, y=top, width=12, height=12))
        parts.append(tag("text", words(text), class_="value", x=x + 18, y=top + 11))
        x += width
    return parts, n_lines


def histogram(title: str, rounds: Counter[int], first: int, last: int, most: float) -> str:
    """How long games last: the share of games that ended in each round, on scales shared by all cells."""
    width, height, base = 220.0, 96.0, 74.0
    n = sum(rounds.values())
    step = (width - 8) / (last - first + 1)
    parts = []
    for number in range(first, last + 1):
        if not rounds[number]:
            continue
        tall = (base - 8) * rounds[number] / n / most
        x = 4 + step * (number - first)
        tooltip = tag("title", f"round {number}: {rounds[number]} of {n}")
        parts.append(tag("rect", tooltip, class_="column", x=x, y=base - tall, width=max(step - 1, 0.8), height=tall))
    parts.append(tag("line", class_="grid", x1=4, x2=width - 4, y1=base, y2=base))
    for x, text, anchor in ((4.0, str(first), "start"), (width - 4, str(last), "end")):
        parts.append(tag("text", text, class_="tick", x=x, y=base + 16, style=f"text-anchor:{anchor}"))
    return _svg(title, height, parts, width)


def _svg(title: str, height: float, parts: Sequence[str], width: float = WIDTH) -> str:
    box = f"0 0 {num(width)} {num(height)}"
    body = tag("title", words(title)) + "".join(parts)
    return tag("svg", body, viewBox=box, role="img", xmlns="http://www.w3.org/2000/svg")
