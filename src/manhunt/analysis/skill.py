"""Skill and luck: the way from what the start was worth to the result, ply by ply, without a remainder.

Let W(t) be what the true position is worth before ply t, and W(T) the payoff. Over each step W changes by

    W(t+1) - W(t)  =  choice(t) + luck(t) + open(t)

- choice: what the mover's decision was worth less, as they could know it, than the best move considered. It is never to
  the mover's advantage.
- luck: the rest, in a game with something hidden or left to chance: what was drawn, what was hidden from the mover,
  what the other side did that could not be foreseen.
- open: the rest, in a game where all is known. There is no luck; this is what the analysis could not decide.

The sums telescope, so that start + choices + luck + open is the result, whatever the estimates are. All numbers are the
evader's gains: positive is good for the evader. docs/explanation/skill-and-luck.md has the reasons and an exact case.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from manhunt.analysis.findings import SYMBOLS, Findings, Judged
from manhunt.analysis.small_games import knows_all
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.play.hindsight import Hindsight

CHANCE, HIDDEN, REPLY, GAVE_UP, OPEN = "chance", "hidden", "reply", "gave up", "open"
MOST_WORST = 3
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class SkillStep:
    """From ply `ply` to `end`. `cause` says what the luck is made of."""

    ply: int
    end: int
    seat: str | None
    before: float
    after: float
    choice: float
    luck: float
    open: float
    cause: str | None
    """`chance`, `hidden` (from the mover), `reply` (the mover knew all, but not what others would do), or None."""


def steps_of(past: Hindsight, found: Findings) -> list[SkillStep]:
    """Every step; empty where the value of the start or of the end is not known."""
    if not found.truth or found.payoff is None:
        return []
    sign = found.axis.sign
    points = [(ply, sign * value) for ply, value in found.truth if ply < past.last]
    if not points:
        return _forfeit(past, sign * found.truth[0][1], sign * found.payoff)
    choices = {move.ply: move for move in found.moves}
    forfeited = past.game.outcome(past.states[past.last]) is None
    rows: list[SkillStep] = []
    for i, (ply, before) in enumerate(points):
        last = i + 1 == len(points)
        end = past.last if last else points[i + 1][0]
        *earlier, ply = [ply, *(each for each in range(ply + 1, end) if each in choices)]
        for now, then in pairwise([*earlier, ply]):  # what is known of the first of several choices is what it lost
            lost = gain_of(choices.get(now))
            rows.append(_step(past, found, now, then, before, before + lost, lost))
            before += lost
        choice = gain_of(choices.get(ply))
        if not last:
            after = points[i + 1][1]
        elif forfeited:
            after = before + choice  # what was given up is counted apart
        else:
            after = sign * found.payoff
        rows.append(_step(past, found, ply, end, before, after, choice))
    return [*rows, *(_forfeit(past, rows[-1].after, sign * found.payoff) if forfeited else [])]


def sign_of_seat(seat: str) -> float:
    return 1.0 if Seat(seat).side is Side.EVADER else -1.0


def gain_of(judged: Judged | None) -> float:
    """What a decision cost its seat, as the evader's gain."""
    return 0.0 if judged is None else -sign_of_seat(judged.seat) * counted(judged) + 0.0


def counted(judged: Judged) -> float:
    """The loss as far as it is one: nothing where the interval reaches 0. Noise would else add up to a fault."""
    return judged.lost if judged.low > 0 else 0.0


def _step(
    past: Hindsight, found: Findings, ply: int, end: int, before: float, after: float, choice: float
) -> SkillStep:
    acting = past.acting(ply)
    rest = (after - before) - choice
    if abs(rest) < ROUNDING:
        choice, rest = after - before, 0.0
    if found.is_open:
        return SkillStep(ply, end, acting and acting.value, before, after, choice, 0.0, rest, OPEN if rest else None)
    cause = CHANCE if acting is Seat.CHANCE else REPLY if acting is not None and knows_all(past, acting) else HIDDEN
    return SkillStep(ply, end, acting and acting.value, before, after, choice, rest, 0.0, cause)


def _forfeit(past: Hindsight, before: float, after: float) -> list[SkillStep]:
    outcome = past.record.outcome
    assert outcome is not None
    loser = Seat.PURSUERS if outcome.winner is Side.EVADER else Seat.EVADER
    return [SkillStep(past.last, past.last, loser.value, before, after, after - before, 0.0, 0.0, GAVE_UP)]


def skill_json(past: Hindsight, found: Findings) -> dict[str, Any] | None:
    """Start, result, the sums, and every step; None where it cannot be said."""
    rows = steps_of(past, found)
    if not rows:
        return None
    by_seat = {seat: math.fsum(row.choice for row in rows if row.seat == seat.value) for seat in PLAYERS}
    return {
        "unit": found.axis.unit,
        "start": rows[0].before,
        "result": rows[-1].after,
        "choice": {seat.value: amount for seat, amount in by_seat.items()},
        "luck": math.fsum(row.luck for row in rows),
        "open": math.fsum(row.open for row in rows),
        "steps": [asdict(row) for row in rows],
    }


def players_json(past: Hindsight, found: Findings, skill: dict[str, Any] | None) -> dict[str, Any]:
    """What each player's decisions were worth, in their own units: gains of their own are positive."""
    return {seat.value: _player(past, found, skill, seat) for seat in PLAYERS}


def _player(past: Hindsight, found: Findings, skill: dict[str, Any] | None, seat: Seat) -> dict[str, Any]:
    moves = [move for move in found.moves if move.seat == seat.value]
    sign = sign_of_seat(seat.value)
    other = next(each for each in PLAYERS if each is not seat)
    lost = math.fsum(counted(move) for move in moves)
    low, high = _sum_interval(moves)
    worst = sorted((move for move in moves if move.mark in SYMBOLS and move.lost > 0), key=lambda move: -move.lost)
    return {
        "name": past.game.seat_names[seat],
        "agent": past.record.seats.get(seat.value),
        "decisions": len(moves),
        "accuracy": accuracy([counted(move) for move in moves], found.half),
        "lost": lost,
        "low": low,
        "high": high,
        "marks": {mark: sum(move.mark == mark for move in moves) for mark in SYMBOLS},
        "worst": [move.ply for move in worst[:MOST_WORST]],
        "result": None if skill is None else sign * (skill["result"] - skill["start"]),
        "choice": None if skill is None else sign * skill["choice"][seat.value],
        "opponent": None if skill is None else sign * skill["choice"][other.value],
        "luck": None if skill is None else sign * skill["luck"],
        "open": None if skill is None else sign * skill["open"],
    }


def accuracy(losses: Sequence[float], half: float) -> float | None:
    """From 0 to 100: the mean over free decisions, where each loss of `half` halves what a decision counts."""
    return 100 * math.fsum(2 ** (-lost / half) for lost in losses) / len(losses) if losses else None


def _sum_interval(moves: Sequence[Judged]) -> tuple[float, float]:
    """Of all losses together, whose errors are independent."""
    sure = [move for move in moves if move.low > 0]
    lost = math.fsum(move.lost for move in sure)
    below = math.sqrt(math.fsum((move.lost - move.low) ** 2 for move in sure))
    above = math.sqrt(math.fsum((move.high - move.lost) ** 2 for move in sure))
    return max(0.0, lost - below), lost + above
