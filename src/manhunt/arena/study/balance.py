"""Who is favoured when both play well?"""

from __future__ import annotations

from manhunt.arena.plots import RATE_AXIS, Row, dot_plot
from manhunt.arena.stats import Interval
from manhunt.arena.study.picture import standalone
from manhunt.arena.study.section import GamesOnly, Library, Plot, Section, Table
from manhunt.arena.study.setting import Pair, Setting
from manhunt.arena.words import percent, rate_text, seconds_text
from manhunt.ids import Side


class Balance(GamesOnly):
    name = "balance"

    def pairs(self, setting: Setting) -> list[Pair]:
        return [Pair(fugitive, marshal) for fugitive in setting.fugitives for marshal in setting.marshals]

    def section(self, setting: Setting, games: Library) -> Section:
        best = games[Pair(setting.fugitive, setting.marshal)].rate(Side.EVADER)
        who = "the Marshal" if best.high < 0.5 else "the Fugitive" if best.low > 0.5 else "neither side for sure"
        rates = {pair: games[pair].rate(Side.EVADER) for pair in self.pairs(setting)}
        rows = [
            (f"`{fugitive}`", *(_cell(rates[Pair(fugitive, marshal)]) for marshal in setting.marshals))
            for fugitive in setting.fugitives
        ]
        return Section(
            "Who is favoured when both play well?",
            f"Between the agents studied, {who}: `{setting.fugitive}` wins {percent(best.value)} of its games against "
            f"`{setting.marshal}` (95 % interval {rate_text(best)}).",
            [
                "How often the Fugitive wins:",
                Table(("", *(f"`{marshal}`" for marshal in setting.marshals)), rows),
                _plot(rates),
                "Time of a decision: " + _times(setting, games) + ".",
            ],
            {"fugitive_wins": [{**pair._asdict(), **rate._asdict()} for pair, rate in rates.items()]},
        )


def _cell(rate: Interval) -> str:
    return f"**{percent(rate.value)}** ({rate_text(rate)})"


def _plot(rates: dict[Pair, Interval]) -> Plot:
    title = "How often the Fugitive wins"
    rows = [Row(f"{p.fugitive} against {p.marshal}", r, percent(r.value)) for p, r in rates.items()]
    return Plot("balance", title, standalone(dot_plot(title, rows, RATE_AXIS, "evader")))


def _times(setting: Setting, games: Library) -> str:
    spent = games[Pair(setting.fugitive, setting.marshal)].mean_seconds
    return ", ".join(f"`{agent}` {seconds_text(seconds)}" for agent, seconds in sorted(spent.items()))
