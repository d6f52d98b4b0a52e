"""What an analysis finds: curves, judged moves, surprise; and the knowledge that a seat's moves are judged by."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from manhunt.analysis.progress import report
from manhunt.core.game import View
from manhunt.core.ids import PLAYERS, Seat, Side
from manhunt.play.hindsight import Hindsight

STATED, BAD, GRAVE = 0.05, 0.10, 0.20
"""The winning chance that a slip, a mistake and a blunder surely lost more than."""
FIND = 0.10
"""The winning chance that every other move surely loses where the played one is a find."""
SLIP, MISTAKE, BLUNDER, FOUND = "slip", "mistake", "blunder", "find"
SYMBOLS = {SLIP: "?!", MISTAKE: "?", BLUNDER: "??", FOUND: "!"}
"""Of marks, as chess players write them."""
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
    played: tuple[int, int] = (24, 288)
    """The same in plain code: first so many, and more while it is open whether to mark the move."""
    seconds: float = 0.3
    """For bounds on the value of a position, in games that have such bounds."""
    seed: int = 0
    """Other luck in the quick games, so that one can see how far the figures depend on it."""

    def rng(self, ply: int) -> Random:
        """The luck of a decision, always the same."""
        return Random(1000 + ply + 1_000_003 * self.seed)


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


def difference(values: Sequence[float], z: float = Z95) -> ValueEstimate:
    """Of chances: the interval stays within -1 and 1."""
    found = estimate(values, z)
    return ValueEstimate(found.mean, max(-1.0, found.low), min(1.0, found.high))


def share(values: Sequence[float]) -> ValueEstimate:
    """Of games won: the interval stays within 0 and 1."""
    found = estimate(values)
    return ValueEstimate(found.mean, max(0.0, found.low), min(1.0, found.high))


@dataclass(frozen=True)
class SeatPast:
    """One seat's whole game, which is all that its moves may be judged by. Lists have one entry per ply."""

    game: str
    seat: Seat
    views: tuple[View, ...]
    """Its views, with the legal moves."""
    events: tuple[tuple[dict[str, Any], ...], ...]
    """The events of each ply, as the seat saw them."""
    actions: Mapping[int, Any]
    """Its own."""


def past_of(past: Hindsight, seat: Seat) -> SeatPast:
    """What a seat saw of a finished game, ply by ply."""
    return SeatPast(
        past.game.name,
        seat,
        tuple(past.game.view(state, seat) for state in past.states),
        tuple(tuple(event.seen_by(seat) for event in happened) for happened in past.happened),
        {ply: past.actions[ply] for ply in range(past.last) if past.acting(ply) is seat},
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged decision. `value` is the played move's, as the seat could know it; `lost` is the seat's own loss."""

    ply: int
    seat: str
    action: str
    best: str | None
    """The better move; None if none was found."""
    value: float | None
    lost: float
    low: float
    high: float
    mark: str | None
    """A key of `SYMBOLS`, or empty."""
    words: str
    """The effect on the seat: `12 points less likely to win (8 to 16)`."""
    margin: float | None = None
    """If nothing better was found: by how much every other move is certainly worse."""
    plain: str | None = None
    """What a quick player would have done; known only if there is a margin."""


def mark_of(low: float, steps: Sequence[float] = (STATED, BAD, GRAVE)) -> str | None:
    """By what was surely lost."""
    n = sum(low > step for step in steps)
    return (SLIP, MISTAKE, BLUNDER)[n - 1] if n else None


def is_find(judged: Judged, least: float = FIND) -> bool:
    """The only good move by a clear margin, and not the one that comes to mind first."""
    return (
        judged.best is None
        and judged.margin is not None
        and judged.margin > least
        and judged.plain not in (None, judged.action)
    )


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
    is_less_better: bool = False
    """Whether less is better for the evader, as with costs."""

    @property
    def sign(self) -> float:
        """Multiply by this so that more is better for the evader."""
        return -1.0 if self.is_less_better else 1.0


@dataclass
class Findings:
    """What an analysis of a finished game found: curves, judged moves, surprise."""

    axis: CurveAxis
    how: list[str]
    stated: str
    """What the marks mean, in words."""
    curves: list[Curve] = field(default_factory=list)
    moves: list[Judged] = field(default_factory=list)
    surprise: list[tuple[int, float]] | None = None
    surprise_how: str = ""
    truth: list[tuple[int, float]] = field(default_factory=list)
    """The value of the true position before each choice and chance event, used to split skill and luck."""
    payoff: float | None = None
    """The value of the end in the axis' unit; None if it is not known."""
    is_open: bool = False
    """Whether nothing is hidden and nothing left to chance, so that there is no luck."""
    half: float = 0.10
    """A decision that loses this much counts half in the accuracy."""

    def to_json(self) -> dict[str, Any]:
        """The findings for pages and `--json`."""
        made = asdict(self)
        for name in ("truth", "payoff", "is_open", "half", "moves"):
            del made[name]
        return made


def stated_words(interval: int) -> str:
    """What the marks by winning chance say."""
    steps = " / ".join(f"{100 * step:.0f}" for step in (STATED, BAD, GRAVE))
    return (
        f"?! / ? / ??: lost more than {steps} points of winning chance, even at the low end of the"
        f" {interval} % interval; !: the only good move, at least {100 * FIND:.0f} points better than any other, and"
        " hard to see: a quick player would have played something else"
    )


def judged_by_games(
    ply: int,
    seat: Seat,
    action: str,
    value: ValueEstimate,
    best: str,
    lost: ValueEstimate | None,
    n_pairs: int,
) -> Judged:
    """By pairs of quick games after the played move and after the best other one; None where there is no other."""
    if lost is None or lost.mean <= 0:
        return Judged(ply, seat.value, action, None, value.mean, 0.0, 0.0, 0.0, None, NOTHING_BETTER)
    numbers = (value.mean, lost.mean, lost.low, lost.high)
    return Judged(ply, seat.value, action, best, *numbers, mark_of(lost.low), lost_words(lost, n_pairs))


NOTHING_BETTER = "nothing better was found"


def lost_words(lost: ValueEstimate, n_pairs: int) -> str:
    points = round(100 * lost.mean)
    bounds = f"{100 * lost.low:.0f} to {100 * lost.high:.0f}, {n_pairs} pairs of games"
    return f"{points} point{'' if points == 1 else 's'} less likely to win ({bounds})"


Verdicts = Iterator[tuple[int, Judged | None, ValueEstimate]]
"""Ply by ply the decision, None for a forced one, and the value of what was played."""


def judge_seats(
    found: Findings,
    past: Hindsight,
    judge: Callable[[SeatPast], Verdicts],
    true_value: Callable[[int, tuple[Any, ...]], float],
) -> Findings:
    """Both seats' moves and curves, each from all that this seat knew.

    `true_value` is asked what the true position at a ply is worth if its seat does what looked best to it.
    """
    for i, seat in enumerate(PLAYERS):
        points, name = list[tuple[int, float, float, float]](), past.game.called(seat)
        for ply, judged, value in judge(past_of(past, seat)):
            points.append((ply, value.mean, value.low, value.high))
            if judged is not None:
                found.moves.append(judged)
            best = found.moves[-1].best if judged is not None else None
            steps = None if best is None else tuple(past.game.parse_action(past.config, text) for text in best.split())
            found.truth.append((ply, true_value(ply, steps or ())))
            report(i * past.last + ply + 1, len(PLAYERS) * past.last, f"round {past.round(ply)}, {name}")
        whose = past.game.called(Seat.EVADER)
        words = f"{whose[0].upper()}{whose[1:]}'s chance as {name} could estimate it"
        found.curves.append(Curve(words, seat.value, points))
    found.moves.sort(key=lambda move: move.ply)
    found.truth.sort()
    outcome = past.record.outcome
    found.payoff = None if outcome is None else float(outcome.winner is Side.EVADER)
    return found


def bits_of(chance: float) -> float:
    """How surprising what has this chance is."""
    return -math.log2(max(chance, LEAST_CHANCE)) + 0.0
