"""A part of the page: its question, the answer in a sentence, tables and plots, and the same figures as JSON."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from manhunt.core.files import write_atomically
from manhunt.draw.look import DARK, FONT, LIGHT
from manhunt.draw.page_style import tokens
from manhunt.games.fugitive.study.games import Games
from manhunt.games.fugitive.study.setup import Pair, StudySetup

_STYLE = (
    "svg{background:var(--surface)}text{fill:var(--ink);font-size:13px;font-family:%s}"
    ".label{text-anchor:end}.tick{text-anchor:middle;fill:var(--quiet)}"
    ".grid{stroke:var(--line);stroke-width:1}.zero{stroke:var(--quiet);stroke-width:1;stroke-dasharray:3 3}"
    ".bar{stroke-width:3;stroke-linecap:round;opacity:.55}"
    ".evader.bar{stroke:var(--bus)}.evader.dot{fill:var(--bus)}"
    ".pursuers.bar{stroke:var(--underground)}.pursuers.dot{fill:var(--underground)}"
)


@dataclass(frozen=True)
class MarkdownTable:
    head: Sequence[str]
    rows: Sequence[Sequence[object]]

    def text(self) -> str:
        lines = [self.head, ["---"] + ["---:"] * (len(self.head) - 1), *self.rows]
        return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


@dataclass(frozen=True)
class Plot:
    """`name` is the file's; `title` is read by those who do not see it."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True)
class Section:
    title: str
    answer: str
    blocks: Sequence[str | MarkdownTable | Plot]
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def plots(self) -> list[Plot]:
        return [block for block in self.blocks if isinstance(block, Plot)]

    @property
    def heading(self) -> str:
        """The question, or the title with a colon, for an answer to follow."""
        return self.title if self.title.endswith("?") else f"{self.title}:"

    def text(self, folder: str) -> str:
        """Markdown; plots lie in `folder`, as the page sees it."""
        parts = [f"## {self.title}", f"**{self.answer}**"]
        for block in self.blocks:
            if isinstance(block, Plot):
                parts.append(f"![{block.title}]({folder}/{block.name}.svg)")
            else:
                parts.append(block.text() if isinstance(block, MarkdownTable) else block)
        return "\n\n".join(parts)


Library = Mapping[Pair, Games]
"""The games of all pairs that a part asks for."""
Advance = Callable[[str], object]
"""Tells what is being worked on."""


class StudyPart(ABC):
    """One question; most need games and nothing else."""

    name: str

    @abstractmethod
    def pairs(self, setup: StudySetup) -> Iterable[Pair]:
        """Whose games it needs."""

    def is_ready(self, setup: StudySetup) -> bool:
        """Whether all other work is done."""
        return True

    def prepare(self, setup: StudySetup, tell: Advance) -> None:
        """Do the other work and keep it."""

    @abstractmethod
    def section(self, setup: StudySetup, games: Library) -> Section: ...


def save_plots(sections: Iterable[Section], folder: Path) -> None:
    plots = [plot for section in sections for plot in section.plots]
    if plots:
        folder.mkdir(parents=True, exist_ok=True)
    for plot in plots:
        write_atomically(folder / f"{plot.name}.svg", plot.svg)


def standalone(svg: str, colours: Mapping[str, str] | None = None) -> str:
    """The drawing as a file of its own: it carries its colours, light and dark.

    `colours` are those of the kinds of bars, by purpose in the look.
    """
    kinds = "".join(f".end-{kind}{{fill:var(--{colour})}}" for kind, colour in (colours or {}).items())
    dark = f"@media(prefers-color-scheme:dark){{:root{{{tokens(DARK)}}}}}"
    style = f"<style>:root{{{tokens(LIGHT)}}}{dark}{_STYLE % FONT}{kinds}</style>"
    head, end, rest = svg.partition(">")
    return f"{head}{end}{style}{rest}\n"
