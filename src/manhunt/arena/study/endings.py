"""Should the Marshal aim at the manhunt, or catch him on the way?"""

from __future__ import annotations

from manhunt.arena.plots import stacked_bars
from manhunt.arena.stats import wilson
from manhunt.arena.study.facts import Ending
from manhunt.arena.study.games import slug
from manhunt.arena.study.marshal_rules import marshal_pairs, marshal_trials
from manhunt.arena.study.picture import standalone
from manhunt.arena.study.section import GamesOnly, Library, Plot, Section, Table
from manhunt.arena.study.setting import Pair, Setting
from manhunt.arena.study.variants import Trial, figures_of, in_words, table_of
from manhunt.arena.words import percent, rate_text

LABELS = {"capture": "names all", "manhunt": "keeps manhunt"}
COLOURS = {
    Ending.CAUGHT: "underground",
    Ending.HUNTED: "taxi",
    Ending.FREE: "bus",
    Ending.OUTRAN: "ferry",
    Ending.GAVE_UP: "plain",
}


class Endings(GamesOnly):
    name = "endings"

    def pairs(self, setting: Setting) -> list[Pair]:
        return marshal_pairs(setting, "aim", LABELS)

    def section(self, setting: Setting, games: Library) -> Section:
        trials = marshal_trials(setting, games, "aim", LABELS)
        return Section(
            "Manhunt, or capture on the way?",
            f"{_share(trials)} {in_words(trials, 'the aim')}",
            [
                f"Two extremes of `{setting.marshal}`. *Names all*: always as many numbers as there are face-down "
                "hideouts, the likeliest set. *Keeps manhunt*: never turns up a hideout that would let him escape "
                "without a manhunt, unless the guess would win.",
                table_of(trials),
                "How the games end:",
                Table(
                    ("rule", "against", *(end.value for end in Ending), "of her manhunts she wins"),
                    [(t.label, f"`{t.against}`", *(t.games.endings[end] for end in Ending), _hunts(t)) for t in trials],
                ),
                _plot(trials),
            ],
            {"trials": figures_of(trials), "endings": [_endings(trial) for trial in trials]},
        )


def _share(trials: list[Trial]) -> str:
    own = trials[0]
    caught, hunted = own.games.endings[Ending.CAUGHT], own.games.endings[Ending.HUNTED]
    if not caught + hunted:
        return f"By her own choice she wins no game against `{own.against}`."
    rate = wilson(caught, caught + hunted)
    interval = f"95 % interval {rate_text(rate)}"
    return f"Of her wins against `{own.against}` {percent(rate.value)} ({interval}) come before any escape."


def _hunts(trial: Trial) -> str:
    won, lost = trial.games.endings[Ending.HUNTED], trial.games.endings[Ending.OUTRAN]
    if not won + lost:
        return "none"
    rate = wilson(won, won + lost)
    return f"{percent(rate.value)} ({rate_text(rate)})"


def _endings(trial: Trial) -> dict[str, object]:
    counts = {slug(end.value): trial.games.endings[end] for end in Ending}
    return {"rule": trial.label, "against": trial.against, **counts}


def _plot(trials: list[Trial]) -> Plot:
    title = "How the games end"
    bars = [trial.games.bar(trial.label, trial.against) for trial in trials]
    legend = {slug(end.value): end.value for end in Ending}
    colours = {slug(end.value): colour for end, colour in COLOURS.items()}
    return Plot("endings", title, standalone(stacked_bars(title, bars, list(legend), legend), colours))
