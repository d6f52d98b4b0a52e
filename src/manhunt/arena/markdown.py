"""A tournament's figures as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.ratings import rate
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
from manhunt.games.registry import make_game
from manhunt.ids import PLAYERS, Seat


def markdown_of(ledger: Ledger) -> str:
    plan = ledger.plan
    names = make_game(plan.game).seat_names
    evader, pursuers = names[Seat.EVADER], names[Seat.PURSUERS]
    parts = [f"# {title_of(plan)}", f"{setting_of(plan)}. Run `{plan.run_id}`, {ledger.n_finished} games played."]
    if has_costs(plan):
        text = "Mean cost of those who arrive, 95 % interval (Student), share that arrives."
        parts += [f"## What the {evader} pays", f"{text} {bounds_text(ledger.bounds)}".rstrip()]
        parts.append(_matrix(ledger, _cost_cell))
    parts += [
        f"## How often {evader} wins",
        "Rate, 95 % interval (Wilson), mean rounds, games.",
        _matrix(ledger, _cell),
    ]
    if ledger.n_finished:
        ratings = rate(ledger)
        rated = [(names[seat], row.agent, *elo_text(row)) for seat in PLAYERS for row in ratings.of(seat)]
        parts += ["## Ratings", _table(("role", "agent", "Elo", "95 % interval"), rated)]
        if rows := paired_rows(ledger):
            paired = [
                (names[seat], f"{second} - {first}", against, *points(paired_difference(counts)), counts.n)
                for seat, first, second, against, counts in rows
            ]
            head = ("role", "agents", "against", "points", "95 % interval", "deals")
            parts += ["## On the same deals", _table(head, paired)]
        parts += ["## How games end", _endings(ledger, f"{evader} against {pursuers}")]
    if ledger.thinking:
        spent = [
            (
                names[Seat(row["seat"])],
                row["agent"],
                seconds_text(row["mean_seconds"]),
                seconds_text(row["longest_seconds"]),
                row["decisions"],
            )
            for row in times_of(ledger)
        ]
        parts += ["## Time of a decision", _table(("role", "agent", "mean", "longest", "decisions"), spent)]
    return "\n\n".join(parts) + "\n"


def _matrix(ledger: Ledger, text_of: Callable[[Cell], str]) -> str:
    plan = ledger.plan
    n = len(plan.pursuers)
    rows = [(agent, *map(text_of, ledger.cells[i * n : (i + 1) * n])) for i, agent in enumerate(plan.evaders)]
    return _table(("", *plan.pursuers), rows)


def _cell(cell: Cell) -> str:
    rate = cell.evader_rate
    if rate is None:
        return "no game"
    faults = sum(cell.faults.values()) + cell.lost
    note = f", {faults} faults" if faults else ""
    return f"**{percent(rate.value)}** ({rate_text(rate)}), {cell.mean_rounds:.1f} rounds, {cell.n_games}{note}"


def _cost_cell(cell: Cell) -> str:
    cost, arrived = cell.mean_cost, cell.arrival_rate
    if arrived is None:
        return "no game"
    if cost is None:
        return "never arrives"
    value, interval = cost_text(cost)
    return f"**{value}**{f' ({interval})' if interval else ''}, {arrived_text(arrived)}"


def _endings(ledger: Ledger, head: str) -> str:
    kinds = sorted({kind for cell in ledger.cells for kind in cell.endings})
    rows = [(f"{c.evader} against {c.pursuers}", *(c.endings[kind] for kind in kinds)) for c in ledger.cells]
    return _table((head, *kinds), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
