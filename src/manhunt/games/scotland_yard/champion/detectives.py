"""The detectives' search: joint plans from several sources, each worth what the net says of Mr X over the belief.

The best plans are then improved detective by detective. With more time more plans are improved, and the best few are
compared again by Mr X's best move after each, from every node where he may be.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.core.kernel_random import new_rng
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import OutOfBudget, SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.champion import plan_kernels
from manhunt.games.scotland_yard.champion.feature_kernels import ChampionGraph, pack_champion_graph
from manhunt.games.scotland_yard.champion.move_kernels import new_champion_scratch
from manhunt.games.scotland_yard.champion.nets import ChampionNets, ValueNet
from manhunt.games.scotland_yard.champion.selfplay import BEAM, FADES, LEAST_LIKELY, position_of_row
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig

N_GATHERED = 4
"""Plans that bring the team close to the belief, each from another random one."""
N_IMPROVED = 2
"""Plans improved before that."""


@dataclass(slots=True)
class TeamPlan:
    """A joint plan with Mr X's chance after it."""

    places: Int32s
    tickets: Int32s
    value: float


class _Head(NamedTuple):
    """The first arguments of the kernels that judge plans."""

    graph: ChampionGraph
    net: ValueNet
    state: Int32s
    belief: Floats
    informed: Floats
    least: float


class TeamSearch:
    """The search of one agent in one game."""

    def __init__(self, config: ScotlandYardConfig, nets: ChampionNets) -> None:
        self.nets, self.n = nets, config.n_detectives
        self.graph = pack_champion_graph(config, shipped_soft())
        self.scratch = new_champion_scratch(config)
        self.plans = PlanSearch(config, MinimaxSettings(beam=BEAM))
        self._post = np.zeros(packed.state_size(config), np.int32)
        self._struck = np.zeros(config.board.n_nodes)

    @property
    def order(self) -> list[int]:
        """The detectives in the order in which the plans can be carried out."""
        order: list[int] = self.plans.scratch.order[: self.n].tolist()
        return order

    def run(self, state: Int32s, belief: Floats, informed: Floats, seed: int, budget: SearchBudget) -> list[TeamPlan]:
        """Plans, best first; at least one whatever the budget."""
        head = _Head(self.graph, self.nets.after_detectives, state, belief, informed, LEAST_LIKELY)
        found: list[TeamPlan] = []
        try:
            for places, tickets in self._candidates(state, informed, seed):
                value = plan_kernels.plan_value(*head, places, tickets, self.scratch)
                found.append(TeamPlan(places, tickets, value))
                budget.spend()
            found.sort(key=lambda plan: plan.value)
            for plan in found[:N_IMPROVED]:
                self._improve(plan, head, budget)
        except OutOfBudget:
            pass
        found.sort(key=lambda plan: plan.value)
        return found

    def _candidates(self, state: Int32s, informed: Floats, seed: int) -> list[tuple[Int32s, Int32s]]:
        plans = self.plans.plans(position_of_row(state, informed, self.n), BEAM)
        listed = [(np.array(plan.places, np.int32), np.array(plan.tickets, np.int32)) for plan in plans]
        rng = new_rng(seed)
        for _ in range(N_GATHERED):
            places, tickets = np.zeros(self.n, np.int32), np.zeros(self.n, np.int32)
            plan_kernels.gather(self.graph, state, informed, rng, places, tickets, FADES)
            listed.append((places, tickets))
        return listed

    def _improve(self, plan: TeamPlan, head: _Head, budget: SearchBudget) -> None:
        """Detective by detective, until nobody has a better move."""
        idle, d = 0, 0
        while idle < self.n:
            budget.spend()
            value = plan_kernels.improve_one(*head, plan.places, plan.tickets, d, plan.value, self.scratch)
            idle = idle + 1 if value >= plan.value else 1
            plan.value = value
            d = (d + 1) % self.n
