"""A matrix's figures as Markdown."""

from collections.abc import Callable, Iterable, Sequence

from manhunt.arena import words
from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.summary import rating_rows, same_deal_rows, time_rows
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game


def markdown_of(ledger: Ledger) -> str:
    plan = ledger.plan
    names = make_game(plan.game).seat_names
    called = make_game(plan.game).called(Seat.EVADER)
    setting = f"{text}. " if (text := words.setting_of(plan)) else ""
    parts = [f"# {words.title_of(plan)}", f"{setting}Run `{plan.run_id}`, {ledger.n_finished} games played."]
    if words.has_costs(plan):
        text = "Mean cost of those who arrive, 95 % interval (Student), share that arrives."
        parts += [f"## What {called} pays", f"{text} {words.bounds_text(plan, ledger.bounds)}".rstrip()]
        parts.append(_matrix(ledger, _cost_cell))
    parts += [
        f"## How often {called} wins",
        "Rate, 95 % interval (Wilson), mean rounds, games.",
        _matrix(ledger, _cell),
    ]
    if ledger.n_finished:
        parts += ["## Ratings", _table(("role", "agent", "Elo", "95 % interval"), rating_rows(ledger))]
        if rows := same_deal_rows(ledger):
            head = ("role", "agents", "against", "points", "95 % interval", "deals")
            parts += ["## On the same deals", _table(head, rows)]
        parts += ["## How games end", _endings(ledger, f"{names[Seat.EVADER]} against {names[Seat.PURSUERS]}")]
    if ledger.thinking:
        titles = ("role", "agent", "mean", "longest", "decisions")
        parts += ["## Time per decision", _table(titles, time_rows(ledger))]
    return "\n\n".join(parts) + "\n"


def _matrix(ledger: Ledger, text_of: Callable[[Cell], str]) -> str:
    return _table(("", *ledger.plan.pursuers), [(agent, *map(text_of, cells)) for agent, cells in ledger.rows])


def _cell(cell: Cell) -> str:
    rate = cell.evader_rate
    if rate is None:
        return "no game"
    games = f"{cell.n_games}, {cell.n_faults} faults" if cell.n_faults else f"{cell.n_games}"
    return f"**{words.percent(rate.value)}** ({words.rate_text(rate)}), {cell.mean_rounds:.1f} rounds, {games}"


def _cost_cell(cell: Cell) -> str:
    cost, arrived = cell.mean_cost, cell.arrival_rate
    if arrived is None:
        return "no game"
    if cost is None:
        return "never arrives"
    value, interval = words.cost_text(cost)
    return f"**{value}**{f' ({interval})' if interval else ''}, {words.arrived_text(arrived)}"


def _endings(ledger: Ledger, head: str) -> str:
    kinds = sorted({kind for cell in ledger.cells for kind in cell.endings})
    rows = [(f"{c.evader} against {c.pursuers}", *(c.endings[kind] for kind in kinds)) for c in ledger.cells]
    return _table((head, *kinds), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
