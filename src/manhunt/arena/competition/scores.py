"""What the games are worth: a win, a draw or a loss for each side, also where a cost decides and nobody wins alone.

In a game that counts a cost every evader arrives; what tells two bots apart is what they paid. There the two games of
one deal are compared: who arrived more cheaply wins both, as evader and as pursuers. A forfeit is lost, whatever the
other game cost, and the other game then goes to the bot that did not forfeit.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from manhunt.arena.competition.model import Competition, MatchUp
from manhunt.core.ids import Seat, Side
from manhunt.core.outcome import Outcome, Termination, parse_outcome
from manhunt.store.tournaments import KeptResult

WIN, DRAW, LOSS = 2, 1, 0
"""Points are counted in halves, so that they stay whole."""


@dataclass(frozen=True, slots=True)
class Score:
    """One match that counts: the points of its evader, and what is known about it."""

    match: MatchUp
    result: KeptResult
    outcome: Outcome
    evader_points: int

    def points_of(self, seat: Seat) -> int:
        return self.evader_points if seat is Seat.EVADER else WIN - self.evader_points


def match_of(competition: Competition, result: KeptResult) -> MatchUp:
    return MatchUp(result.number, result.round, result.entry, result.deal, result.evader, result.pursuers)


def scores_of(competition: Competition, results: Iterable[KeptResult]) -> list[Score]:
    """The matches that count so far; one that could not be played, or whose other half is missing, does not."""
    played = [(match_of(competition, r), r, parse_outcome(r.outcome)) for r in results if r.outcome is not None]
    costs = {match.key: _cost(outcome) for match, _, outcome in played}
    usual = _usual_costs([match for match, _, _ in played], costs)
    scores = []
    for match, result, outcome in played:
        points = _points(competition, match, outcome, costs, usual)
        if points is not None:
            scores.append(Score(match, result, outcome, points))
    return scores


def _cost(outcome: Outcome) -> float:
    """What the evader paid; a forfeit is infinitely dear for it, or infinitely cheap where the others forfeit."""
    if outcome.cost is not None and outcome.termination is not Termination.FORFEIT:
        return outcome.cost
    return -math.inf if outcome.winner is Side.EVADER else math.inf


def _usual_costs(matches: Sequence[MatchUp], costs: dict[tuple[int, int, int, str, str], float]) -> dict[object, float]:
    """The median cost of each deal: for games without a mirror, of bots that play one side only."""
    found: dict[object, list[float]] = {}
    for match in matches:
        if math.isfinite(costs[match.key]):
            found.setdefault(match.key[:3], []).append(costs[match.key])
    return {key: median(values) for key, values in found.items()}


def _points(
    competition: Competition,
    match: MatchUp,
    outcome: Outcome,
    costs: dict[tuple[int, int, int, str, str], float],
    usual: dict[object, float],
) -> int | None:
    if outcome.cost is None or outcome.termination is Termination.FORFEIT:
        return WIN if outcome.winner is Side.EVADER else LOSS
    bots, entry = competition.by_name, competition.entries[match.entry]
    has_mirror = bots[match.pursuers].plays(entry, Seat.EVADER) and bots[match.evader].plays(entry, Seat.PURSUERS)
    other = costs.get(match.mirror) if has_mirror else usual[match.key[:3]]
    if other is None:
        return None
    return WIN if outcome.cost < other else LOSS if outcome.cost > other else DRAW


def points_by_bot(scores: Iterable[Score]) -> Counter[str]:
    points: Counter[str] = Counter()
    for score in scores:
        points.update({name: score.points_of(seat) for seat, name in score.match.bots.items()})
    return points
