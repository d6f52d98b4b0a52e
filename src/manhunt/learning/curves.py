"""How a training went: one point a block, as lines of JSON and as a plot."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from manhunt.arena.stats import Interval, wilson
from manhunt.core.errors import BadText
from manhunt.core.files import write_atomically
from manhunt.core.reading import parse_json, read_text
from manhunt.draw.look import theme_of
from manhunt.draw.markup import document, num, tag, words

COLOURS = ("#2F6FDE", "#C8365C", "#128A7E", "#D9A514", "#7A4FC0", "#6B7280")
WIDTH, LEFT, RIGHT, PANEL, GAP, TOP = 760.0, 60.0, 20.0, 150.0, 46.0, 40.0


@dataclass(frozen=True, slots=True)
class Point:
    """Means and counts over one block of updates."""

    update: int
    seconds: float
    decisions: int
    entropy: float
    value_loss: float
    kl: float
    clipped: float
    wins: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By seat and opponent: games won, and games that ended, while the policy was learning."""

    def rate(self, name: str) -> Interval | None:
        won, n = self.wins.get(name, (0, 0))
        return wilson(won, n) if n else None


def write_points(path: Path, points: Sequence[Point]) -> None:
    write_atomically(path, "".join(json.dumps(asdict(point)) + "\n" for point in points))


def read_points(path: Path) -> list[Point]:
    try:
        rows = [parse_json(line, f"{path} does not parse") for line in read_text(path, "the curves").splitlines()]
        return [Point(**{**row, "wins": {name: (won, n) for name, (won, n) in row["wins"].items()}}) for row in rows]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise BadText(f"{path} holds no curves: {error}") from None


def draw_curves(title: str, points: Sequence[Point]) -> str:
    """Win rates with 95 % intervals, entropy and value loss over the updates, as an SVG document."""
    names = list(dict.fromkeys(name for point in points for name in point.wins))
    rates = {name: [(point.update, point.rate(name)) for point in points] for name in names}
    theme = theme_of("light")
    panels: list[tuple[str, Mapping[str, Sequence[tuple[int, Interval | None]]], float]] = [
        ("games won, with 95 % intervals", rates, 1.0),
        ("entropy of the policy", {"": _plain(points, lambda p: p.entropy)}, _top(p.entropy for p in points)),
        ("value loss", {"": _plain(points, lambda p: p.value_loss)}, _top(p.value_loss for p in points)),
    ]
    parts = [tag("text", words(title), x=LEFT, y=24, font_size=15, font_weight="bold", fill=theme.ink)]
    last = max((point.update for point in points), default=1)
    for i, (name, lines, top) in enumerate(panels):
        parts.append(_panel(name, lines, top, last, TOP + 20 + i * (PANEL + GAP), theme.ink))
    bottom = TOP + 20 + len(panels) * (PANEL + GAP)
    for i, name in enumerate(names):
        y = bottom + 20 * i
        parts.append(tag("rect", x=LEFT, y=y - 10, width=12, height=12, fill=COLOURS[i % len(COLOURS)]))
        parts.append(tag("text", words(name), x=LEFT + 18, y=y, font_size=12, fill=theme.ink))
    return document(parts, title, theme, (WIDTH, bottom + 20 * len(names)), "curves")


def _plain(points: Sequence[Point], read: Callable[[Point], float]) -> list[tuple[int, Interval | None]]:
    return [(point.update, Interval(read(point), read(point), read(point))) for point in points]


def _top(values: Iterable[float]) -> float:
    return max([*values, 1e-6]) * 1.05


def _panel(
    title: str, lines: Mapping[str, Sequence[tuple[int, Interval | None]]], top: float, last: int, y: float, ink: str
) -> str:
    def at(update: float, value: float) -> str:
        return f"{num(LEFT + (WIDTH - LEFT - RIGHT) * update / last)},{num(y + PANEL * (1 - value / top))}"

    parts = [tag("text", words(title), x=LEFT, y=y - 8, font_size=12, fill=ink)]
    for share in (0.0, 0.5, 1.0):
        height, label = y + PANEL * (1 - share), f"{100 * share:.0f} %" if top == 1.0 else f"{top * share:.2f}"
        parts.append(tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=height, y2=height, stroke=ink, stroke_opacity=0.2))
        parts.append(tag("text", label, x=LEFT - 6, y=height + 4, font_size=11, text_anchor="end", fill=ink))
    parts.append(
        tag("text", f"update {last}", x=WIDTH - RIGHT, y=y + PANEL + 16, font_size=11, text_anchor="end", fill=ink)
    )
    for i, known in enumerate(lines.values()):
        colour = COLOURS[i % len(COLOURS)]
        shown = [(update, interval) for update, interval in known if interval is not None]
        band = [at(u, v.low) for u, v in shown] + [at(u, v.high) for u, v in reversed(shown)]
        parts.append(tag("polygon", points=" ".join(band), fill=colour, fill_opacity=0.18))
        line = " ".join(at(update, interval.value) for update, interval in shown)
        parts.append(tag("polyline", points=line, fill="none", stroke=colour, stroke_width=2))
    return "".join(parts)
