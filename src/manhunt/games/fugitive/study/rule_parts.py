"""Should a side keep to a rule: for piles, for guesses, for how to win (the Marshal), for bluffs (the Fugitive)?"""

from collections import Counter

from manhunt.arena.plots import stacked_bars
from manhunt.arena.stats import wilson
from manhunt.arena.words import percent, rate_text
from manhunt.core.ids import Side
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.study.facts import Ending
from manhunt.games.fugitive.study.games import Games, slug
from manhunt.games.fugitive.study.section import Library, MarkdownTable, Plot, Section, standalone
from manhunt.games.fugitive.study.setup import Pair, StudySetup, bound_fugitive, bound_marshal
from manhunt.games.fugitive.study.variants import RulePart, Trial, figures_of, in_words, plot_of, rate_words, table_of

PILES = {
    "low": "lowest pile",
    "middle": "middle pile first",
    "high": "road-block (highest)",
    "first-high": "highest, first turn",
}
SPANS = ((1, 1, "first turn"), (2, 4, "rounds 2 to 4"), (5, 8, "rounds 5 to 8"), (9, 1000, "later"))
GUESSES = {
    "one": "one of her numbers",
    "likeliest": "the likeliest number",
    "certain": "certain, else likeliest",
    "certain-plus-one": "certain and likeliest",
}
MOST_NUMBERS = 5
AGES = ("the newest", "the one before", "two before")
AIMS = {"capture": "names all", "manhunt": "keeps manhunt"}
COLOURS = {
    Ending.CAUGHT: "underground",
    Ending.HUNTED: "taxi",
    Ending.FREE: "bus",
    Ending.OUTRAN: "ferry",
    Ending.GAVE_UP: "plain",
}
BLUFFS = {"never": "never a bluff", "early": "one early bluff", "always": "always a bluff"}


class PilesPart(RulePart):
    """Which pile should the Marshal draw from, and is the high-pile road-block useful?"""

    name = "piles"
    labels = PILES

    def bound(self, setup: StudySetup, value: str) -> str:
        return bound_marshal(setup.marshal, "piles", value)

    def section(self, setup: StudySetup, games: Library) -> Section:
        trials = self.trials(setup, games)
        own = games[Pair(setup.fugitive, setup.marshal)]
        return Section(
            "Which pile should the Marshal draw from?",
            f"{in_words(trials, 'piles')} {_road_block(trials)}",
            [
                f"`{setup.marshal}` draws by a fixed rule and otherwise plays as usual.",
                table_of(trials),
                plot_of("piles", "Points relative to the own choice of piles", trials),
                f"Where `{setup.marshal}` draws by its own choice, against `{setup.fugitive}`:",
                _own_draws(setup, own),
            ],
            {"trials": figures_of(trials)},
        )


def _road_block(trials: list[Trial]) -> str:
    found = {trial.verdict for trial in trials if trial.label == PILES["high"]}
    if found == {"worse"}:
        return "The road-block costs games."
    if "better" in found:
        return "The road-block wins games."
    return (
        "Against one Fugitive the road-block costs games."
        if "worse" in found
        else "The road-block shows no significant effect."
    )


def _own_draws(setup: StudySetup, games: Games) -> MarkdownTable:
    names = make_config(setup.preset).pile_names
    rows = []
    for first, last, label in SPANS:
        counts = Counter(pile for f in games.facts for number, pile in f.marshal_draws if first <= number <= last)
        n = counts.total()
        if n:
            rows.append((label, *(percent(counts[pile] / n) for pile in range(len(names))), n))
    return MarkdownTable(("her draws", *names, "cards"), rows)


class GuessesPart(RulePart):
    """Which numbers should the Marshal guess, and how many at once?"""

    name = "guesses"
    labels = GUESSES

    def bound(self, setup: StudySetup, value: str) -> str:
        return bound_marshal(setup.marshal, "numbers", value)

    def section(self, setup: StudySetup, games: Library) -> Section:
        trials = self.trials(setup, games)
        own = games[Pair(setup.fugitive, setup.marshal)]
        return Section(
            "Which numbers to guess, and how many?",
            in_words(trials, "guesses"),
            [
                f"`{setup.marshal}` draws and hunts as usual, but its guesses follow a rule. A number is certain "
                "if every consistent world has it; the likeliest number is in the most worlds. *One of her numbers* is "
                "the likeliest of the numbers that she would name.",
                table_of(trials),
                plot_of("guesses", "Points relative to the own choice of guesses", trials),
                f"The free guesses of `{setup.marshal}` against `{setup.fugitive}`, without those of the manhunt:",
                _sizes(own),
                f"Of the hideouts in its right guesses, {_ages(own)}.",
            ],
            {"trials": figures_of(trials)},
        )


def _sizes(games: Games) -> MarkdownTable:
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
        rows.append((label, share, rate_words(rate), made[size]))
    return MarkdownTable(("numbers in a guess", "share", "right", "guesses"), rows)


def _ages(games: Games) -> str:
    ages = Counter(min(age, len(AGES)) for facts in games.facts for age in facts.ages)
    n = max(1, ages.total())
    return ", ".join(f"{percent(ages[i] / n)} were {text}" for i, text in enumerate((*AGES, "older")))


class EndingsPart(RulePart):
    """Should the Marshal aim at the manhunt, or catch him on the way?"""

    name = "endings"
    labels = AIMS

    def bound(self, setup: StudySetup, value: str) -> str:
        return bound_marshal(setup.marshal, "aim", value)

    def section(self, setup: StudySetup, games: Library) -> Section:
        trials = self.trials(setup, games)
        return Section(
            "Manhunt, or capture on the way?",
            f"{_share(trials)} {in_words(trials, 'the aim')}",
            [
                f"Two extremes of `{setup.marshal}`. *Names all* always guesses as many numbers as there are "
                "face-down hideouts, the likeliest set. *Keeps manhunt* never turns up a hideout that would let him "
                "escape without a manhunt, unless the guess would win.",
                table_of(trials),
                "How the games end:",
                MarkdownTable(
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
    return rate_words(wilson(won, won + lost))


def _endings(trial: Trial) -> dict[str, object]:
    counts = {slug(end.value): trial.games.endings[end] for end in Ending}
    return {"rule": trial.label, "against": trial.against, **counts}


def _plot(trials: list[Trial]) -> Plot:
    title = "How the games end"
    bars = [trial.games.bar(trial.label, trial.against) for trial in trials]
    legend = {slug(end.value): end.value for end in Ending}
    colours = {slug(end.value): colour for end, colour in COLOURS.items()}
    return Plot("endings", title, standalone(stacked_bars(title, bars, list(legend), legend), colours))


class BluffsPart(RulePart):
    """Does bluffing help the Fugitive?"""

    name = "bluffs"
    side = Side.EVADER
    labels = BLUFFS

    def bound(self, setup: StudySetup, value: str) -> str:
        return bound_fugitive(setup.fugitive, value)

    def section(self, setup: StudySetup, games: Library) -> Section:
        trials = self.trials(setup, games)
        return Section(
            "Does bluffing help?",
            in_words(trials, "bluffs"),
            [
                "A bluff is a sprint card that could have been left out. "
                f"`{setup.fugitive}` chooses its hideouts as usual, but its sprint cards follow a rule. An extra card "
                "is the lowest one that can no longer be a hideout, if he has one. "
                "*One early bluff* is made in the first two rounds, none later.",
                table_of(trials),
                plot_of("bluffs", "Points relative to the own choice of bluffs", trials),
                "Bluffs that were actually made:",
                MarkdownTable(
                    ("rule", "against", "hideouts with a bluff", "bluffs per game"),
                    [(t.label, f"`{t.against}`", *_made(t.games)) for t in trials],
                ),
            ],
            {"trials": figures_of(trials)},
        )


def _made(games: Games) -> tuple[str, str]:
    steps = [step for facts in games.facts for step in facts.steps]
    bluffs = sum(step.is_bluff for step in steps)
    return f"{100 * bluffs / max(1, len(steps)):.1f} %", f"{bluffs / max(1, len(games.facts)):.2f}"
