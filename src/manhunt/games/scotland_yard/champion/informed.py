"""The public belief, from which those of informed detectives are made."""

from collections.abc import Mapping

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

    def _set(self, probabilities: Mapping[Node, float]) -> None:
        super()._set(probabilities)
        self.chains.begin(self.array)

    def _step(self, seen: Seen) -> float:
        state, before = pack(self.public.state(Node(0))), self.array
        chance = super()._step(seen)
        self.chains.moved(PublicMove(state, before, self.array, seen))
        return chance

    def _strike(self, *, is_mrx_turn: bool) -> float:
        chance = super()._strike(is_mrx_turn=is_mrx_turn)
        self.chains.struck(self.array)
        return chance
