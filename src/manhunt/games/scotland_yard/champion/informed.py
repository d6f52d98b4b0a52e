"""The public belief, from which those of informed detectives are made."""

from collections.abc import Mapping

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.beliefs.weighted_kernels import Seen
from manhunt.games.scotland_yard.champion.foresight import InformedChains, PublicMove
from manhunt.games.scotland_yard.rules.packed import pack


class PublicBelief(WeightedBelief):
    """By the model `soft`; tells the chains of informed detectives what happened."""

    def __init__(self, chains: InformedChains) -> None:
        super().__init__("soft")
        self.chains = chains
        self._past: list[Floats] = []
        """After each of Mr X's moves since he was last shown."""

    def late(self, n: int) -> Floats:
        """As it was n moves ago, or when he was last shown, without the nodes where detectives stand now."""
        old = self._past[max(0, len(self._past) - 1 - n)].copy()
        old[self.public.pursuers] = 0.0
        return np.asarray(old / old.sum()) if n and old.any() else self.array

    def _set(self, probabilities: Mapping[Node, float]) -> None:
        super()._set(probabilities)
        self.chains.begin(self.array)
        self._past = [self.array]

    def _step(self, seen: Seen) -> float:
        state, before = pack(self.public.state(Node(0))), self.array
        chance = super()._step(seen)
        self.chains.moved(PublicMove(state, before, self.array, seen))
        if np.count_nonzero(self._belief) == 1:
            self._past = []
        self._past.append(self.array)
        return chance

    def _strike(self, *, is_mrx_turn: bool) -> float:
        chance = super()._strike(is_mrx_turn=is_mrx_turn)
        self.chains.struck(self.array)
        return chance
