"""A Marshal as the Fugitive can suppose her: a hand that she may have, and what she would believe and name with it."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import log
from random import Random
from typing import NamedTuple

import numpy as np

from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Side
from manhunt.games.fugitive.agents.planners import unseen_of
from manhunt.games.fugitive.beliefs.models import PlayModel
from manhunt.games.fugitive.beliefs.row_estimate import RowBudget, RowEstimate
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.public import Card, Public, Spot, with_face_up
from manhunt.games.fugitive.rules.views import FugitiveView

LEAST = 1e-6
"""Chances below this make no difference."""
BUDGET = RowBudget(most=1000, n=300)
"""There are more possible rows than this mostly when she guesses at random."""


class TrailSigns(NamedTuple):
    """How a Marshal would judge the truth: the chance of the true row, of its safest and of its average hideout."""

    row: float
    safest: float
    average: float


def guess_hand(view: FugitiveView, rng: Random) -> tuple[Card, ...]:
    """A hand that the Marshal may have: from each pile as many cards as she drew, of those that he does not see."""
    hand: list[Card] = []
    for pile, n in enumerate(view.public.n_drawn(Side.PURSUERS)):
        hand += rng.sample(unseen_of(view, pile), n)
    return tuple(sorted(hand))


class SupposedBelief:
    """The belief of a Marshal with this hand and this model of his play about a table.

    `own` are the sets of face-down cards that he will ask about.
    """

    def __init__(self, public: Public, hand: Sequence[Card], model: PlayModel, own: Iterable[Sequence[Card]]) -> None:
        self._public, self._hand, self._model, self._own = public, hand, model, own

    @cached_property
    def _estimate(self) -> RowEstimate | None:
        """None if she is sure that he cannot have such a trail, which a guessed hand may make her."""
        try:
            return RowEstimate(self._public, self._hand, self._model, map(bits_of, self._own), BUDGET)
        except ManhuntError:
            return None

    def signs(self, hidden: Sequence[Card]) -> TrailSigns:
        """For these face-down cards."""
        if not hidden or self._estimate is None:
            return TrailSigns(1.0, 1.0, 1.0)
        marginals = self._estimate.trails.hideouts[list(hidden)]
        row = self._estimate.chance(bits_of(hidden))
        return TrailSigns(max(row, LEAST), max(float(marginals.min()), row, LEAST), float(marginals.mean()))


class SupposedHunter:
    """A Marshal with this hand and this model of his play who names the likeliest number each time."""

    def __init__(self, hand: Sequence[Card], model: PlayModel) -> None:
        self._hand, self._model = hand, model
        self._named: dict[Public, int | None] = {}

    def misses(self, public: Public, row: Sequence[Spot]) -> bool:
        """Whether she would miss one of the hideouts; `row` tells what they are."""
        while True:
            hidden = {row[i].card: i for i, spot in enumerate(public.row) if spot.card is None}
            if not hidden:
                return False
            number = self._names(public)
            if number is None or number not in hidden:
                return True
            public = with_face_up(public, hidden[number], row[hidden[number]])

    def _names(self, public: Public) -> int | None:
        """None if she is sure that he cannot have such a trail."""
        if public not in self._named:
            try:
                self._named[public] = int(np.argmax(Worlds(public, self._hand, self._model).hideouts))
            except ManhuntError:
                self._named[public] = None
        return self._named[public]


def log_chance(chance: float) -> float:
    """From 0 for LEAST to 1 for a certain thing."""
    return 1 - log(max(chance, LEAST)) / log(LEAST)
