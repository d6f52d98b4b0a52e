"""The detectives' belief: the public one, and beside it one that assumes that Mr X moves by the champion's net."""

from collections.abc import Mapping

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.core.ids import Node
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.beliefs.weighted_kernels import Seen
from manhunt.games.scotland_yard.champion.feature_kernels import pack_champion_graph
from manhunt.games.scotland_yard.champion.move_kernels import informed_belief, new_champion_scratch
from manhunt.games.scotland_yard.champion.nets import ValueNet
from manhunt.games.scotland_yard.champion.selfplay import TEMPERATURE, mixed, within
from manhunt.games.scotland_yard.rules.packed import pack


class InformedBelief(WeightedBelief):
    """`array` is the public belief by the model `soft`, `informed` the mixture that detectives plan with."""

    def __init__(self, net: ValueNet) -> None:
        super().__init__("soft")
        self.net = net
        self.informed = np.zeros(0)

    def _prepare(self) -> None:
        super()._prepare()
        self._champion_graph = pack_champion_graph(self.public.config, shipped_soft())
        self._champion_scratch = new_champion_scratch(self.public.config)

    def _set(self, probabilities: Mapping[Node, float]) -> None:
        super()._set(probabilities)
        self.informed = self.array

    def _step(self, seen: Seen) -> float:
        state, before = pack(self.public.state(Node(0))), self.array
        chance = super()._step(seen)
        expected: Floats = np.zeros_like(before)
        informed_belief(
            self._champion_graph,
            self.net,
            state,
            before,
            self.informed,
            seen,
            TEMPERATURE,
            self._champion_scratch,
            expected,
        )
        self.informed = mixed(expected, self._belief)
        return chance

    def _strike(self, *, is_mrx_turn: bool) -> float:
        chance = super()._strike(is_mrx_turn=is_mrx_turn)
        self.informed = within(self.informed, self._belief)
        return chance
