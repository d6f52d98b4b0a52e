"""The detectives' search: joint plans from several sources, each worth what the net says of Mr X over the belief.

The best plans are then improved detective by detective. With more time more plans are improved, and the best few are
compared again by Mr X's best move after each, from every node where he may be.
"""

from collections.abc import Sequence
from contextlib import suppress
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
from manhunt.games.scotland_yard.champion.mixing import BEAM, LEAST_LIKELY, position_of_row
from manhunt.games.scotland_yard.champion.move_kernels import new_champion_scratch
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.search.value_net import ValueNet

N_GATHERED = 4
"""Plans that bring the team close to the belief, each from another random one."""
N_COMPARED = 6
"""Plans compared by Mr X's best move after each."""
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

    def order(self, plan: TeamPlan, here: Sequence[int]) -> list[int]:
        """The detectives who move, each after the colleague on whose node they step; else as the planner ranked them.

        Another plan may have been made since, with another ranking.
        """
        left = [d for d in self.plans.scratch.order[: self.n].tolist() if plan.tickets[d] != plan_kernels.STAYS]
        order: list[int] = []
        while left:
            free = (d for d in left if not any(here[other] == plan.places[d] for other in left if other != d))
            order.append(next(free, left[0]))
            left.remove(order[-1])
        return order

    def run(
        self,
        state: Int32s,
        belief: Floats,
        informed: Floats,
        seed: int,
        budget: SearchBudget,
        known: TeamPlan | None = None,
    ) -> list[TeamPlan]:
        """Plans, best first; at least one whatever the budget.

        A plan that was made before is improved first, and gives way only to one that is better at the same depth.
        """
        head = _Head(self.graph, self.nets.after_detectives, state, belief, informed, LEAST_LIKELY)
        found, deep = list[TeamPlan](), list[TeamPlan]()
        with suppress(OutOfBudget):
            if known is not None:
                deep.append(known)
                budget.spend()
                known.value = self._deep_value(known, head)
                self._improve_deeply(known, head, budget)
            for places, tickets in self._candidates(state, informed, seed):
                value = plan_kernels.plan_value(*head, places, tickets, self.scratch)
                found.append(TeamPlan(places, tickets, value))
                budget.spend()
            found.sort(key=lambda plan: plan.value)
            for plan in found[:N_IMPROVED]:
                self._improve(plan, head, budget)
            self._compare(found, head, budget, deep)
        best = deep if known is not None or len(deep) >= min(2, len(found)) else found
        return sorted(best, key=lambda plan: plan.value)

    def likely_plan(self, state: Int32s, belief: Floats, informed: Floats, budget: SearchBudget) -> TeamPlan:
        """What detectives with this belief will probably do: a quick look, for Mr X to predict."""
        head = _Head(self.graph, self.nets.after_detectives, state, belief, informed, LEAST_LIKELY)
        found = [
            TeamPlan(places, tickets, plan_kernels.plan_value(*head, places, tickets, self.scratch))
            for places, tickets in self._candidates(state, informed, 0, BEAM // 2, N_GATHERED // 2)
        ]
        budget.spend()
        plan = min(found, key=lambda plan: plan.value)
        for d in range(self.n):
            budget.spend()
            plan.value = plan_kernels.improve_one(*head, plan.places, plan.tickets, d, plan.value, self.scratch)
        return plan

    def _candidates(
        self, state: Int32s, informed: Floats, seed: int, n_beam: int = BEAM, n_gathered: int = N_GATHERED
    ) -> list[tuple[Int32s, Int32s]]:
        plans = self.plans.plans(position_of_row(state, informed, self.n), n_beam)
        listed = [(np.array(plan.places, np.int32), np.array(plan.tickets, np.int32)) for plan in plans]
        rng = new_rng(seed)
        for _ in range(n_gathered):
            places, tickets = np.zeros(self.n, np.int32), np.zeros(self.n, np.int32)
            plan_kernels.gather(self.graph, state, informed, rng, places, tickets, plan_kernels.FADES)
            listed.append((places, tickets))
        return listed

    def _compare(self, found: list[TeamPlan], head: _Head, budget: SearchBudget, deep: list[TeamPlan]) -> None:
        """Append the best plans with their value by Mr X's best move after each; then improve them by that."""
        found.sort(key=lambda plan: plan.value)
        first = len(deep)
        for plan in different(found)[:N_COMPARED]:
            budget.spend()
            deep.append(TeamPlan(plan.places.copy(), plan.tickets.copy(), self._deep_value(plan, head)))
        for plan in sorted(deep[first:], key=lambda plan: plan.value):
            deep.append(TeamPlan(plan.places.copy(), plan.tickets.copy(), plan.value))  # the plan itself is kept
            self._improve_deeply(deep[-1], head, budget)

    def _deep_value(self, plan: TeamPlan, head: _Head) -> float:
        """Mr X's chance if he makes his best single move, from every node where he may be."""
        nodes = np.flatnonzero(head.informed > LEAST_LIKELY).astype(np.int32)
        worth = np.zeros(len(nodes))
        plan_kernels.answered(
            self.graph,
            self.nets.after_mrx,
            head.state,
            head.belief,
            plan.places[None],
            plan.tickets[None],
            np.ones(1),
            nodes,
            self._post,
            self._struck,
            self.scratch,
            worth,
        )
        return float(head.informed[nodes] @ worth)

    def _improve_deeply(self, plan: TeamPlan, head: _Head, budget: SearchBudget) -> None:
        """Detective by detective, as `_improve`, by the deeper value."""
        idle, d = 0, 0
        while idle < self.n:
            idle += 1
            for place, ticket in self._moves_of(plan, head.state, d):
                budget.spend()
                old = plan.places[d], plan.tickets[d]
                plan.places[d], plan.tickets[d] = place, ticket
                value = self._deep_value(plan, head)
                if value < plan.value - 1e-6:
                    plan.value, idle = value, 1
                else:
                    plan.places[d], plan.tickets[d] = old
            d = (d + 1) % self.n

    def _moves_of(self, plan: TeamPlan, state: Int32s, d: int) -> list[tuple[int, int]]:
        """Other nodes for detective d with a ticket, of which he has the most; none if he stays."""
        if plan.tickets[d] == plan_kernels.STAYS:
            return []
        table, node, held = self.graph.table, state[packed.PLACES + d], state[packed.HELD + 1 + d]
        counts = state[packed.TICKETS + 5 * (d + 1) :]
        ways: dict[int, int] = {}
        for fare in table.fares[table.indptr[held, node] : table.indptr[held, node + 1]].tolist():
            to, ticket = fare >> 8, fare >> 3 & 3
            if to not in ways or counts[ticket] > counts[ways[to]]:
                ways[to] = ticket
        return [
            (to, ticket)
            for to, ticket in ways.items()
            if to != plan.places[d] and not plan_kernels.is_taken(state, plan.places, d, to)
        ]

    def _improve(self, plan: TeamPlan, head: _Head, budget: SearchBudget) -> None:
        """Detective by detective, until nobody has a better move."""
        idle, d = 0, 0
        while idle < self.n:
            budget.spend()
            value = plan_kernels.improve_one(*head, plan.places, plan.tickets, d, plan.value, self.scratch)
            idle = idle + 1 if value >= plan.value else 1
            plan.value = value
            d = (d + 1) % self.n


def different(plans: list[TeamPlan]) -> list[TeamPlan]:
    """Without plans that put the team on the same nodes as one before."""
    kept: dict[tuple[int, ...], TeamPlan] = {}
    for plan in plans:
        kept.setdefault(tuple(sorted(plan.places.tolist())), plan)
    return list(kept.values())
