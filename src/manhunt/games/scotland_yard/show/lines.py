"""Scotland Yard: moves that a tree search and quick games like best, each valued by games and by nets."""

from __future__ import annotations

from random import Random
from typing import Any

from manhunt.analysis.engine_lines import EngineLine, EngineLines
from manhunt.analysis.findings import Effort, SeatPast, ValueEstimate, share
from manhunt.core.agent import Limit
from manhunt.core.ids import Side
from manhunt.games.scotland_yard.rules.actions import Double
from manhunt.games.scotland_yard.show.analysis import MOST_SCREENED, _Decision, _GameJudge, halfway

MORE = 2
"""So many moves besides those that are shown are compared to the end."""


def find_lines(past: SeatPast, ply: int, n: int, effort: Effort) -> EngineLines:
    judge = _GameJudge(past, effort)
    judge.hear(ply)
    view: Any = past.views[ply]
    decision = _Decision(judge, view, judge.belief(), Random(3000 + ply))
    sign = 1.0 if past.seat.side is Side.EVADER else -1.0
    pool = _pool(judge, decision, ply)
    if len(pool) > n + MORE:
        samples = decision.samples(effort.screened)
        pool.sort(key=lambda action: -sign * sum(decision.values(action, samples)))
        pool = pool[: n + MORE]
    fresh = decision.samples(effort.sampled)
    rated = [
        (action, _between(share(decision.values(action, fresh)), judge.nets.chance(view, action))) for action in pool
    ]
    rated.sort(key=lambda pair: -sign * pair[1].mean)
    how = (
        f"The chance lies halfway between {len(fresh)} quick games on places drawn from the belief and the nets of"
        " champion; the interval covers both, and the noise of the games."
    )
    return EngineLines([EngineLine((action,), value) for action, value in rated[:n]], how)


def _between(games: ValueEstimate, nets: float) -> ValueEstimate:
    """Two opinions on one chance: how far they are apart says more about it than the noise of the games alone."""
    return ValueEstimate(halfway(games.mean, nets), min(games.low, nets), max(games.high, nets))


def _pool(judge: _GameJudge, decision: _Decision, ply: int) -> list[Any]:
    """All single moves, or some of very many, and what the search advises."""
    view: Any = judge.past.views[ply]
    singles = [action for action in view.legal if not isinstance(action, Double)]
    if len(singles) > MOST_SCREENED:
        singles = decision.rng.sample(singles, MOST_SCREENED)
    advised = judge.agent.act(view, Limit(iterations=judge.effort.iterations), decision.rng).action
    return list(dict.fromkeys([advised, *singles]))
