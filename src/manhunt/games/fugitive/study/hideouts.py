"""Which hideouts and sprints do Fugitives use who win, and who lose?"""

from collections import Counter
from collections.abc import Callable, Sequence

from manhunt.arena.ledger import Cell
from manhunt.arena.plots import stacked_bars
from manhunt.arena.stats import Interval, mean_of
from manhunt.arena.words import percent
from manhunt.games.fugitive.rules.config import make_config
from manhunt.games.fugitive.study.facts import Facts, Step
from manhunt.games.fugitive.study.section import Library, MarkdownTable, Plot, Section, StudyPart, standalone
from manhunt.games.fugitive.study.setup import Pair, StudySetup

LENGTHS = (("1", 1, 1), ("2", 2, 2), ("3", 3, 3), ("4 or 5", 4, 5), ("6 or more", 6, 99))
COLOURS = ("underground", "taxi", "bus", "ferry", "belief")
MEASURES: tuple[tuple[str, Callable[[Facts], float]], ...] = (
    ("hideouts", lambda facts: len(_placed(facts))),
    ("mean step", lambda facts: _mean([step.length for step in _placed(facts)])),
    ("sprint cards per hideout", lambda facts: _mean([step.n_sprints for step in _placed(facts)])),
    ("overpaid per hideout", lambda facts: _mean([step.overpay for step in _placed(facts)])),
    ("hideouts in the opening", lambda facts: sum(step.round == 1 for step in facts.steps)),
    ("passes", lambda facts: facts.n_passes),
    ("rounds", lambda facts: facts.rounds),
)


class HideoutsPart(StudyPart):
    name = "hideouts"

    def pairs(self, setup: StudySetup) -> list[Pair]:
        return [Pair(setup.fugitive, marshal) for marshal in setup.marshals]

    def section(self, setup: StudySetup, games: Library) -> Section:
        groups = _groups(setup, games)
        return Section(
            "Which hideouts and which sprints?",
            _answer(groups),
            [
                f"Games of `{setup.fugitive}` by who won; means over games with 95 % intervals (Student), the escape "
                "not counted. This shows what goes together with winning, not what causes it: a Fugitive who is not "
                "found can step as he likes.",
                MarkdownTable(("", *(label for label, _ in groups)), _rows(groups)),
                "Steps from one hideout to the next, as shares:",
                _plot(groups),
                "Where he draws:",
                _draws(setup, groups),
                "The last step to the escape:",
                _escapes(groups),
            ],
            {"means": {label: _figures(facts) for label, facts in groups}},
        )


Groups = Sequence[tuple[str, Sequence[Facts]]]


def _groups(setup: StudySetup, games: Library) -> Groups:
    found = []
    for marshal in setup.marshals:
        facts = games[Pair(setup.fugitive, marshal)].facts
        for word, won in (("wins", True), ("loses", False)):
            found.append((f"{word} against {marshal}", [each for each in facts if each.fugitive_wins is won]))
    return found


def _placed(facts: Facts) -> list[Step]:
    return [step for step in facts.steps if not step.is_escape]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _interval(facts: Sequence[Facts], measure: Callable[[Facts], float]) -> Interval | None:
    return mean_of(Counter(float(measure(each)) for each in facts))


def _text(interval: Interval | None) -> str:
    if interval is None:
        return "no game"
    bounds = "" if interval.low == interval.high else f" ({interval.low:.2f} to {interval.high:.2f})"
    return f"{interval.value:.2f}{bounds}"


def _rows(groups: Groups) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = [("games", *(len(facts) for _, facts in groups))]
    for name, measure in MEASURES:
        rows.append((name, *(_text(_interval(facts, measure)) for _, facts in groups)))
    return rows


def _figures(facts: Sequence[Facts]) -> dict[str, object]:
    found = {name: _interval(facts, measure) for name, measure in MEASURES}
    return {"games": len(facts), **{name: mean and mean._asdict() for name, mean in found.items()}}


def _answer(groups: Groups) -> str:
    """What tells winners from losers outside both intervals, over all Marshals."""
    apart = []
    for name, measure in MEASURES:
        for (label, won), (_, lost) in zip(groups[::2], groups[1::2], strict=True):
            mine, theirs = _interval(won, measure), _interval(lost, measure)
            if len(won) < 2 or len(lost) < 2 or mine is None or theirs is None:
                continue
            if mine.low > theirs.high or mine.high < theirs.low:
                word = "more" if mine.value > theirs.value else "less"
                apart.append(f"{name} {mine.value:.2f}, {word} than {theirs.value:.2f} ({label.removeprefix('wins ')})")
    if not apart:
        return "Winning and losing Fugitives do not differ outside the intervals."
    return f"Where winners and losers differ beyond both intervals: {'; '.join(apart)}."


def _plot(groups: Groups) -> Plot:
    title = "Steps of winning and losing Fugitives"
    bars = []
    for label, facts in groups:
        steps = [step.length for each in facts for step in _placed(each)]
        if steps:
            counts = Counter(
                {f"step-{i}": sum(low <= s <= high for s in steps) for i, (_, low, high) in enumerate(LENGTHS)}
            )
            word, _, marshal = label.partition(" against ")
            bars.append(Cell(word, marshal, len(steps), endings=counts))
    legend = {f"step-{i}": f"step {name}" for i, (name, _, _) in enumerate(LENGTHS)}
    colours = dict(zip(legend, COLOURS, strict=True))
    return Plot("hideouts", title, standalone(stacked_bars(title, bars, list(legend), legend, "steps"), colours))


def _draws(setup: StudySetup, groups: Groups) -> MarkdownTable:
    names = make_config(setup.preset).pile_names
    rows = []
    for label, facts in groups:
        counts = Counter(pile for each in facts for _, pile in each.fugitive_draws)
        n = max(1, counts.total())
        rows.append((label, *(percent(counts[pile] / n) for pile in range(len(names))), counts.total()))
    return MarkdownTable(("his draws", *names, "cards"), rows)


def _escapes(groups: Groups) -> MarkdownTable:
    rows = []
    for label, facts in groups:
        last = [step for each in facts for step in each.steps if step.is_escape]
        columns = ("length", "n_sprints", "round")
        means = [mean_of(Counter(float(getattr(step, name)) for step in last)) for name in columns]
        rows.append((label, len(last), *map(_text, means)))
    return MarkdownTable(("", "escapes", "step", "sprint cards", "round"), rows)
