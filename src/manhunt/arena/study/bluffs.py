"""Does bluffing help the Fugitive?"""

from __future__ import annotations

from manhunt.arena.study.games import Games
from manhunt.arena.study.section import GamesOnly, Library, Section, Table
from manhunt.arena.study.setting import Pair, Setting, bound_fugitive
from manhunt.arena.study.variants import Trial, figures_of, in_words, plot_of, table_of
from manhunt.ids import Side

LABELS = {
    "never": "never a bluff",
    "early": "one early bluff",
    "always": "always a bluff",
}


class Bluffs(GamesOnly):
    name = "bluffs"

    def pairs(self, setting: Setting) -> list[Pair]:
        specs = [bound_fugitive(setting.fugitive, value) for value in ("own", *LABELS)]
        return [Pair(spec, marshal) for marshal in setting.marshals for spec in specs]

    def section(self, setting: Setting, games: Library) -> Section:
        trials = _trials(setting, games)
        return Section(
            "Does bluffing help?",
            in_words(trials, "bluffs"),
            [
                "A bluff is a sprint card that could have been left out. "
                f"`{setting.fugitive}` chooses its hideouts as it does, but its sprint cards follow a rule; a card "
                "that is added is the lowest one that can be no hideout any more, if he has one. "
                "*One early bluff* is made in the first two rounds, and none later.",
                table_of(trials),
                plot_of("bluffs", "Points to the own choice of bluffs", trials),
                "Bluffs that were really made:",
                Table(
                    ("rule", "against", "hideouts with a bluff", "bluffs a game"),
                    [(t.label, f"`{t.against}`", *_made(t.games)) for t in trials],
                ),
            ],
            {"trials": figures_of(trials)},
        )


def _trials(setting: Setting, games: Library) -> list[Trial]:
    trials = []
    for marshal in setting.marshals:
        own = games[Pair(setting.fugitive, marshal)]
        trials.append(Trial("own choice", marshal, own, own, Side.EVADER))
        for value, label in LABELS.items():
            bound = games[Pair(bound_fugitive(setting.fugitive, value), marshal)]
            trials.append(Trial(label, marshal, bound, own, Side.EVADER))
    return trials


def _made(games: Games) -> tuple[str, str]:
    steps = [step for facts in games.facts for step in facts.steps]
    bluffs = sum(step.is_bluff for step in steps)
    return f"{100 * bluffs / max(1, len(steps)):.1f} %", f"{bluffs / max(1, len(games.facts)):.2f}"
