"""Adversarial Shortest Path: certified bounds on what best play costs, and moves that surely lost some of it."""

from manhunt.analysis.findings import Curve, CurveAxis, Effort, Findings, Judged
from manhunt.analysis.progress import report
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.game import ShortestPathGame
from manhunt.games.shortest_path.solvers.bounds import Bounds, bounds_from_json, check_bounds, find_bounds, rounded_down
from manhunt.games.shortest_path.solvers.review import Round, review
from manhunt.games.shortest_path.solvers.verdict import verdict
from manhunt.play.hindsight import Hindsight

GAME = ShortestPathGame()
STATED_SHARE, GRAVE_SHARE = 0.01, 0.10
"""Of what best play from the start costs at most."""


def analyse(past: Hindsight, effort: Effort) -> Findings:
    n_rounds = (past.last + 1) // 2
    report(0, n_rounds + 1, "bounds of the start")
    start = start_bounds(past, effort)
    found = _frame(past, start)
    points = [(0, start.lower.value, start.lower.value, start.upper.value)]
    reviewed = 0
    for i, each in enumerate(review(past.states, past.actions, start, effort.seconds)):
        reviewed += 1
        points.append(_point(2 * i, each))
        found.moves += _judged(past, 2 * i, each, start.upper.value)
        report(i + 2, n_rounds + 1, f"round {i + 1}")
    paid = past.record.outcome.cost if past.record.outcome else None
    if paid is not None:
        points.append((past.last, paid, paid, paid))
        found.axis = CurveAxis(found.axis.unit, found.axis.name, 0.0, 1.08 * max(high for *_, high in points))
    found.curves.append(Curve("what the journey costs with best play from here on", None, points[1:] or points))
    if reviewed < n_rounds:
        found.how.append(f"After round {reviewed} few moves are left, and the bounds do not hold there.")
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
        CurveAxis("cost", "paid so far and still to be paid", 0.0, 1.1 * start.upper.value),
        [
            f"Best play from the start costs {start}: certified, not estimated.",
            sentence(verdict(start, outcome.cost)),
            "The band is what is paid already plus certified bounds on the rest; only what surely was lost is marked.",
        ],
        f"marked: surely more than {rounded_down(STATED_SHARE * start.upper.value)} lost (1 % of the journey)",
        surprise_how="Nothing is hidden in this game.",
    )


def sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _point(ply: int, each: Round) -> tuple[int, float, float, float]:
    paid = each.before.total
    low, high = paid + each.bounds.lower.value, paid + each.bounds.upper.value
    return (ply, (low + high) / 2, low, high)


def _judged(past: Hindsight, ply: int, each: Round, whole: float) -> list[Judged]:
    """The step, and the raise if there was one; forced ones are left out."""
    rows = [(ply, Seat.EVADER, each.step, each.traveller_lost)]
    if each.reply is not None:
        rows.append((ply + 1, Seat.PURSUERS, each.reply, each.adversary_lost))
    return [_one(past, *row, whole) for row in rows if len(past.options(row[0])) > 1]


def _one(past: Hindsight, ply: int, seat: Seat, action: object, lost: float, whole: float) -> Judged:
    text = GAME.format_action(past.config, action)  # type: ignore[arg-type]
    mark = None if lost <= STATED_SHARE * whole else "slip" if lost <= GRAVE_SHARE * whole else "mistake"
    words = f"{text}: surely lost {rounded_down(lost)} or more" if lost else f"{text}: nothing is surely lost"
    return Judged(ply, seat.value, text, None, None, lost, lost, lost, mark, words)
