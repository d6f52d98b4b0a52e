"""What an analysis finds: curves, judged moves, surprise; and the knowledge that a seat's moves are judged by."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from manhunt.analysis.progress import report
from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat
from manhunt.play.hindsight import Hindsight

STATED = 0.05
"""The winning chance that a marked move surely lost more than."""
GRAVE = 0.20
Z95, Z99 = 1.96, 2.58
LEAST_CHANCE = 1e-12


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a decision gets."""

    iterations: int = 1200
    """Of the search that looks for a better move."""
    screened: int = 60
    """Quick games for each move that may be better."""
    sampled: int = 900
    """Pairs of quick games that compare the best of them with the played one, in compiled code."""
    played: tuple[int, int] = (24, 96)
    """The same in plain code: first so many, and more while it is open whether to mark the move."""
    seconds: float = 0.3
    """For bounds on the value of a position, in games that have such bounds."""


USUAL = Effort()
QUICK = Effort(iterations=150, screened=20, sampled=300, played=(8, 24), seconds=0.1)


@dataclass(frozen=True, slots=True)
class ValueEstimate:
    """A mean with its interval."""

    mean: float
    low: float
    high: float


def estimate(values: Sequence[float], z: float = Z95) -> ValueEstimate:
    """The spread gets one more, made-up, extreme value, so that few equal values do not look certain."""
    n = len(values)
    mean = math.fsum(values) / n
    spread = math.fsum((value - mean) ** 2 for value in values) / n + 1 / n
    half = z * math.sqrt(spread / n)
    return ValueEstimate(mean, mean - half, mean + half)


def share(values: Sequence[float]) -> ValueEstimate:
    """Of games won: the interval stays within 0 and 1."""
    found = estimate(values)
    return ValueEstimate(found.mean, max(0.0, found.low), min(1.0, found.high))


@dataclass(frozen=True)
class SeatPast:
    """One seat's whole game: all that its moves may be judged by. Lists have one entry a ply."""

    game: str
    seat: Seat
    views: tuple[View, ...]
    """With the moves on offer."""
    events: tuple[tuple[dict[str, Any], ...], ...]
    """What was told at a ply, as the seat saw it."""
    actions: Mapping[int, Any]
    """Its own."""


def past_of(past: Hindsight, seat: Seat) -> SeatPast:
    """What a seat had seen of a finished game, ply by ply."""
    return SeatPast(
        past.game.name,
        seat,
        tuple(past.game.view(state, seat) for state in past.states),
        tuple(tuple(event.seen_by(seat) for event in happened) for happened in past.happened),
        {ply: past.actions[ply] for ply in range(past.last) if past.acting(ply) is seat},
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision. `value` is that of the played move as the seat could see it; `lost` is the seat's own loss."""

    ply: int
    seat: str
    action: str
    best: str | None
    """The alternative; None where nothing better was found."""
    value: float | None
    lost: float
    low: float
    high: float
    mark: str | None
    """`slip`, `mistake`, or nothing."""
    words: str


def mark_of(low: float, stated: float = STATED, grave: float = GRAVE) -> str | None:
    """By what was surely lost."""
    return None if low <= stated else "slip" if low <= grave else "mistake"


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart: a seat's chances (or costs) ply by ply."""

    name: str
    seat: str | None
    points: list[tuple[int, float, float, float]]
    """By ply: the mean, and the ends of its interval."""


@dataclass(frozen=True, slots=True)
class CurveAxis:
    """What the curves count: `chance` from 0 to 1, `rounds`, or `cost`."""

    unit: str
    name: str
    low: float
    high: float


@dataclass
class Findings:
    """What an analysis of a finished game found: curves, judged moves, surprise."""

    axis: CurveAxis
    how: list[str]
    stated: str
    """What a mark says, in words."""
    curves: list[Curve] = field(default_factory=list)
    moves: list[Judged] = field(default_factory=list)
    surprise: list[tuple[int, float]] | None = None
    surprise_how: str = ""

    def to_json(self) -> dict[str, Any]:
        """The findings for pages and `--json`."""
        return asdict(self)


def stated_words(interval: int) -> str:
    """What a mark by winning chance says."""
    return f"marked: surely more than {100 * STATED:.0f} points of winning chance lost ({interval} % interval)"


def judged_by_games(
    ply: int, seat: Seat, action: str, value: ValueEstimate, best: str, lost: ValueEstimate | None, n_pairs: int
) -> Judged:
    """By pairs of quick games after the played move and after the best other one; None where there is no other."""
    if lost is None or lost.mean <= 0:
        words = f"{action}: nothing better was found"
        return Judged(ply, seat.value, action, None, value.mean, 0.0, 0.0, 0.0, None, words)
    bounds = f"{100 * lost.low:.0f} to {100 * lost.high:.0f}"
    size = f"{100 * lost.mean:.0f} points of winning chance lost"
    words = f"{action} instead of {best}: {size} ({bounds}, {n_pairs} pairs of games)"
    numbers = (value.mean, lost.mean, lost.low, lost.high)
    return Judged(ply, seat.value, action, best, *numbers, mark_of(lost.low), words)


Verdicts = Iterator[tuple[int, Judged | None, ValueEstimate]]
"""Ply by ply the decision, None for a forced one, and the value of what was played."""


def judge_seats(found: Findings, past: Hindsight, judge: Callable[[SeatPast], Verdicts]) -> Findings:
    """Both seats' moves and curves, each from all that this seat knew."""
    for i, seat in enumerate(PLAYERS):
        points, name = list[tuple[int, float, float, float]](), past.game.seat_names[seat]
        for ply, judged, value in judge(past_of(past, seat)):
            points.append((ply, value.mean, value.low, value.high))
            if judged is not None:
                found.moves.append(judged)
            report(i * past.last + ply + 1, len(PLAYERS) * past.last, f"round {past.round(ply)}, {name}")
        found.curves.append(Curve(f"as {name} could see it", seat.value, points))
    found.moves.sort(key=lambda move: move.ply)
    return found


def bits_of(chance: float) -> float:
    """How surprising what has this chance is."""
    return -math.log2(max(chance, LEAST_CHANCE)) + 0.0
