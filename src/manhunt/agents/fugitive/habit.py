"""How sensible Fugitives are thought to place: seldom more sprint cards than needed, and rather far."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from manhunt.beliefs.fugitive.models import Placement


@dataclass(frozen=True, slots=True)
class Habit:
    """A model of play for the Marshal's belief; one for all opponents.

    A placement weighs exp(far * step), times `waste` if it pays more than needed, times `more` for every further
    point too much, times `bluff` if it needs no sprint card but has some.
    """

    far: float = 0.1
    waste: float = 0.1
    more: float = 0.4
    bluff: float = 0.2

    def factor(self, placement: Placement) -> float:
        liking = exp(self.far * (placement.card - placement.previous))
        if placement.overpay:
            liking *= self.waste * self.more ** (placement.overpay - 1)
        if placement.n_sprints and not placement.need:
            liking *= self.bluff
        return liking
