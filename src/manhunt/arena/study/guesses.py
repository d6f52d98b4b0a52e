"""Which numbers should the Marshal guess, and how many at once?"""

from __future__ import annotations

from collections import Counter

from manhunt.arena.stats import wilson
from manhunt.arena.study.games import Games
from manhunt.arena.study.marshal_rules import marshal_pairs, marshal_trials
from manhunt.arena.study.section import GamesOnly, Library, Section, Table
from manhunt.arena.study.setting import Pair, Setting
from manhunt.arena.study.variants import figures_of, in_words, plot_of, table_of
from manhunt.arena.words import percent, rate_text

LABELS = {
    "one": "one of her numbers",
    "likeliest": "the likeliest number",
    "certain": "certain, else likeliest",
    "certain-plus-one": "certain and likeliest",
}
MOST_NUMBERS = 5
AGES = ("the newest", "the one before", "two before")


class Guesses(GamesOnly):
    name = "guesses"

    def pairs(self, setting: Setting) -> list[Pair]:
        return marshal_pairs(setting, "numbers", LABELS)

    def section(self, setting: Setting, games: Library) -> Section:
        trials = marshal_trials(setting, games, "numbers", LABELS)
        own = games[Pair(setting.fugitive, setting.marshal)]
        return Section(
            "Which numbers to guess, and how many?",
            in_words(trials, "guesses"),
            [
                f"`{setting.marshal}` draws and hunts as it does, but its guesses follow a rule. A number is certain "
                "if every consistent world has it; the likeliest is counted over all of them. *One of her numbers*: of "
                "the numbers that she would name, the likeliest alone.",
                table_of(trials),
                plot_of("guesses", "Points to the own choice of guesses", trials),
                f"The own guesses of `{setting.marshal}` against `{setting.fugitive}`, without those of the manhunt:",
                _sizes(own),
                f"Of the hideouts that its right guesses named: {_ages(own)}.",
            ],
            {"trials": figures_of(trials)},
        )


def _sizes(games: Games) -> Table:
    made, right = Counter[int](), Counter[int]()
    for guess in (guess for facts in games.facts for guess in facts.guesses):
        size = min(len(guess.numbers), MOST_NUMBERS)
        made[size] += 1
        right[size] += guess.hit
    rows = []
    for size in sorted(made):
        rate = wilson(right[size], made[size])
        share = percent(made[size] / made.total())
        label = f"{size} or more" if size == MOST_NUMBERS else size
        rows.append((label, share, f"{percent(rate.value)} ({rate_text(rate)})", made[size]))
    return Table(("numbers in a guess", "share", "right", "guesses"), rows)


def _ages(games: Games) -> str:
    ages = Counter(min(age, len(AGES)) for facts in games.facts for age in facts.ages)
    n = max(1, ages.total())
    return ", ".join(f"{percent(ages[i] / n)} were {text}" for i, text in enumerate((*AGES, "older")))
