"""The page of the study."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from manhunt.core.errors import ManhuntError
from manhunt.core.files import write_atomically
from manhunt.games.fugitive.study.section import Section, save_plots
from manhunt.games.fugitive.study.setup import StudySetup
from manhunt.games.fugitive.study.study import PART_NAMES

TITLE = "# Fugitive: what to do, and what is known"
OPEN = (
    "The value of the full deck. These agents are not equilibrium play: a better Fugitive or a better Marshal may "
    "change every figure here.",
    "Whether a rule that costs an agent games would also cost a Marshal who is built around it. Here a rule is imposed "
    "from outside; the agent's other decisions do not take it into account.",
    "Why winning Fugitives step as they do. The means show what goes together with winning, not what causes it.",
    "Other rule variants: `exactly-two` openings and the second edition's bonus card were not studied.",
)


def page_of(setup: StudySetup, sections: Mapping[str, Section], command: str, plots: str) -> str:
    parts = [TITLE, _lead(setup, sections), _command(command)]
    measured = [section for name, section in sections.items() if name != "mini"]
    parts += ["## In short", "\n".join(f"- *{section.heading}* {section.answer}" for section in sections.values())]
    parts += [_sure(setup, sections)]
    parts += [section.text(plots) for section in (*measured, *(s for n, s in sections.items() if n == "mini"))]
    parts += ["## What is open", "\n".join(f"- {text}" for text in OPEN)]
    missing = [name for name in PART_NAMES if name not in sections]
    if missing:
        parts.append(f"Not run yet: {', '.join(missing)}.")
    return "\n\n".join(parts) + "\n"


def _lead(setup: StudySetup, sections: Mapping[str, Section]) -> str:
    against = [agent for agent in (setup.second_fugitive, setup.second_marshal) if agent]
    also = (
        f", with {' and '.join(f'`{agent}`' for agent in against)} as second opponent{'s' * (len(against) > 1)}"
        if against
        else ""
    )
    return (
        f"The Marshal `{setup.marshal}` and the Fugitive `{setup.fugitive}`{also}; preset `{setup.preset}`. "
        f"Every row plays the same {setup.n_games:,} deals (seed {setup.seed}), so rows are compared deal by deal. "
        "Differences have 95 % intervals for pairs (Agresti and Min), rates have Wilson's. A rule is *better* or "
        "*worse* only if the interval of the difference excludes 0. There are many rows, so about one in twenty "
        "without any effect will still seem to have one. If an agent wins nearly all of its games, a better rule "
        "cannot show."
    )


def _command(command: str) -> str:
    mark = "<!-- long with --games 1 --out study.md: takes hours -->"
    return f"This command reproduces the page, and resumes if it was stopped:\n\n{mark}\n```console\n{command}\n```"


def _sure(setup: StudySetup, sections: Mapping[str, Section]) -> str:
    lines = ["## How certain this is"]
    if "mini" in sections:
        lines.append("- **Proved**: the values of the small decks, within the exploitability that is printed.")
    lines.append(
        "- **Measured**: everything about the whole deck, between the agents named above and within the intervals."
    )
    lines.append("- **Open**: what the last section lists.")
    return lines[0] + "\n\n" + "\n".join(lines[1:])


def write_page(setup: StudySetup, sections: Mapping[str, Section], command: str, out: Path) -> None:
    """The page, and its plots in a folder of the same name beside it."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        save_plots(sections.values(), out.with_suffix(""))
    except OSError as error:
        raise ManhuntError(f"cannot write beside {out}: {error.strerror}") from None
    write_atomically(out, page_of(setup, sections, command, out.stem))


def figures_of(setup: StudySetup, sections: Mapping[str, Section]) -> dict[str, Any]:
    return {
        "fugitive": setup.fugitive,
        "marshal": setup.marshal,
        "games": setup.n_games,
        "seed": setup.seed,
        "preset": setup.preset,
        "parts": {
            name: {"question": section.title, "answer": section.answer, **section.figures}
            for name, section in sections.items()
        },
    }
