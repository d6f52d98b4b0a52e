"""Variants of one agent against the same opponents on the same deals: the table, the plot and the words."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manhunt.arena.plots import Row, dot_plot, elo_axis
from manhunt.arena.stats import Interval, PairCounts, paired_difference
from manhunt.arena.words import percent, points, rate_text
from manhunt.core.ids import Side
from manhunt.games.fugitive.study.games import Games
from manhunt.games.fugitive.study.section import Library, MarkdownTable, Plot, StudyPart, standalone
from manhunt.games.fugitive.study.setup import Pair, StudySetup

SIDE_NAMES = {Side.EVADER: "Fugitive", Side.PURSUERS: "Marshal"}


@dataclass(frozen=True)
class Trial:
    """A variant against an opponent, and the agent's own choice on the same deals."""

    label: str
    against: str
    games: Games
    own: Games
    side: Side

    @property
    def is_own(self) -> bool:
        return self.games is self.own

    @property
    def counts(self) -> PairCounts:
        return self.games.against(self.own, self.side)

    @property
    def gap(self) -> Interval:
        return paired_difference(self.counts)

    @property
    def verdict(self) -> str:
        """Compared with the own choice, outside the 95 % interval or not."""
        return "better" if self.gap.low > 0 else "worse" if self.gap.high < 0 else "no difference shown"


class RulePart(StudyPart):
    """A part that binds one side to each value of a rule, against both opponents."""

    side = Side.PURSUERS
    labels: Mapping[str, str]
    """By value of the rule, what the page calls it."""

    @abstractmethod
    def bound(self, setup: StudySetup, value: str) -> str:
        """The spec of the agent in question with this value of the rule; `own` is the agent itself."""

    def _pair(self, setup: StudySetup, value: str, against: str) -> Pair:
        spec = self.bound(setup, value)
        return Pair(spec, against) if self.side is Side.EVADER else Pair(against, spec)

    def _opponents(self, setup: StudySetup) -> tuple[str, ...]:
        return setup.marshals if self.side is Side.EVADER else setup.fugitives

    def pairs(self, setup: StudySetup) -> list[Pair]:
        return [self._pair(setup, value, each) for each in self._opponents(setup) for value in ("own", *self.labels)]

    def trials(self, setup: StudySetup, games: Library) -> list[Trial]:
        """The own choice first, then by the value of the rule."""
        found = []
        for against in self._opponents(setup):
            own = games[self._pair(setup, "own", against)]
            for value, label in {"own": "own choice", **self.labels}.items():
                found.append(Trial(label, against, games[self._pair(setup, value, against)], own, self.side))
        return found


def rate_words(rate: Interval) -> str:
    return f"{percent(rate.value)} ({rate_text(rate)})"


def table_of(trials: Sequence[Trial]) -> MarkdownTable:
    """Wins, and the difference on the same deals."""
    side = SIDE_NAMES[trials[0].side]
    rows = []
    for trial in trials:
        rate = trial.games.rate(trial.side)
        gap, interval = ("", "") if trial.is_own else points(trial.gap)
        won = f"**{percent(rate.value)}** ({rate_text(rate)})"
        verdict = "" if trial.is_own else trial.verdict
        rounds = f"{trial.games.mean_rounds:.1f}"
        forfeited = f", {trial.games.n_forfeited} forfeited" if trial.games.n_forfeited else ""
        deals = f"{trial.games.n_played}{forfeited}"
        rows.append((trial.label, f"`{trial.against}`", won, rounds, gap, interval, verdict, deals))
    head = ("rule", "against", f"{side} wins", "rounds", "points to own choice", "95 % interval", "", "deals")
    return MarkdownTable(head, rows)


def plot_of(name: str, title: str, trials: Sequence[Trial]) -> Plot:
    """Differences to the own choice, in points."""
    bound = [trial for trial in trials if not trial.is_own]
    rows = [Row(f"{t.label}: {t.against}", _in_points(t.gap), f"{points(t.gap)[0]} points") for t in bound]
    kind = "pursuers" if trials[0].side is Side.PURSUERS else "evader"
    return Plot(name, title, standalone(dot_plot(title, rows, elo_axis(rows), kind)))


def _in_points(gap: Interval) -> Interval:
    return Interval(*(100 * value for value in gap))


def in_words(trials: Sequence[Trial], what: str) -> str:
    """`No rule for piles is shown to be better than her own choice; worse: highest pile (-9.5 points ...).`"""

    def listed(verdict: str) -> list[str]:
        return [
            f"{t.label} ({points(t.gap)[0]} points against `{t.against}`)"
            for t in trials
            if not t.is_own and t.verdict == verdict
        ]

    better, worse = listed("better"), listed("worse")
    whose = "her" if trials[0].side is Side.PURSUERS else "his"
    first = f"Better than {whose} own choice: {', '.join(better)}" if better else ""
    first = first or f"No rule for {what} is shown to be better than {whose} own choice"
    second = f"worse: {', '.join(worse)}" if worse else "none is shown to be worse"
    n_open = sum(not t.is_own and t.verdict == "no difference shown" for t in trials)
    third = (
        f"; {n_open} of {sum(not t.is_own for t in trials)} comparisons show no significant difference"
        if n_open
        else ""
    )
    return f"{first}; {second}{third}."


def figures_of(trials: Sequence[Trial]) -> list[Mapping[str, Any]]:
    """As JSON."""
    return [
        {
            "rule": trial.label,
            "against": trial.against,
            "games": trial.games.n_played,
            "wins": sum(winner is trial.side for winner in trial.games.winners),
            "rate": _rounded(trial.games.rate(trial.side)),
            "to_own_choice": None if trial.is_own else {**trial.counts._asdict(), **_rounded(trial.gap)},
        }
        for trial in trials
    ]


def _rounded(interval: Interval) -> dict[str, float]:
    return {key: round(value, 6) for key, value in interval._asdict().items()}
