"""A matrix's figures as one HTML file: no script, nothing loaded from elsewhere, light and dark."""

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from manhunt.arena import words
from manhunt.arena.ledger import Ledger
from manhunt.arena.plots import RATE_AXIS, Row, dot_plot, elo_axis, histogram, stacked_bars
from manhunt.arena.ratings import Ratings, rate
from manhunt.arena.replays import LinkedGame
from manhunt.arena.schedule import KERNEL
from manhunt.arena.summary import same_deal_rows, time_rows
from manhunt.core.ids import PLAYERS, Seat
from manhunt.core.outcome import Termination
from manhunt.core.registry import make_game
from manhunt.draw.look import CORNER, TEXT_SIZES
from manhunt.draw.page_style import base_style, head
from manhunt.draw.templates import render

MAX_FAULTS = 50
ENDINGS = {
    Termination.CAPTURE: "underground",
    Termination.STRANDED: "belief",
    Termination.SURVIVAL: "bus",
    Termination.EXHAUSTED: "taxi",
    Termination.ARRIVAL: "ferry",
    Termination.FORFEIT: "plain",
}
"""The colour of each ending, by its purpose in the look."""


def page_of(ledger: Ledger, linked: Sequence[LinkedGame] = ()) -> str:
    """The report; `linked` are games with their records and, as far as they were written, pages to replay."""
    plan, game = ledger.plan, make_game(ledger.plan.game)
    title, names = words.title_of(plan), game.seat_names
    ratings = rate(ledger) if ledger.n_finished else None
    return report_page(
        "matrix.html",
        title,
        words=words,
        ledger=ledger,
        names={seat.value: names[seat] for seat in PLAYERS},
        called=game.called(Seat.EVADER),
        facts=_facts(ledger),
        cheapness=_cheapness(ledger),
        ratings=ratings,
        plots=_plots(ledger, ratings) if ratings else {},
        same_deals=same_deal_rows(ledger),
        times=time_rows(ledger),
        linked=linked,
        faults=[
            (str(plan.match(number)), names[fault.seat] if fault.seat else "", fault.why, fault.detail)
            for number, fault in ledger.faults[:MAX_FAULTS]
        ],
    )


def report_page(template: str, title: str, more_style: str = "", **values: Any) -> str:
    """A page in the style of our reports: tables, matrix, plots."""
    small, body, h2, *_ = TEXT_SIZES
    sizes = {"small": small, "body": body, "h2": h2, "corner": CORNER}
    style = base_style() + render("arena/templates", "report.css", **sizes, endings=ENDINGS) + more_style
    return render("arena/templates", template, title=title, head=head(escape(title), style), **values) + "\n"


def _facts(ledger: Ledger) -> str:
    plan = ledger.plan
    played = f"{ledger.n_finished:,} of {plan.n_matches:,} games played"
    compiled = "compiled games" if plan.path == KERNEL else ""
    parts = (words.setting_of(plan), played, f"run {plan.run_id}", f"manhunt {plan.version}", compiled)
    return " · ".join(filter(None, parts))


def _cheapness(ledger: Ledger) -> Any:
    """From 0 for the largest mean cost of a cell to 1 for the smallest, on a logarithmic scale."""
    means = [math.log(cost.value) for cell in ledger.cells if (cost := cell.mean_cost)]
    least, most = min(means, default=0.0), max(means, default=0.0)
    return lambda cost: (most - math.log(cost)) / (most - least) if most > least else 0.5


def _plots(ledger: Ledger, ratings: Ratings) -> dict[str, Any]:
    names = make_game(ledger.plan.game).seat_names
    cells = [(cell, f"{cell.evader} against {cell.pursuers}") for cell in ledger.cells if cell.n_games]
    played = [cell for cell, _ in cells]
    rates = [(label, cell.evader_rate) for cell, label in cells]
    rated = {seat: [Row(r.agent, r.elo, words.elo_text(r)[0]) for r in ratings.of(seat)] for seat in PLAYERS}
    kinds = [kind.value for kind in ENDINGS if any(cell.endings[kind.value] for cell in played)]
    first, last = min(min(cell.rounds) for cell in played), max(max(cell.rounds) for cell in played)
    most = max(n / cell.n_games for cell in played for n in cell.rounds.values())
    title = "Win rates with intervals"
    return {
        "rates": dot_plot(
            title, [Row(label, r, words.percent(r.value)) for label, r in rates if r], RATE_AXIS, "evader"
        ),
        "ratings": {
            seat: dot_plot(f"Ratings of {names[seat]}", rows, elo_axis(rows), seat.value)
            for seat, rows in rated.items()
        },
        "endings": (kinds, stacked_bars("How games end", played, kinds)),
        "rounds": [
            (label, cell.mean_rounds, histogram(label, cell.rounds, first, last, most)) for cell, label in cells
        ],
    }
