"""Plots as files of their own: they carry their colours, light and dark."""

from __future__ import annotations

from collections.abc import Mapping

from manhunt.draw.look import DARK, FONT, LIGHT
from manhunt.draw.page_style import tokens

_STYLE = (
    "svg{background:var(--surface)}text{fill:var(--ink);font-size:13px;font-family:%s}"
    ".label{text-anchor:end}.tick{text-anchor:middle;fill:var(--quiet)}"
    ".grid{stroke:var(--line);stroke-width:1}.zero{stroke:var(--quiet);stroke-width:1;stroke-dasharray:3 3}"
    ".bar{stroke-width:3;stroke-linecap:round;opacity:.55}"
    ".evader.bar{stroke:var(--bus)}.evader.dot{fill:var(--bus)}"
    ".pursuers.bar{stroke:var(--underground)}.pursuers.dot{fill:var(--underground)}"
)


def standalone(svg: str, colours: Mapping[str, str] | None = None) -> str:
    """The drawing with its style inside; `colours` are those of the kinds of bars, by purpose in the look."""
    kinds = "".join(f".end-{kind}{{fill:var(--{colour})}}" for kind, colour in (colours or {}).items())
    dark = f"@media(prefers-color-scheme:dark){{:root{{{tokens(DARK)}}}}}"
    style = f"<style>:root{{{tokens(LIGHT)}}}{dark}{_STYLE % FONT}{kinds}</style>"
    head, end, rest = svg.partition(">")
    return f"{head}{end}{style}{rest}\n"
