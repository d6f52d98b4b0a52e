"""The same chances from some of the possible rows, where counting all of them takes too long."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Bools, Words
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.beliefs.counting import Count
from manhunt.games.fugitive.beliefs.evidence import gather
from manhunt.games.fugitive.beliefs.models import PlayModel
from manhunt.games.fugitive.beliefs.trails import possible_trails
from manhunt.games.fugitive.beliefs.worlds import NO_WORLD
from manhunt.games.fugitive.rules.public import Card, Public

SEED = 1
"""The same table gives the same estimate."""


class RowBudget(NamedTuple):
    """Up to `most` rows all are counted; of more only `n` (about)."""

    most: int
    n: int


class RowEstimate:
    """With a budget for all rows what `Worlds` says; else a row drawn by lot stands for some neighbours.

    Rows are in ascending order, so that neighbours begin alike. `asked` are rows by their face-down cards as bits; they
    are weighed exactly in any case, and it is only how much there is beside them that is estimated.
    """

    def __init__(
        self, public: Public, hand: Iterable[Card], model: PlayModel, asked: Iterable[int], budget: RowBudget
    ) -> None:
        self._asked, self._budget = np.array(sorted(asked), np.uint64), budget
        self._every = 1
        count = Count(gather(public, hand), model, self._pick)
        if not len(count.rows):
            raise ManhuntError(NO_WORLD)
        weights, masks = count.weights(count.leaves()), count.masks_of(count.rows)
        sampled = weights[self._sampled]
        if not sampled.sum() > 0:
            raise ManhuntError(NO_WORLD)
        rows = count.rows[self._sampled]
        self.trails = possible_trails(rows, masks[self._sampled], sampled, count.positions, count.evidence.config.last)
        """Of the sampled rows alone."""
        total = sampled[sampled > 0].sum() * self._every
        self._chances: dict[int, float] = dict(zip(masks.tolist(), (weights / total).tolist(), strict=True))

    def _pick(self, masks: Words) -> Bools:
        """One of each block of neighbours, and those asked for."""
        self._every = -(-len(masks) // self._budget.n) if len(masks) > self._budget.most else 1
        first = np.arange(0, len(masks), self._every)
        drawn = first + np.random.default_rng(SEED).integers(self._every, size=len(first))
        by_lot: Bools = np.zeros(len(masks), np.bool_)
        by_lot[np.minimum(drawn, len(masks) - 1)] = True
        picked: Bools = by_lot | np.isin(masks, self._asked)
        self._sampled = by_lot[picked]
        return picked

    def chance(self, mask: int) -> float:
        """Of a row that was asked for; 0 if it is not possible."""
        return min(1.0, self._chances.get(mask, 0.0))
