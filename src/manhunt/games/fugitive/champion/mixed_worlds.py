"""A belief that does not decide how he plays: the worlds under several models, each with a share."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from random import Random

from manhunt.core.arrays import Floats
from manhunt.core.errors import ManhuntError
from manhunt.games.fugitive.beliefs.models import PlayModel
from manhunt.games.fugitive.beliefs.sampling import World
from manhunt.games.fugitive.beliefs.worlds import Places, Worlds
from manhunt.games.fugitive.rules.public import Card, Public


class MixedWorlds(Worlds):
    """Every row has the mean of its probabilities under the models, weighed by their shares."""

    def __init__(
        self, public: Public, hand: Iterable[Card], models: Sequence[PlayModel], shares: Sequence[float]
    ) -> None:
        super().__init__(public, hand, models[0])
        cards = tuple(hand)
        self.shares = [share / sum(shares) for share in shares]
        self.parts = [self._alone(), *(Worlds(public, cards, model) for model in models[1:])]
        self._weights = self._mean([part._weights for part in self.parts])
        self._total = float(self._weights.sum())

    def _alone(self) -> Worlds:
        part = Worlds.__new__(Worlds)
        part.__dict__.update(self.__dict__)
        part._drawn = {}
        return part

    def _mean(self, weights: Sequence[Floats]) -> Floats:
        found = [share / part._total * w for share, part, w in zip(self.shares, self.parts, weights, strict=True)]
        return sum(found[1:], start=found[0])

    def _weights_after(self, kind: int) -> Floats:
        if kind not in self._drawn:
            self._drawn[kind] = self._mean([part._weights_after(kind) for part in self.parts])
        return self._drawn[kind]

    @cached_property
    def places(self) -> Places:
        every = [part.places for part in self.parts]
        columns = zip(*((each.sprint, each.hand, each.pile) for each in every), strict=True)
        sprint, hand, pile = (
            sum((share * found for share, found in zip(self.shares, column, strict=True)), start=0 * column[0])
            for column in columns
        )
        return Places(sprint, hand, pile)

    def sample(self, rng: Random, n: int) -> list[World]:
        counts = [0] * len(self.parts)
        for i in rng.choices(range(len(self.parts)), self.shares, k=n):
            counts[i] += 1
        return [world for part, k in zip(self.parts, counts, strict=True) if k for world in part.sample(rng, k)]


def mixed_or_none(
    public: Public, hand: Iterable[Card], models: Sequence[PlayModel], shares: Sequence[float]
) -> Worlds | None:
    """None where nothing lies face down, or where the worlds are too many to be counted."""
    try:
        return MixedWorlds(public, tuple(hand), models, shares) if public.n_hidden else None
    except ManhuntError:
        return None
