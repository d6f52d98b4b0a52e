"""Fugitives that list all placements with their payments and choose one by chances of their own."""

from abc import abstractmethod
from random import Random
from typing import Any

import numpy as np

from manhunt.games.fugitive.agents.payments import EXTRA, LOW, Plans, Plays, hands_of
from manhunt.games.fugitive.agents.planners import FugitivePlanner, Placement, before
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.views import FugitiveView

BLUFF = 0.05
"""Chance to pay more than the least, where both can be done."""


class ListedPlacementFugitive(FugitivePlanner):
    """The frame: plans for the opening, plays for later turns."""

    def opening(self, view: FugitiveView, rng: Random) -> tuple[Placement, ...]:
        plans = hands_of(view.config).plans(bits_of(view.hand))
        if not len(plans.first_of):
            return ()
        chosen = self.choose_plan(view, plans, rng)
        first = plans.first_of[chosen]
        return (placement_at(plans.firsts, int(first)), placement_at(plans.seconds, chosen))

    def placement(self, view: FugitiveView, rng: Random) -> Placement | None:
        plays = hands_of(view.config).plays(bits_of(view.hand), before(view))
        if not view.row:
            plays = Plays(*(column[plays.hideout < view.config.last] for column in plays))
        if not len(plays.hideout):
            return None
        chosen = self.choose_play(view, plays, rng)
        return None if chosen is None else placement_at(plays, chosen)

    @abstractmethod
    def choose_plan(self, view: FugitiveView, plans: Plans, rng: Random) -> int:
        """A number into the plans, of which there are some."""

    @abstractmethod
    def choose_play(self, view: FugitiveView, plays: Plays, rng: Random) -> int | None:
        """A number into the plays, of which there are some; None is a pass."""


def placement_at(plays: Plays, index: int) -> Placement:
    return Placement(int(plays.hideout[index]), cards_of(int(plays.sprints[index])))


def one_kind(kinds: Any, rng: Random) -> Any:
    """The options of one kind: EXTRA with the chance of a bluff, all if there is but one kind."""
    low, extra = np.flatnonzero(kinds == LOW), np.flatnonzero(kinds == EXTRA)
    if not len(low) or not len(extra):
        return np.arange(len(kinds))
    return extra if rng.random() < BLUFF else low
