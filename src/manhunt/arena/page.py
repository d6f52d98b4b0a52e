"""A tournament's figures as one HTML file: no script, nothing loaded from elsewhere, light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from html import escape

from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.plots import RATE_AXIS, Row, dot_plot, elo_axis, histogram, stacked_bars
from manhunt.arena.ratings import Ratings, rate
from manhunt.arena.schedule import KERNEL
from manhunt.arena.stats import paired_difference
from manhunt.arena.summary import paired_rows, times_of
from manhunt.arena.words import (
    arrived_text,
    bounds_text,
    cost_text,
    elo_text,
    has_costs,
    percent,
    points,
    rate_text,
    seconds_text,
    setting_of,
    title_of,
)
from manhunt.draw.look import CORNER, DARK, FONT, LIGHT, TEXT_SIZES, Theme
from manhunt.games.outcome import Termination
from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS, Seat

ENDINGS = {
    Termination.CAPTURE: "underground",
    Termination.STRANDED: "belief",
    Termination.SURVIVAL: "bus",
    Termination.EXHAUSTED: "taxi",
    Termination.ARRIVAL: "ferry",
    Termination.FORFEIT: "plain",
}
"""The colour of each ending, by its purpose in the look."""

_STYLE = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:%(body)spx/1.5 %(font)s}
main{max-width:960px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:%(h1)spx;line-height:1.2;margin:0 0 4px}
h2{font-size:%(h2)spx;margin:0 0 4px}
p{margin:0 0 12px}
.quiet{color:var(--quiet);font-size:%(small)spx}
section{background:var(--surface);border:1px solid var(--line);border-radius:%(corner)spx;padding:20px;margin-top:20px}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%%}
th,td{padding:8px 10px;text-align:right;font-variant-numeric:tabular-nums;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--quiet);font-size:%(small)spx}
th:first-child,td:first-child,td.text,th.text{text-align:left}
td:not(.text){white-space:nowrap}
tr:last-child td{border-bottom:0}
h3{margin:16px 0 4px;font-size:%(body)spx}
h3 .quiet{font-weight:400}
.matrix td{text-align:center;border:3px solid var(--surface);border-radius:%(corner)spx}
.matrix th{text-align:center}
.matrix th:first-child{text-align:left}
.matrix td{background:color-mix(in srgb,var(--bus) calc(var(--rate)*55%%),
 color-mix(in srgb,var(--underground) calc((1 - var(--rate))*55%%),var(--surface)))}
.matrix b{display:block;font-size:%(h2)spx}
.matrix span{display:block;font-size:%(small)spx}
svg{display:block;width:100%%;height:auto;font-family:inherit}
svg text{fill:var(--ink);font-size:13px}
.label{text-anchor:end}.tick{text-anchor:middle}
svg text.tick{fill:var(--quiet)}
.grid{stroke:var(--line);stroke-width:1}.zero{stroke:var(--quiet);stroke-width:1;stroke-dasharray:3 3}
.bar{stroke-width:3;stroke-linecap:round;opacity:.55}
.evader.bar{stroke:var(--bus)}.evader.dot{fill:var(--bus)}
.pursuers.bar{stroke:var(--underground)}.pursuers.dot{fill:var(--underground)}
.column{fill:var(--ferry)}
.grid-of{display:grid;grid-template-columns:repeat(auto-fill,minmax(190px,1fr));gap:16px;align-items:end}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:%(small)spx}
.legend i{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:6px;vertical-align:-1px}
.fault{color:var(--danger)}
"""


def page_of(ledger: Ledger) -> str:
    plan = ledger.plan
    title = title_of(plan)
    played = f"{ledger.n_finished:,} of {plan.n_matches:,} games played"
    sections = [*([_costs_section(ledger)] if has_costs(plan) else []), _matrix_section(ledger)]
    if ledger.n_finished:
        sections += [
            _rates_section(ledger),
            _ratings_section(ledger, rate(ledger)),
            _endings_section(ledger),
            _rounds_section(ledger),
            _pairs_section(ledger),
        ]
    sections += [_times_section(ledger), _faults_section(ledger)]
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{page_style()}</style></head><body><main>\n'
        f"<h1>{escape(title)}</h1>"
        f'<p class="quiet">{escape(setting_of(plan))} · {played} · run {plan.run_id} · manhunt {escape(plan.version)}'
        f"{' · compiled games' if plan.path == KERNEL else ''}</p>\n"
        + "\n".join(sections)
        + "\n</main></body></html>\n"
    )


def page_style() -> str:
    """The style of our reports: tables, matrix, plots."""
    small, body, h2, _, h1 = TEXT_SIZES
    style = _STYLE % {"font": FONT, "small": small, "body": body, "h1": h1, "h2": h2, "corner": CORNER}
    endings = "".join(
        f".end-{kind.value}{{fill:var(--{colour});background:var(--{colour})}}" for kind, colour in ENDINGS.items()
    )
    return f":root{{{_tokens(LIGHT)}}}@media(prefers-color-scheme:dark){{:root{{{_tokens(DARK)}}}}}{style}{endings}"


def _tokens(theme: Theme) -> str:
    return "".join(f"--{f.name}:{getattr(theme, f.name)};" for f in fields(theme) if f.name != "name")


def _section(title: str, text: str, body: str) -> str:
    return (
        f'<section><h2>{escape(title)}</h2><p class="quiet">{escape(text)}</p><div class="wide">{body}</div></section>'
    )


def _matrix_section(ledger: Ledger) -> str:
    name = make_game(ledger.plan.game).seat_names[Seat.EVADER]
    text = "Win rate, 95 % interval (Wilson), mean rounds. All cells play the same deals with the same seeds."
    return _section(f"How often {name} wins", text, _matrix(ledger, _matrix_cell))


def _costs_section(ledger: Ledger) -> str:
    name = make_game(ledger.plan.game).seat_names[Seat.EVADER]
    means = [math.log(cost.value) for cell in ledger.cells if (cost := cell.mean_cost)]
    least, most = min(means, default=0.0), max(means, default=0.0)

    def cell_of(cell: Cell) -> str:
        cost, arrived = cell.mean_cost, cell.arrival_rate
        if arrived is None:
            return '<td style="--rate:.5"><span>no game</span></td>'
        if cost is None:
            return '<td style="--rate:0"><span>never arrives</span></td>'
        rate = (most - math.log(cost.value)) / (most - least) if most > least else 0.5
        value, interval = cost_text(cost)
        share = f"<span>{arrived_text(arrived)}</span>"
        return f'<td style="--rate:{rate:.3f}"><b>{value}</b><span>{interval}</span>{share}</td>'

    text = "Mean cost of those who arrive, 95 % interval (Student), share that arrives; green is cheap."
    return _section(f"What the {name} pays", f"{text} {bounds_text(ledger.bounds)}".rstrip(), _matrix(ledger, cell_of))


def _matrix(ledger: Ledger, cell_of: Callable[[Cell], str]) -> str:
    plan = ledger.plan
    names = make_game(plan.game).seat_names
    n = len(plan.pursuers)
    head = "".join(f"<th>{escape(agent)}</th>" for agent in plan.pursuers)
    rows = [f"<tr><th>{escape(names[Seat.EVADER])} ↓ {escape(names[Seat.PURSUERS])} →</th>{head}</tr>"]
    for i, agent in enumerate(plan.evaders):
        cells = "".join(cell_of(cell) for cell in ledger.cells[i * n : (i + 1) * n])
        rows.append(f"<tr><th>{escape(agent)}</th>{cells}</tr>")
    return f'<table class="matrix">{"".join(rows)}</table>'


def _matrix_cell(cell: Cell) -> str:
    rate = cell.evader_rate
    if rate is None:
        return '<td style="--rate:.5"><span>no game</span></td>'
    faults = sum(cell.faults.values()) + cell.lost
    note = f'<span class="fault">{faults} faults</span>' if faults else ""
    size = f"{cell.mean_rounds:.1f} rounds, {cell.n_games:,} games"
    return (
        f'<td style="--rate:{rate.value:.3f}"><b>{percent(rate.value)}</b><span>{rate_text(rate)}</span>'
        f"<span>{size}</span>{note}</td>"
    )


def _rates_section(ledger: Ledger) -> str:
    rows = []
    for cell in ledger.cells:
        rate = cell.evader_rate
        if rate is not None:
            rows.append(Row(f"{cell.evader} against {cell.pursuers}", rate, percent(rate.value)))
    name = make_game(ledger.plan.game).seat_names[Seat.EVADER]
    plot = dot_plot("Win rates with intervals", rows, RATE_AXIS, "evader")
    return _section("Win rates with intervals", f"Share of games won by {name}; the bar is the 95 % interval.", plot)


def _ratings_section(ledger: Ledger, ratings: Ratings) -> str:
    names = make_game(ledger.plan.game).seat_names
    parts = []
    for seat in PLAYERS:
        rows = [Row(row.agent, row.elo, elo_text(row)[0]) for row in ratings.of(seat)]
        plot = dot_plot(f"Ratings of {names[seat]}", rows, elo_axis(rows), seat.value)
        parts.append(
            f"<h3>{escape(names[seat])} <span class='quiet'>0 is {escape(ratings.reference(seat))}</span></h3>{plot}"
        )
    balance = ratings.balance
    text = (
        "Elo points, apart for the two roles (Bradley-Terry, maximum likelihood, 95 % intervals). "
        f"Between the two references {names[Seat.EVADER]} is ahead by {balance.value:+.0f} "
        f"({balance.low:+.0f} to {balance.high:+.0f})."
    )
    return _section("Ratings", text, "".join(parts))


def _pairs_section(ledger: Ledger) -> str:
    rows = paired_rows(ledger)
    if not rows:
        return ""
    names = make_game(ledger.plan.game).seat_names
    head = ("role", "second less first", "against", "points", "95 % interval", "deals")
    body = [
        (names[seat], f"{second} - {first}", against, *points(paired_difference(counts)), f"{counts.n:,}")
        for seat, first, second, against, counts in rows
    ]
    text = "Difference of two agents' win rates on the same deals, in points of 100."
    return _section("On the same deals", text, _table(head, body, 3))


def _endings_section(ledger: Ledger) -> str:
    cells = [cell for cell in ledger.cells if cell.n_games]
    kinds = [kind.value for kind in ENDINGS if any(cell.endings[kind.value] for cell in cells)]
    legend = "".join(f'<span><i class="end-{kind}"></i>{kind}</span>' for kind in kinds)
    plot = stacked_bars("How games end", cells, kinds)
    return _section("How games end", "Share of games by ending.", f'<div class="legend">{legend}</div>{plot}')


def _rounds_section(ledger: Ledger) -> str:
    cells = [cell for cell in ledger.cells if cell.n_games]
    first = min(min(cell.rounds) for cell in cells)
    last = max(max(cell.rounds) for cell in cells)
    most = max(n / cell.n_games for cell in cells for n in cell.rounds.values())
    parts = []
    for cell in cells:
        label = f"{cell.evader} against {cell.pursuers}"
        plot = histogram(label, cell.rounds, first, last, most)
        parts.append(f'<div><span class="quiet">{escape(label)}, mean {cell.mean_rounds:.1f}</span>{plot}</div>')
    text = "Share of games that ended in each round; all on the same scale."
    return _section("How long games last", text, f'<div class="grid-of">{"".join(parts)}</div>')


def _times_section(ledger: Ledger) -> str:
    if not ledger.thinking:
        return ""
    names = make_game(ledger.plan.game).seat_names
    head = ("role", "agent", "mean", "longest", "decisions")
    body = [
        (
            names[Seat(row["seat"])],
            row["agent"],
            seconds_text(row["mean_seconds"]),
            seconds_text(row["longest_seconds"]),
            f"{row['decisions']:,}",
        )
        for row in times_of(ledger)
    ]
    return _section("Time of a decision", "Observing counts as thinking.", _table(head, body, 2))


def _faults_section(ledger: Ledger) -> str:
    if not ledger.faults:
        return ""
    names = make_game(ledger.plan.game).seat_names
    body = [
        (str(ledger.plan.match(number)), names[fault.seat] if fault.seat else "", fault.why, fault.detail)
        for number, fault in ledger.faults[:50]
    ]
    text = f"{len(ledger.faults):,} games were forfeited, passed by rule, or could not be played."
    return _section("Faults", text, _table(("game", "role", "why", "detail"), body, 4))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], n_text: int) -> str:
    """A table whose first `n_text` columns are text, the others figures."""

    def row(kind: str, cells: Sequence[str]) -> str:
        classes = [' class="text"' if i < n_text else "" for i in range(len(cells))]
        return (
            "<tr>" + "".join(f"<{kind}{c}>{escape(x)}</{kind}>" for c, x in zip(classes, cells, strict=True)) + "</tr>"
        )

    return f"<table>{row('th', head)}{''.join(row('td', cells) for cells in rows)}</table>"
