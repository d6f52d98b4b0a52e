"""Adversarial Shortest Path: certified bounds on what best play costs, and moves that surely lost some of it."""

from collections.abc import Iterable
from dataclasses import replace

from manhunt.analysis.findings import Curve, CurveAxis, Effort, Findings, Judged, mark_of
from manhunt.analysis.progress import report
from manhunt.core.ids import Seat
from manhunt.core.thinking_time import count_work
from manhunt.games.shortest_path.rules.actions import ShortestPathAction
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.solvers.better import better_raise, better_step
from manhunt.games.shortest_path.solvers.bounds import (
    Bounds,
    bounds_from_json,
    check_bounds,
    compile_searches,
    find_bounds,
    rounded_down,
)
from manhunt.games.shortest_path.solvers.review import Round, review
from manhunt.games.shortest_path.solvers.verdict import verdict
from manhunt.play.hindsight import Hindsight

GAME = ShortestPathGame()
STATED_SHARES = (0.01, 0.05, 0.10)
"""Of what best play from the start costs at most: surely lost by a slip, a mistake, a blunder."""
BETTER_SECONDS = 0.5
"""For what would have been better than one marked move."""
HALF_SHARE = 0.05
"""A loss of this share counts half as an accurate decision."""


def analyse(past: Hindsight, effort: Effort) -> Findings:
    """Seconds are those of counted work, so that the same game always gets the same analysis."""
    report(0, (past.last + 1) // 2 + 1, "bounds of the start")
    compile_searches()
    with count_work():
        start = start_bounds(past, effort)
        return findings_of(past, start, review(past.states, past.actions, start, effort.seconds))


def findings_of(past: Hindsight, start: Bounds, rounds: Iterable[Round]) -> Findings:
    """From bounds on the start and on what was still to be paid in each round."""
    n_rounds = (past.last + 1) // 2
    found = _frame(past, start)
    points = [(0, start.lower.value, start.lower.value, start.upper.value)]
    reviewed = 0
    for i, each in enumerate(rounds):
        reviewed += 1
        points.append(_point(2 * i, each))
        found.moves += _judged(past, 2 * i, each, start.upper.value)
        report(i + 2, n_rounds + 1, f"round {i + 1}")
    paid = past.record.outcome.cost if past.record.outcome else None
    if paid is not None:
        points.append((past.last, paid, paid, paid))
        found.axis = replace(found.axis, high=1.08 * max(high for *_, high in points))
    found.payoff, found.truth = paid, [(ply, value) for ply, value, *_ in points[1:] if ply < past.last]
    words = "What the journey costs in all if both play best from here: certified bounds"
    found.curves.append(Curve(words, None, points[1:] or points))
    if reviewed < n_rounds:
        found.how.append(f"The bounds hold up to round {reviewed}; after that too few moves are left.")
    return found


def start_bounds(past: Hindsight, effort: Effort) -> Bounds:
    """Those of the record, checked, or fresh ones."""
    state = past.states[0]
    if past.record.bounds is None:
        return find_bounds(state, 3 * effort.seconds)
    bounds = bounds_from_json(past.record.bounds, past.config.board)
    check_bounds(state, bounds)
    return bounds


def _frame(past: Hindsight, start: Bounds) -> Findings:
    outcome = past.record.outcome
    assert outcome is not None
    return Findings(
        CurveAxis("cost", "paid so far and still to be paid", 0.0, 1.1 * start.upper.value, is_less_better=True),
        [
            f"Best play from the start costs {start}: certified, not estimated.",
            sentence(verdict(start, outcome.cost)),
            "The band is what is paid already plus certified bounds on the rest. Only certain losses are marked.",
        ],
        "?! / ? / ??: lost more than"
        f" {' / '.join(rounded_down(share * start.upper.value) for share in STATED_SHARES)}"
        " for certain (1 / 5 / 10 % of the journey)",
        surprise_how="Nothing is hidden in this game.",
        is_open=True,
        half=HALF_SHARE * start.upper.value,
    )


def sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _point(ply: int, each: Round) -> tuple[int, float, float, float]:
    paid = each.before.total
    low, high = paid + each.bounds.lower.value, paid + each.bounds.upper.value
    return (ply, (low + high) / 2, low, high)


def _judged(past: Hindsight, ply: int, each: Round, whole: float) -> Iterable[Judged]:
    """The step, and the raise if there was one; forced ones are left out."""
    if len(past.options(ply)) > 1:
        mark = _mark(each.traveller_lost, whole)
        better = better_step(each, BETTER_SECONDS) if mark else None
        yield _one(past, ply, Seat.EVADER, (each.step, better), each.traveller_lost, mark)
    if each.reply is not None and len(past.options(ply + 1)) > 1:
        mark = _mark(each.adversary_lost, whole)
        better = better_raise(each, BETTER_SECONDS) if mark else None
        yield _one(past, ply + 1, Seat.PURSUERS, (each.reply, better), each.adversary_lost, mark)


def _mark(lost: float, whole: float) -> str | None:
    return mark_of(lost, [share * whole for share in STATED_SHARES])


def _one(
    past: Hindsight,
    ply: int,
    seat: Seat,
    moves: tuple[ShortestPathAction, ShortestPathAction | None],
    lost: float,
    mark: str | None,
) -> Judged:
    """`moves` are what was played and what would have been better, if that is known."""
    played, better = (None if move is None else GAME.format_action(past.config, move) for move in moves)
    assert played is not None
    words = f"loses at least {rounded_down(lost)}" if lost else "no loss is certain"
    return Judged(ply, seat.value, played, better, None, lost, lost, lost, mark, words)
