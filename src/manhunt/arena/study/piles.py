"""Which pile should the Marshal draw from, and is the high-pile road-block useful?"""

from __future__ import annotations

from collections import Counter

from manhunt.arena.study.games import Games
from manhunt.arena.study.marshal_rules import marshal_pairs, marshal_trials
from manhunt.arena.study.section import GamesOnly, Library, Section, Table
from manhunt.arena.study.setting import Pair, Setting
from manhunt.arena.study.variants import Trial, figures_of, in_words, plot_of, table_of
from manhunt.arena.words import percent
from manhunt.games.fugitive.config import make_config

LABELS = {
    "low": "lowest pile",
    "middle": "middle pile first",
    "high": "road-block (highest)",
    "first-high": "highest, first turn",
}
SPANS = ((1, 1, "first turn"), (2, 4, "rounds 2 to 4"), (5, 8, "rounds 5 to 8"), (9, 1000, "later"))


class Piles(GamesOnly):
    name = "piles"

    def pairs(self, setting: Setting) -> list[Pair]:
        return marshal_pairs(setting, "piles", LABELS)

    def section(self, setting: Setting, games: Library) -> Section:
        trials = marshal_trials(setting, games, "piles", LABELS)
        own = games[Pair(setting.fugitive, setting.marshal)]
        return Section(
            "Which pile should the Marshal draw from?",
            f"{in_words(trials, 'piles')} {_road_block(trials)}",
            [
                f"`{setting.marshal}` draws by a fixed rule and otherwise plays as it does.",
                table_of(trials),
                plot_of("piles", "Points to the own choice of piles", trials),
                f"Where `{setting.marshal}` draws by its own choice, against `{setting.fugitive}`:",
                _own_draws(setting, own),
            ],
            {"trials": figures_of(trials)},
        )


def _road_block(trials: list[Trial]) -> str:
    found = {trial.verdict for trial in trials if trial.label == LABELS["high"]}
    if found == {"worse"}:
        return "The road-block costs games."
    if "better" in found:
        return "The road-block wins games."
    return (
        "Against one Fugitive the road-block costs games."
        if "worse" in found
        else "The road-block is shown neither to help nor to harm."
    )


def _own_draws(setting: Setting, games: Games) -> Table:
    names = make_config(setting.preset).pile_names
    rows = []
    for first, last, label in SPANS:
        counts = Counter(pile for f in games.facts for number, pile in f.marshal_draws if first <= number <= last)
        n = counts.total()
        if n:
            rows.append((label, *(percent(counts[pile] / n) for pile in range(len(names))), n))
    return Table(("her draws", *names, "cards"), rows)
