"""How the champion of the Marshals expects the Fugitive to play."""

from dataclasses import dataclass
from math import exp

from manhunt.games.fugitive.beliefs.models import PaidPlacement, PlayModel, SensiblePlay

MOST_LIKING = 30.0


@dataclass(frozen=True, slots=True)
class SlyPlay:
    """How a Fugitive places who knows what `exact` expects: far, and often with a card too much.

    Log-weights, fitted to games of the champion: of each step, of a step beyond six, of the smallest step, of paying
    too much, of each further point too much, of sprint cards where none is needed, of each point too much in the first
    round.
    """

    far: float = 0.5
    long: float = 0.35
    short: float = -0.4
    waste: float = 0.0
    more: float = -0.8
    bluff: float = 1.25
    early: float = -1.3

    def factor(self, placement: PaidPlacement) -> float:
        step, over = placement.card - placement.previous, placement.overpay
        liking = self.far * step + self.long * max(0, step - 6) + self.short * (step == 1)
        if over:
            liking += self.waste + self.more * (over - 1)
        if placement.n_sprints and not placement.need:
            liking += self.bluff
        if placement.round == 1:
            liking += self.early * over
        return exp(max(-MOST_LIKING, min(MOST_LIKING, liking)))


THRIFTY = SensiblePlay()
"""What `exact` expects."""
SLY = SlyPlay()
MODELS: tuple[PlayModel, ...] = (THRIFTY, SLY)
SHARES = (0.3, 0.7)
"""Of the models in the champion's belief. Even Fugitives who pay as little as they can are foreseen better so."""
