"""Who is favoured when both play well?"""

from manhunt.arena.plots import RATE_AXIS, Row, dot_plot
from manhunt.arena.stats import Interval
from manhunt.arena.words import percent, rate_text, seconds_text
from manhunt.core.ids import Side
from manhunt.games.fugitive.study.section import Library, MarkdownTable, Plot, Section, StudyPart, standalone
from manhunt.games.fugitive.study.setup import Pair, StudySetup


class BalancePart(StudyPart):
    name = "balance"

    def pairs(self, setup: StudySetup) -> list[Pair]:
        return [Pair(fugitive, marshal) for fugitive in setup.fugitives for marshal in setup.marshals]

    def section(self, setup: StudySetup, games: Library) -> Section:
        best = games[Pair(setup.fugitive, setup.marshal)].rate(Side.EVADER)
        who = "the Marshal" if best.high < 0.5 else "the Fugitive" if best.low > 0.5 else "neither side for sure"
        rates = {pair: games[pair].rate(Side.EVADER) for pair in self.pairs(setup)}
        rows = [
            (f"`{fugitive}`", *(_cell(rates[Pair(fugitive, marshal)]) for marshal in setup.marshals))
            for fugitive in setup.fugitives
        ]
        return Section(
            "Who is favoured when both play well?",
            f"Between the agents studied, {who}: `{setup.fugitive}` wins {percent(best.value)} of its games against "
            f"`{setup.marshal}` (95 % interval {rate_text(best)}).",
            [
                "How often the Fugitive wins:",
                MarkdownTable(("", *(f"`{marshal}`" for marshal in setup.marshals)), rows),
                _plot(rates),
                "Time per decision: " + _times(setup, games) + ".",
            ],
            {"fugitive_wins": [{**pair._asdict(), **rate._asdict()} for pair, rate in rates.items()]},
        )


def _cell(rate: Interval) -> str:
    return f"**{percent(rate.value)}** ({rate_text(rate)})"


def _plot(rates: dict[Pair, Interval]) -> Plot:
    title = "How often the Fugitive wins"
    rows = [Row(f"{p.fugitive} against {p.marshal}", r, percent(r.value)) for p, r in rates.items()]
    return Plot("balance", title, standalone(dot_plot(title, rows, RATE_AXIS, "evader")))


def _times(setup: StudySetup, games: Library) -> str:
    spent = games[Pair(setup.fugitive, setup.marshal)].mean_seconds
    return ", ".join(f"`{agent}` {seconds_text(seconds)}" for agent, seconds in sorted(spent.items()))
