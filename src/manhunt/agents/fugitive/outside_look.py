"""A trail as a Marshal may see it, whose hand the Fugitive can only guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import log
from random import Random
from typing import NamedTuple

import numpy as np

from manhunt.agents.fugitive.routes import bits_of, with_face_up
from manhunt.agents.fugitive.weighing import unseen_of
from manhunt.beliefs.fugitive.estimate import Estimate, Room
from manhunt.beliefs.fugitive.models import PlayModel
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.errors import ManhuntError
from manhunt.games.fugitive.public import Card, Public, Spot
from manhunt.games.fugitive.views import View
from manhunt.ids import Side

LEAST = 1e-6
"""Chances below this make no difference."""
ROOM = Room(most=1000, n=300)
"""There are more possible rows than this mostly when she guesses at random."""


class Signs(NamedTuple):
    """How a Marshal would judge the truth: the chance of the true row, of its safest and of its average hideout."""

    row: float
    safest: float
    average: float


def guess_hand(view: View, rng: Random) -> tuple[Card, ...]:
    """A hand that the Marshal may have: from each pile as many cards as she drew, of those that he does not see."""
    hand: list[Card] = []
    for pile in range(len(view.config.piles)):
        n = sum(draw.side is Side.PURSUERS and draw.pile == pile for draw in view.public.draws)
        hand += rng.sample(unseen_of(view, pile), n)
    return tuple(sorted(hand))


class OutsideLook:
    """The belief of a Marshal with this hand and this model of his play about a table.

    `own` are the sets of face-down cards that he will ask about.
    """

    def __init__(self, public: Public, hand: Sequence[Card], model: PlayModel, own: Iterable[Sequence[Card]]) -> None:
        self._public, self._hand, self._model, self._own = public, hand, model, own

    @cached_property
    def _estimate(self) -> Estimate | None:
        """None if she is sure that he cannot have such a trail, which a guessed hand may make her."""
        try:
            return Estimate(self._public, self._hand, self._model, map(bits_of, self._own), ROOM)
        except ManhuntError:
            return None

    def signs(self, hidden: Sequence[Card]) -> Signs:
        """For these face-down cards."""
        if not hidden or self._estimate is None:
            return Signs(1.0, 1.0, 1.0)
        marginals = self._estimate.trails.hideouts[list(hidden)]
        row = self._estimate.chance(bits_of(hidden))
        return Signs(max(row, LEAST), max(float(marginals.min()), row, LEAST), float(marginals.mean()))


class Hunter:
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
