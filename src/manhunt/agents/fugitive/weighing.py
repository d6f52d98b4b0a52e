"""Fugitives that list all placements with their payments and choose one by chances of their own."""

from __future__ import annotations

from abc import abstractmethod
from random import Random
from typing import Any

import numpy as np

from manhunt.agents.fugitive.payments import EXTRA, LOW, Hands, Plans, Plays, hands_of
from manhunt.agents.fugitive.planned import FugitivePlanner, Placement
from manhunt.agents.fugitive.routes import bits_of, cards_of
from manhunt.games.fugitive.public import Card
from manhunt.games.fugitive.views import View

BLUFF = 0.05
"""Chance to pay more than the least, where both can be done."""


class WeighingFugitive(FugitivePlanner):
    """The frame: plans for the opening, plays for later turns."""

    def opening(self, view: View, rng: Random) -> tuple[Placement, ...]:
        plans = hands_of(view.config).plans(bits_of(view.hand))
        if not len(plans.first_of):
            return ()
        chosen = self.choose_plan(view, plans, rng)
        first = plans.first_of[chosen]
        return (placement_at(plans.firsts, int(first)), placement_at(plans.seconds, chosen))

    def placement(self, view: View, rng: Random) -> Placement | None:
        plays = hands_of(view.config).plays(bits_of(view.hand), before(view))
        if not view.row:
            plays = Plays(*(column[plays.hideout < view.config.last] for column in plays))
        if not len(plays.hideout):
            return None
        chosen = self.choose_play(view, plays, rng)
        return None if chosen is None else placement_at(plays, chosen)

    @abstractmethod
    def choose_plan(self, view: View, plans: Plans, rng: Random) -> int:
        """A number into the plans, of which there are some."""

    @abstractmethod
    def choose_play(self, view: View, plays: Plays, rng: Random) -> int | None:
        """A number into the plays, of which there are some; None is a pass."""


def placement_at(plays: Plays, index: int) -> Placement:
    return Placement(int(plays.hideout[index]), cards_of(int(plays.sprints[index])))


def before(view: View) -> Card:
    """The newest card of the row."""
    card = view.row[-1].card if view.row else 0
    assert card is not None
    return card


def has_clear_way(view: View) -> bool:
    """Whether the escape would win at once."""
    return any(spot.card is not None and spot.card >= view.config.manhunt_below for spot in view.public.row)


def hidden_cards(view: View) -> list[Card]:
    """His hideouts that lie face down."""
    pairs = zip(view.row, view.public.row, strict=True)
    return [spot.card for spot, shown in pairs if shown.card is None and spot.card is not None]


def unseen_of(view: View, pile: int) -> list[Card]:
    """The cards of a pile whose place the Fugitive does not know."""
    known = {*view.hand, *(card for spot in view.row for card in (spot.card, *(spot.sprints or ())))}
    return [card for card in view.config.cards_of(pile) if card not in known]


def one_kind(kinds: Any, rng: Random) -> Any:
    """The options of one kind: EXTRA with the chance of a bluff, all if there is but one kind."""
    low, extra = np.flatnonzero(kinds == LOW), np.flatnonzero(kinds == EXTRA)
    if not len(low) or not len(extra):
        return np.arange(len(kinds))
    return extra if rng.random() < BLUFF else low


def hands_for(view: View) -> Hands:
    return hands_of(view.config)
