"""The public belief, from which those of informed detectives are made, and one of these as others may follow it."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

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
