"""What `manhunt arena` shows in the terminal: the running matrix, tables, the sequential test."""

import math
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.live import Live as LiveDisplay
from rich.markup import escape
from rich.table import Table

from manhunt.arena.games import ListedGame
from manhunt.arena.ledger import Cell, Ledger
from manhunt.arena.schedule import KERNEL, Plan
from manhunt.arena.sequential import Comparison, Verdict
from manhunt.arena.stats import Interval, paired_difference
from manhunt.arena.summary import FigureRow, rating_rows, same_deal_rows, summary_of, time_rows, times_of
from manhunt.arena.words import (
    arrived_text,
    bounds_text,
    cost_text,
    has_costs,
    percent,
    points,
    rate_text,
    title_of,
)
from manhunt.cli.screen import console, progress_bar, say
from manhunt.core.ids import Seat
from manhunt.core.registry import make_game
from manhunt.draw.templates import thousands

MAX_PAIRS = 8
"""More comparisons than these are left to the Markdown and HTML reports."""


def warn(text: str) -> None:
    say(f"manhunt: {text}", stderr=True)


def report_to_json(ledger: Ledger) -> dict[str, Any]:
    certain = {} if ledger.bounds is None else {"bounds": ledger.bounds}
    return {**summary_of(ledger), **certain, "times": times_of(ledger)}


class Live:
    """A progress bar with time left and something below it; silent where standard error is no terminal."""

    def __init__(self, total: int, title: str) -> None:
        self._bar = progress_bar()
        self._task = self._bar.add_task(title, total=total, note="")
        screen = self._bar.console
        self._live = LiveDisplay(console=screen, transient=True, refresh_per_second=4) if screen.is_terminal else None

    def __enter__(self) -> Any:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    @property
    def is_shown(self) -> bool:
        return self._live is not None

    def update(self, done: int, note: str, below: RenderableType, total: int | None = None) -> None:
        self._bar.update(self._task, completed=done, note=note, total=total)
        if self._live is not None:
            self._live.update(Group(self._bar, below))


class LiveMatrix(Live):
    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.n_matches, title_of(plan))

    def show(self, ledger: Ledger) -> None:
        if self._live is not None:
            self.update(ledger.n_finished, f"{ledger.n_finished}/{ledger.plan.n_matches}", matrix_table(ledger))


class LiveComparison(Live):
    def __init__(self, comparison: Comparison) -> None:
        super().__init__(comparison.plan.n_matches, title_of(comparison.plan))
        self._comparison = comparison

    def show(self, ledger: Ledger) -> None:
        if self._live is not None:
            self.update(ledger.n_finished, f"{self._comparison.counts.n} deals", llr_line(self._comparison))


def matrix_table(ledger: Ledger) -> Table:
    """Rate at which the evader wins or what he pays, with its interval; rows are evaders."""
    plan = ledger.plan
    text_of = _cost_text if has_costs(plan) else _cell_text
    names = make_game(plan.game).seat_names
    table = _table(f"{names[Seat.EVADER]} \\ {names[Seat.PURSUERS]}")
    for agent in plan.pursuers:
        table.add_column(escape(agent), justify="right", overflow="fold")
    for agent, cells in ledger.rows:
        table.add_row(escape(agent), *(text_of(cell, plan.n_games) for cell in cells))
    return table


def _cell_text(cell: Cell, n_games: int) -> str:
    rate = cell.evader_rate
    if rate is None:
        return "[quiet]no games yet[/quiet]" if not cell.lost else f"[danger]{cell.lost} lost[/danger]"
    note = f"\n[danger]{cell.n_faults} faults[/danger]" if cell.n_faults else ""
    size = "" if cell.n_games == n_games else f"\n{cell.n_games:,} games"
    return f"{percent(rate.value)}\n[quiet]{rate_text(rate)}\n{cell.mean_rounds:.1f} rounds{size}[/quiet]{note}"


def _cost_text(cell: Cell, n_games: int) -> str:
    cost, arrived = cell.mean_cost, cell.arrival_rate
    if arrived is None or cell.lost:
        return _cell_text(cell, n_games)
    value, interval = cost_text(cost) if cost else ("never arrives", "")
    size = "" if cell.n_games == n_games else f"{cell.n_games:,} games"
    rows = [interval, arrived_text(arrived) if cost else "", f"{cell.mean_rounds:.1f} rounds", size]
    note = f"\n[danger]{cell.n_faults} faults[/danger]" if cell.n_faults else ""
    return f"{value}\n[quiet]{chr(10).join(filter(None, rows))}[/quiet]{note}"


def print_report(ledger: Ledger, out: Path | None = None) -> None:
    """Matrix, ratings, same deals, times."""
    plan = ledger.plan
    names = make_game(plan.game).seat_names
    screen = console()
    screen.print(f"[bold]{title_of(plan)}[/bold]  [quiet]run {plan.run_id}[/quiet]")
    if ledger.n_finished < plan.n_matches:
        screen.print(f"[danger]{ledger.n_finished} of {plan.n_matches} games are played[/danger]")
    if has_costs(plan):
        who = make_game(plan.game).called(Seat.EVADER)
        screen.print(f"\nwhat {who} pays on average in games that end with an arrival, with 95 % intervals")
    else:
        screen.print(f"\n{names[Seat.EVADER]} wins, with 95 % intervals")
    screen.print(matrix_table(ledger))
    if ledger.bounds is not None:
        screen.print(f"{bounds_text(plan, ledger.bounds)}\n")
    if ledger.n_finished:
        screen.print(_grid(("rating", "agent", "Elo", "95 % interval"), 2, rating_rows(ledger)))
        if 0 < len(rows := same_deal_rows(ledger)) <= MAX_PAIRS:
            head = ("same deals", "second less first", "against", "points", "95 % interval", "deals")
            screen.print(_grid(head, 3, rows))
    if ledger.thinking:
        titles = ("time per decision", "agent", "mean", "longest", "decisions")
        screen.print(_grid(titles, 2, time_rows(ledger)))
    if plan.path == KERNEL:
        screen.print("[quiet]compiled games: no referee, no records, no times; seeds of their own[/quiet]")
    for number, fault in ledger.faults[:5]:
        seat = names.get(fault.seat, "") if fault.seat else ""
        detail = escape(f"{seat} in {plan.match(number)}: {fault.detail}".strip())
        screen.print(f"[danger]{fault.why}[/danger] {detail}")
    if len(ledger.faults) > 5:
        screen.print(f"[quiet]... and {len(ledger.faults) - 5} more faults[/quiet]")
    if out is not None:
        screen.print(f"[quiet]kept in {out}; page with plots: manhunt arena report {out} --html FILE[/quiet]")
        if plan.records:
            hint = f"a game that was lost: manhunt arena games {out} --lost-by AGENT"
            screen.print(f"[quiet]{escape(hint)}[/quiet]", soft_wrap=True)


def print_games(games: Sequence[ListedGame], total: int) -> None:
    """A line for each game, and what can be done with its record."""
    screen = console()
    if not games:
        screen.print("no such game")
        return
    grid = _table("game", "evader", "pursuers", "outcome", "rounds")
    for game in games:
        outcome = str(game.result.outcome or "could not be played")
        cells = (str(game.number), game.match.evader, game.match.pursuers, outcome, str(game.result.rounds))
        grid.add_row(*map(escape, cells))
    screen.print(grid)
    if len(games) < total:
        screen.print(f"[quiet]... and {total - len(games):,} more; --limit 0 lists all[/quiet]")
    kept = next((game.record for game in games if game.record is not None), None)
    if kept is None:
        screen.print("[quiet]no records were kept: leave --no-records out when you play[/quiet]")
        return
    screen.print(f"[quiet]records: {escape(str(kept.parent))}, a file a game, by number[/quiet]", soft_wrap=True)
    screen.print(f"[quiet]see one again: manhunt replay {escape(str(kept))}[/quiet]", soft_wrap=True)
    screen.print(f"[quiet]why it was lost: manhunt analyse {escape(str(kept))}[/quiet]", soft_wrap=True)


def _grid(titles: Sequence[str], n_text: int, rows: Sequence[FigureRow]) -> Table:
    """A table whose first columns are text, the others figures; a role is named once."""
    table = _table(*titles[:n_text])
    for title in titles[n_text:]:
        table.add_column(title, justify="right")
    shown: object = None
    for role, *cells in rows:
        table.add_row("" if role == shown else str(role), *(escape(thousands(cell)) for cell in cells))
        shown = role
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold")
    return table


def llr_line(comparison: Comparison) -> str:
    counts, test = comparison.counts, comparison.test
    return (
        f"LLR {comparison.llr:+.2f} [quiet]in ({test.lower:.2f}, {test.upper:.2f})[/quiet]  "
        f"new only {counts.second_only}, old only {counts.first_only}, same {counts.both + counts.neither}"
    )


_MEANING = {
    Verdict.H0: "H0: not better by {elo1:g} Elo",
    Verdict.H1: "H1: better by more than {elo0:g} Elo",
    Verdict.UNDECIDED: "undecided: more games are needed",
}


def _elo_words(elo: Interval) -> str:
    """An estimate from games that all went one way has one end only."""
    if elo.value == math.inf:
        return f"Elo above {elo.low:+.0f}"
    if elo.value == -math.inf:
        return f"Elo below {elo.high:+.0f}"
    return f"Elo {elo.value:+.0f} [quiet]({elo.low:+.0f} to {elo.high:+.0f})[/quiet]"


def print_comparison(comparison: Comparison) -> None:
    screen = console()
    old, new = comparison.agents
    name = make_game(comparison.plan.game).seat_names[comparison.seat]
    test, counts = comparison.test, comparison.counts
    screen.print(escape(f"{new} against {old} as {name}, opponent {comparison.against}"), style="bold")
    screen.print(llr_line(comparison))
    elo = comparison.elo
    if elo is not None:
        screen.print(f"{_elo_words(elo)}, {counts.n:,} deals")
    if counts.n:
        value, interval = points(paired_difference(counts))
        screen.print(f"win rate {value} points [quiet]({interval})[/quiet]")
    meaning = _MEANING[comparison.verdict].format(elo0=test.elo0, elo1=test.elo1)
    screen.print(f"[bold]{meaning}[/bold]")
