"""Planners that reckon their chance to win, say it, and keep to a limit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

from manhunt.agents.base import Advice, Limit
from manhunt.agents.fugitive.planned import Planner
from manhunt.games.base import View as AnyView
from manhunt.ids import Seat


class Reckoner(Planner):
    """Before each plan it gets a fresh budget; what it notes in between becomes part of its advice."""

    _deadline: float = float("inf")
    _n_left: float = float("inf")
    _chance: float | None = None
    _confidence: float | None = None
    _n_spent: int = 0

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not self._steps:
            self._chance = self._confidence = None
        self._deadline, self._n_spent = limit.deadline(), 0
        self._n_left = float("inf") if limit.iterations is None else limit.iterations
        advice = super().act(view, limit, rng)
        value = None
        if self._chance is not None:
            own = 1 if view.seat is Seat.EVADER else -1
            value = own * (2 * min(1.0, max(0.0, self._chance)) - 1)
        counters = {**advice.counters, "iterations": self._n_spent}
        return Advice(advice.action, value, self._confidence, advice.line, counters)

    def spend(self) -> bool:
        """Whether there is budget for one more iteration; it is taken."""
        if self._n_left < 1 or time.perf_counter() >= self._deadline:
            return False
        self._n_left -= 1
        self._n_spent += 1
        return True

    def note(self, chance: float, confidence: float) -> None:
        """The own chance to win, and how sure the choice is."""
        self._chance, self._confidence = chance, min(1.0, max(0.0, confidence))


def lead(values: Sequence[float], best: int) -> float:
    """How clearly one of some chances is the best: a half if another is as good, 1 if there is none."""
    second = max((value for i, value in enumerate(values) if i != best), default=0.0)
    return values[best] / (values[best] + second) if values[best] > 0 else 0.5
