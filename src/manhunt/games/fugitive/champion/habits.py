"""How the Marshals expect the Fugitive to play, and how much of each kind he has shown."""

from manhunt.games.fugitive.beliefs.models import PlayModel, SensiblePlay
from manhunt.games.fugitive.rules.config import sprint_value
from manhunt.games.fugitive.rules.placing import need_of, total_value
from manhunt.games.fugitive.rules.public import Card, Public

THRIFTY = SensiblePlay()
"""What `exact` expects."""
SLY = SensiblePlay(far=0.0, waste=0.7, more=0.8, bluff=1.0)
MODELS: tuple[PlayModel, ...] = (THRIFTY, SLY)
HABITS: tuple[tuple[PlayModel, ...], ...] = ((THRIFTY,), MODELS)
"""What a Marshal may expect: `exact` and the champion."""
PRIOR = (0.5, 0.5)
BLUFFS = (0.05, 0.5)
"""By model, how often he pays a card that he could have left out."""


def shares_of(public: Public) -> tuple[float, ...]:
    """By model, how likely he plays so, from the placements that lie face up with what was before them."""
    shares = list(PRIOR)
    before: Card | None = 0
    for spot in public.row:
        if before is not None and spot.card is not None and spot.sprints is not None:
            over = total_value(spot.sprints) - need_of(public.config, before, spot.card)
            is_bluff = any(sprint_value(card) <= over for card in spot.sprints)
            for i, chance in enumerate(BLUFFS):
                shares[i] *= chance if is_bluff else 1 - chance
        before = spot.card
    return tuple(share / sum(shares) for share in shares)
