"""A part of the page: its question, the answer in a sentence, tables and plots, and the same figures as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from manhunt.arena.study.games import Games
from manhunt.arena.study.setting import Pair, Setting


@dataclass(frozen=True)
class Table:
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
    blocks: Sequence[str | Table | Plot]
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
                parts.append(block.text() if isinstance(block, Table) else block)
        return "\n\n".join(parts)


Library = Mapping[Pair, Games]
"""The games of all pairs that a part asks for."""
Advance = Callable[[str], object]
"""Tells what is being worked on."""


class Part(Protocol):
    """One question."""

    name: str

    def pairs(self, setting: Setting) -> Iterable[Pair]:
        """Whose games it needs."""

    def is_ready(self, setting: Setting) -> bool:
        """Whether all other work is done."""

    def prepare(self, setting: Setting, tell: Advance) -> None:
        """Do the other work and keep it."""

    def section(self, setting: Setting, games: Library) -> Section: ...


class GamesOnly:
    """A part that needs games and nothing else."""

    def is_ready(self, setting: Setting) -> bool:
        return True

    def prepare(self, setting: Setting, tell: Advance) -> None:
        """Nothing to do."""


def save_plots(sections: Iterable[Section], folder: Path) -> None:
    from manhunt.files import write_atomically

    plots = [plot for section in sections for plot in section.plots]
    if plots:
        folder.mkdir(parents=True, exist_ok=True)
    for plot in plots:
        write_atomically(folder / f"{plot.name}.svg", plot.svg)
