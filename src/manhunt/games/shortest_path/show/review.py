"""What `manhunt analyse` says first: the bounds that a record holds, checked, and what was surely lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from manhunt.analysis.findings import Findings
from manhunt.cli.screen import console, progress_bar, time_bar
from manhunt.core.errors import BadConfig, ManhuntError
from manhunt.core.thinking_time import count_work
from manhunt.games.shortest_path.show.analysis import findings_of
from manhunt.games.shortest_path.solvers import review as rounds_of
from manhunt.games.shortest_path.solvers.bounds import (
    Bounds,
    bounds_from_json,
    check_bounds,
    compile_searches,
    find_bounds,
    rounded_down,
)
from manhunt.games.shortest_path.solvers.review import Round
from manhunt.games.shortest_path.solvers.verdict import verdict
from manhunt.play.fair_deal import DealCheck, deal_words, verify_deal
from manhunt.play.hindsight import Hindsight
from manhunt.play.record import Record, ReplayedGame, replay


@dataclass(frozen=True)
class Reviewed:
    """Bounds on the start, and round by round what was certain; no rounds where only the bounds were checked."""

    record: Record
    played: ReplayedGame
    start: Bounds
    stored: bool
    rounds: list[Round]

    def to_json(self) -> dict[str, Any]:
        return _to_json(self.record, self.played, self.start, self.stored, self.rounds)

    def show(self) -> None:
        _print(self.record, self.played, self.start, self.stored, self.rounds)

    def findings(self, past: Hindsight) -> Findings:
        with count_work():
            return findings_of(past, self.start, self.rounds)


def review(record: Record, source: str, limit_seconds: float) -> Reviewed:
    """The bounds of the start, and those of every position within this time each; 0: none of these.

    Seconds are those of counted work, so that the same game always gets the same bounds.
    """
    played = replay(record, source)
    compile_searches()
    with count_work():
        start = _start_bounds(record, played, source, limit_seconds)
        rounds = _rounds(played, start, limit_seconds) if limit_seconds else []
    return Reviewed(record, played, start, record.bounds is not None, rounds)


def _start_bounds(record: Record, played: ReplayedGame, source: str, limit_seconds: float) -> Bounds:
    """Those of the record, checked; a record without bounds gets some."""
    state = played.states[0]
    if record.bounds is None:
        if not limit_seconds:
            raise BadConfig(f"{source} holds no bounds; give --seconds above 0 to find some")
        with time_bar("bounds of the start", limit_seconds):
            return find_bounds(state, limit_seconds)
    bounds = bounds_from_json(record.bounds, played.config.board, f"{source}, bounds")
    try:
        with time_bar("checking the bounds", 10.0):
            check_bounds(state, bounds)
    except ManhuntError as error:
        raise ManhuntError(f"{source}: {error}") from None
    return bounds


def _rounds(played: ReplayedGame, start: Bounds, limit_seconds: float) -> list[Round]:
    rounds = []
    with progress_bar() as bar:
        task = bar.add_task("positions", total=(len(played.actions) + 1) // 2, note="")
        for found in rounds_of.review(played.states, played.actions, start, limit_seconds):
            rounds.append(found)
            bar.update(task, completed=len(rounds), note=f"round {len(rounds)}")
    return rounds


def _paid(record: Record) -> float | None:
    return None if record.outcome is None else record.outcome.cost


def _to_json(record: Record, played: ReplayedGame, start: Bounds, stored: bool, rounds: list[Round]) -> dict[str, Any]:
    config, board = played.config, played.config.board
    write = played.game.format_action
    return {
        "game": record.game,
        "board": board.name,
        "rule": config.rule.value,
        "seats": dict(record.seats),
        "deal": verify_deal(record).value,
        "outcome": None if record.outcome is None else str(record.outcome),
        "paid": _paid(record),
        "bounds": {"stored": stored, "solved": start.solved, "gap": start.gap, **start.to_json(board)},
        "verdict": verdict(start, _paid(record)) if record.outcome else None,
        "rounds": [
            {
                "round": i,
                "at": board.label(r.before.quarry),
                "step": write(config, r.step),
                "cost": r.cost,
                "paid": r.after.total,
                "raise": None if r.reply is None else write(config, r.reply),
                "lower": r.bounds.lower.value,
                "upper": r.bounds.upper.value,
                "traveller_lost": r.traveller_lost,
                "adversary_lost": r.adversary_lost,
            }
            for i, r in enumerate(rounds, 1)
        ],
    }


def _print(record: Record, played: ReplayedGame, start: Bounds, stored: bool, rounds: list[Round]) -> None:
    from rich.markup import escape

    out, config = console(), played.config
    names = ", ".join(f"{word} {record.seats.get(seat, '-')}" for word, seat in _WORDS.items())
    out.print(f"[bold]{escape(played.game.title)}[/] on {escape(config.board.name)}, rule {config.rule.value}")
    out.print(f"[quiet]{escape(names)}[/]")
    if verify_deal(record) is DealCheck.KEPT:
        out.print(f"[quiet]{deal_words(record)}[/]", soft_wrap=True)
    n_edges, n_arcs = len(start.lower.edges), len(start.upper.arcs)
    out.print(f"best play from the start costs [bold]{start}[/]")
    source = "the record's bounds are right" if stored else "the record holds no bounds; these were found now"
    memory = "" if start.lower.horizon is None else f", horizon {start.lower.horizon}"
    size = f"{n_edges} edges{memory}; {n_arcs} arcs"
    out.print(f"[quiet]{source} ({size})[/]")
    if rounds:
        out.print(_table(played, rounds))
        if 2 * len(rounds) < len(played.actions):
            out.print(f"[quiet]after round {len(rounds)} few moves are left: the bounds do not hold there[/]")
        for word, lost in (("traveller", "traveller_lost"), ("adversary", "adversary_lost")):
            total = sum(getattr(r, lost) for r in rounds)
            if total:
                out.print(f"the {word} surely lost {rounded_down(total)} or more in all")
    if record.outcome is None:
        out.print("the game is unfinished")
    else:
        out.print(verdict(start, _paid(record)))


def _losses(r: Round) -> list[tuple[str, str, float]]:
    return [("[danger]", "traveller", r.traveller_lost), ("[quiet]", "adversary", r.adversary_lost)]


_WORDS = {"traveller": "evader", "adversary": "pursuers"}


def _table(played: ReplayedGame, rounds: list[Round]) -> Any:
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("round", "still to pay", "step", "cost", "paid", "raise", "surely lost"):
        table.add_column(name, justify="right" if name in ("round", "cost", "paid") else "left")
    write = played.game.format_action
    for i, r in enumerate(rounds, 1):
        lost = ", ".join(f"{style}{who} ≥ {rounded_down(amount)}[/]" for style, who, amount in _losses(r) if amount)
        reply = "" if r.reply is None else write(played.config, r.reply)
        step = write(played.config, r.step)
        table.add_row(str(i), str(r.bounds), escape(step), f"{r.cost:.4g}", f"{r.after.total:.6g}", escape(reply), lost)
    return table
