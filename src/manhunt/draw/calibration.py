"""Whether probabilities hold what they say, as a plot: said against found."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from manhunt.draw.figure import need
from manhunt.errors import ManhuntError
from manhunt.files import write_atomically

FORMATS = (".png", ".svg")
Curve = Sequence[tuple[float, float, int]]
"""Points (said, found, how often)."""
_COLOURS = ("#7D8693", "#D9A514", "#128A7E", "#B06AC4", "#C8365C")


def check_plot(path: Path) -> None:
    """Refuse a file that could not be written, before the work is done."""
    if path.suffix.lower() not in FORMATS:
        raise ManhuntError(f"cannot save a plot as {path.name!r}; the name must end in {' or '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise ManhuntError(f"cannot write {path}: the folder {path.parent} does not exist")
    need("matplotlib")


def draw_calibration(curves: Mapping[str, Curve], path: Path) -> None:
    """One line per model on logarithmic axes; larger dots stand for more nodes."""
    figure_module = need("matplotlib.figure")
    figure = figure_module.Figure(figsize=(5.7, 5.6), dpi=130, layout="constrained")
    axes = figure.add_subplot()
    least = 0.002
    axes.plot([least, 1], [least, 1], color="#C9CED6", linewidth=1.2, zorder=1)
    for (name, curve), colour in zip(curves.items(), _COLOURS * (1 + len(curves) // len(_COLOURS)), strict=False):
        shown = [(said, found, n) for said, found, n in curve if said >= least and found >= least]
        said, found = [s for s, _, _ in shown], [f for _, f, _ in shown]
        sizes = [14 + 16 * max(len(str(n)) - 1, 0) for _, _, n in shown]
        axes.plot(said, found, color=colour, linewidth=1.6, label=name, zorder=2)
        axes.scatter(said, found, s=sizes, color=colour, edgecolor="white", linewidth=0.8, zorder=3)
    ticks = [0.01, 0.03, 0.1, 0.3, 1.0]
    axes.set(xscale="log", yscale="log", xlim=(least, 1.15), ylim=(least, 1.15), aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(need("matplotlib.ticker").FixedLocator(ticks))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(need("matplotlib.ticker").NullLocator())
    axes.set_xlabel("probability that the belief gives a node")
    axes.set_ylabel("share of times Mr X is there")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#E7EAEE", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, loc="upper left")
    out = io.BytesIO()
    figure.savefig(out, format=path.suffix.lower()[1:])
    write_atomically(path, out.getvalue())
