"""The page of the study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manhunt.arena.study.section import Section, save_plots
from manhunt.arena.study.setting import Setting
from manhunt.arena.study.study import PART_NAMES
from manhunt.errors import ManhuntError
from manhunt.files import write_atomically

TITLE = "# Fugitive: what to do, and what is known"
OPEN = (
    "The value of the real deck. The agents are the best we know, not equilibrium play: a better Fugitive may move "
    "every figure here, and so may a better Marshal.",
    "Whether a rule that costs an agent games would cost them a Marshal who is built around it. A rule is put on from "
    "outside; the agent's other decisions do not know of it.",
    "Why winning Fugitives step as they do. Their means are what goes together, not what causes what.",
    "Other rules of the house: `exactly-two` openings and the second edition's bonus card were not studied.",
)


def page_of(setting: Setting, sections: Mapping[str, Section], command: str, plots: str) -> str:
    parts = [TITLE, _lead(setting, sections), _command(command)]
    measured = [section for name, section in sections.items() if name != "mini"]
    parts += ["## In short", "\n".join(f"- *{section.heading}* {section.answer}" for section in sections.values())]
    parts += [_sure(setting, sections)]
    parts += [section.text(plots) for section in (*measured, *(s for n, s in sections.items() if n == "mini"))]
    parts += ["## What is open", "\n".join(f"- {text}" for text in OPEN)]
    missing = [name for name in PART_NAMES if name not in sections]
    if missing:
        parts.append(f"Not run yet: {', '.join(missing)}.")
    return "\n\n".join(parts) + "\n"


def _lead(setting: Setting, sections: Mapping[str, Section]) -> str:
    against = [agent for agent in (setting.second_fugitive, setting.second_marshal) if agent]
    also = (
        f", with {' and '.join(f'`{agent}`' for agent in against)} as second opponent{'s' * (len(against) > 1)}"
        if against
        else ""
    )
    return (
        f"The Marshal `{setting.marshal}` and the Fugitive `{setting.fugitive}`{also}; preset `{setting.preset}`. "
        f"Every row plays the same {setting.n_games:,} deals (seed {setting.seed}), so rows are compared deal by deal: "
        "the difference has a 95 % interval for pairs (Agresti and Min), rates have Wilson's. A rule is *better* or "
        "*worse* only if the interval of the difference leaves out 0; many rows are looked at, so one in twenty of "
        "those without any effect will still seem to have one. An agent that wins nearly all of its games leaves no "
        "room in which a better rule could be seen."
    )


def _command(command: str) -> str:
    return (
        f"The command, which goes on where it was stopped:\n\n<!-- not run: takes long -->\n```console\n{command}\n```"
    )


def _sure(setting: Setting, sections: Mapping[str, Section]) -> str:
    lines = ["## How sure each of this is"]
    if "mini" in sections:
        lines.append("- **Proved**: the values of the small decks, within the exploitability that is printed.")
    lines.append(
        "- **Measured**: everything about the whole deck, between the agents named above and within the intervals."
    )
    lines.append("- **Open**: what the last section lists.")
    return lines[0] + "\n\n" + "\n".join(lines[1:])


def write_page(setting: Setting, sections: Mapping[str, Section], command: str, out: Path) -> None:
    """The page, and its plots in a folder of the same name beside it."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        save_plots(sections.values(), out.with_suffix(""))
    except OSError as error:
        raise ManhuntError(f"cannot write beside {out}: {error.strerror}") from None
    write_atomically(out, page_of(setting, sections, command, out.stem))


def figures_of(setting: Setting, sections: Mapping[str, Section]) -> dict[str, Any]:
    return {
        "fugitive": setting.fugitive,
        "marshal": setting.marshal,
        "games": setting.n_games,
        "seed": setting.seed,
        "preset": setting.preset,
        "parts": {
            name: {"question": section.title, "answer": section.answer, **section.figures}
            for name, section in sections.items()
        },
    }
