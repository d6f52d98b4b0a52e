"""The public belief, from which those of informed detectives are made, and one of these as others may follow it."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.beliefs.weighted_kernels import Seen
from manhunt.games.scotland_yard.champion.answers import Answers
from manhunt.games.scotland_yard.champion.foresight import Foresight, InformedChains, PublicMove
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.rules.packed import pack
from manhunt.games.scotland_yard.rules.views import ScotlandYardView


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


class LevelBelief:
    """What detectives of a level believe, without a clock."""

    def __init__(self, nets: ChampionNets, level: int) -> None:
        self.nets, self.level = nets, level

    def start(self, view: ScotlandYardView) -> None:
        foresight = Foresight(Answers(view.config, self.nets))
        self._public = PublicBelief(InformedChains(foresight, (1, 3) if self.level == 3 else (self.level,)))
        self._public.start(view)

    def observe(self, events: Iterable[Mapping[str, Any]]) -> None:
        self._public.observe(events)

    @property
    def array(self) -> Floats:
        return self._public.chains.catch_up(SearchBudget(1 << 62, math.inf))[self.level]
