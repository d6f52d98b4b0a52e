"""Mr X's search: his own moves, with the detectives' answers predicted from what they can believe, never from his node.

Depth d looks at d of his moves. At depth 1 a move is worth what the net says after it. Deeper, the detectives answer a
sight with one of their best plans at first sight; after each of these he makes his best move, and so on:

    value(move) = MIX * net(move) + (1 - MIX) * sum over plans of chance(plan) * best value after plan

Moves with the same sight share the predicted plans. Only the most promising moves are looked at deeper.

Detectives may know Mr X's net. So, where there is time, his best moves are judged again by an even mixture of two
predictions: detectives who believe what is public, and detectives whose belief assumes the net (`_hedge`).
"""

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import OutOfBudget, SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.search import JointPlan, PlanSearch
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.champion import plan_kernels
from manhunt.games.scotland_yard.champion.detectives import TeamSearch
from manhunt.games.scotland_yard.champion.feature_kernels import pack_champion_graph
from manhunt.games.scotland_yard.champion.move_kernels import (
    N_SIGHTS,
    SHOWN,
    belief_after,
    end_of,
    informed_sights,
    new_champion_scratch,
    rated,
    sight_of,
)
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.champion.selfplay import TEMPERATURE, mixed, position_of_row
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig

MIX = 0.3
CHANCES = (0.5, 0.3, 0.2)
"""That the detectives make the best, second and third plan."""
CLOSE = 0.25
"""A move that is so much worse than the best is not looked at deeper."""
WIDTHS = (8, 4)
"""Moves looked at deeper, now and later."""
FORGET = 0.9
"""How fast the time that a long step took is forgotten."""
HEDGE = 0.5
"""The chance that the detectives know the net."""
BEAMS = (12, 4)
"""Joint plans kept while the detectives' plans are predicted, now and later."""


@dataclass(slots=True)
class SameSight:
    """Moves that look alike: what is public after them, and where each ends with which value."""

    state: Int32s
    belief: Floats
    actions: list[int]
    nodes: Int32s
    first: Floats
    """What the net says of each move."""
    values: Floats
    plans: list[JointPlan] | None = None
    chances: Floats | None = None
    """The detectives' answers, once they are predicted."""
    informed: Floats | None = None
    """What detectives think who know the net."""


@dataclass(frozen=True, slots=True)
class MrXResult:
    """Moves with their values, best first, and how deep all the best were looked at."""

    actions: list[int]
    values: list[float]
    depth: int


class MrXSearch:
    """The search of one agent in one game."""

    def __init__(self, config: ScotlandYardConfig, nets: ChampionNets, most_depth: int, *, hedges: bool = True) -> None:
        self.net, self.most_depth, self.n = nets.after_mrx, most_depth, config.n_detectives
        self.team = TeamSearch(config, nets) if hedges else None
        self.graph = pack_champion_graph(config, shipped_soft())
        self.scratch = new_champion_scratch(config)
        self.plans = PlanSearch(config, MinimaxSettings(beam=max(BEAMS)))
        self._foresight_seconds = 0.0
        self._post = np.zeros(packed.state_size(config), np.int32)
        self._struck = np.zeros(config.board.n_nodes)

    def warm_up(self, state: Int32s, belief: Floats) -> None:
        """Look at everything once, so that the first decision finds all kernels compiled."""
        self.run(state, belief, belief, SearchBudget(30, math.inf))
        self._foresight_seconds = 0.0

    def run(self, state: Int32s, belief: Floats, informed: Floats, budget: SearchBudget) -> MrXResult:
        """Deeper and deeper until the budget is used up; `informed` is what detectives think who know the net."""
        budget.used += 1
        sights = self._sights(state, belief, WIDTHS[0], with_doubles=True)
        depth = 1
        if sum(len(sight.actions) for sight in sights) > 1:
            with suppress(OutOfBudget):
                for deeper in range(2, self.most_depth + 1):
                    sights = self._deeper(sights, deeper, budget)
                    depth = deeper
                    if deeper == 2 and self.team is not None:
                        self._hedge(sights, state, belief, informed, budget)
                        sights = self._deeper(sights, deeper, budget)
        pairs = [(a, float(v)) for sight in sights for a, v in zip(sight.actions, sight.values, strict=True)]
        pairs.sort(key=lambda pair: -pair[1])
        return MrXResult([a for a, _ in pairs], [v for _, v in pairs], depth)

    def _deeper(self, sights: list[SameSight], depth: int, budget: SearchBudget) -> list[SameSight]:
        """All moves looked at so deep, the most promising first.

        Values of different depths do not compare. So when the budget ends before all are done, those that are done
        count alone, if they are two moves or more, and else nothing changes.
        """
        order = sorted(sights, key=lambda sight: -float(sight.values.max()))
        done: list[SameSight] = []
        try:
            for sight in order:
                backed = self._backed_up(sight, depth, BEAMS[0], budget)
                done.append(replace(sight, values=MIX * sight.first + (1 - MIX) * backed))
        except OutOfBudget:
            if sum(len(sight.actions) for sight in done) < 2:
                raise
            sights[:] = done
            raise
        return done

    def _sights(self, state: Int32s, belief: Floats, width: int, *, with_doubles: bool) -> list[SameSight]:
        """The best moves at first sight, by what is seen of them."""
        moves = self.scratch.moves
        n = rated(self.graph, self.net, state, belief, with_doubles, self.scratch)
        values = moves.values[:n]
        order = np.argsort(-values, kind="stable")[:width]
        order = order[values[order] >= values[order[0]] - CLOSE]
        together: dict[tuple[int, int], list[int]] = {}
        for i in order.tolist():
            row = int(moves.sights[i])  # a sight with a node in it is of one move alone
            together.setdefault((row, i if row >= SHOWN else 0), []).append(i)
        return [self._same_sight(state, moves.actions[group].tolist(), values[group]) for group in together.values()]

    def _same_sight(self, state: Int32s, actions: list[int], values: Floats) -> SameSight:
        child, belief = state.copy(), np.zeros_like(self._struck)
        belief_after(self.graph, state, actions[0], self.scratch.sights, belief)
        kernels.move_mrx(self.graph.table, child, actions[0])
        return SameSight(child, belief, actions, np.array([end_of(a) for a in actions], np.int32), values, values)

    def _backed_up(self, sight: SameSight, depth: int, beam: int, budget: SearchBudget) -> Floats:
        """For each move of a sight: what the detectives' answers leave."""
        budget.spend()
        state = sight.state
        state[packed.QUARRY] = sight.nodes[0]
        code = kernels.outcome(self.graph.table, state)
        if code != kernels.GOES_ON:
            return np.full(len(sight.nodes), plan_kernels.value_of_end(code))
        if sight.plans is None or sight.chances is None:
            sight.plans = self.plans.plans(position_of_row(state, sight.belief, self.n), beam)[: len(CHANCES)]
            sight.chances = np.array(CHANCES[: len(sight.plans)]) / sum(CHANCES[: len(sight.plans)])
        if depth == 2:
            out = self._answered(sight, sight.belief)
            if sight.informed is not None:
                out = (1 - HEDGE) * out + HEDGE * self._answered(sight, sight.informed)
            return out
        out = np.zeros(len(sight.nodes))
        for plan, chance in zip(sight.plans, sight.chances.tolist(), strict=True):
            out += chance * self._after_plan(sight, plan, depth, budget)
        return out

    def _hedge(
        self, sights: list[SameSight], state: Int32s, belief: Floats, informed: Floats, budget: SearchBudget
    ) -> None:
        """Predict also what detectives will do who know the net."""
        assert self.team is not None
        budget.spend()
        began = perf_counter()
        if began + self._foresight_seconds > budget.deadline:
            self._foresight_seconds *= FORGET
            raise OutOfBudget  # there is no time for the one long step of this search
        expected = np.zeros((N_SIGHTS, len(belief)))
        informed_sights(self.graph, self.net, state, belief, informed, TEMPERATURE, self.scratch, expected)
        self._foresight_seconds = max(FORGET * self._foresight_seconds, perf_counter() - began)
        for sight in sights:
            row = sight_of(self.graph, state, sight.actions[0])
            if row < SHOWN and sight.plans is not None and sight.chances is not None:
                sight.informed = mixed(expected[row], sight.belief)
                plan = self.team.likely_plan(sight.state, sight.belief, sight.informed, budget)
                known = JointPlan(tuple(plan.places.tolist()), tuple(plan.tickets.tolist()), plan.value, 0.0)
                sight.plans = [*sight.plans, known]
                sight.chances = np.append((1 - HEDGE) * sight.chances, HEDGE)

    def _answered(self, sight: SameSight, belief: Floats) -> Floats:
        assert sight.plans is not None
        assert sight.chances is not None
        places = np.array([plan.places for plan in sight.plans], np.int32)
        tickets = np.array([plan.tickets for plan in sight.plans], np.int32)
        out = np.zeros(len(sight.nodes))
        plan_kernels.answered(
            self.graph,
            self.net,
            sight.state,
            belief,
            places,
            tickets,
            sight.chances,
            sight.nodes,
            self._post,
            self._struck,
            self.scratch,
            out,
        )
        return out

    def _after_plan(self, sight: SameSight, plan: JointPlan, depth: int, budget: SearchBudget) -> Floats:
        """The best values of Mr X's next move, from each node of the sight."""
        out = np.zeros(len(sight.nodes))
        places, tickets = np.array(plan.places, np.int32), np.array(plan.tickets, np.int32)
        for i, node in enumerate(sight.nodes.tolist()):
            state, belief = sight.state.copy(), sight.belief.copy()
            state[packed.QUARRY] = node
            code = plan_kernels.carry_out(self.graph, state, belief, places, tickets, self.scratch)
            if code != kernels.GOES_ON:
                out[i] = plan_kernels.value_of_end(code)
                continue
            budget.spend()
            for later in self._sights(state, belief, WIDTHS[1], with_doubles=False):
                backed = self._backed_up(later, depth - 1, BEAMS[1], budget)
                out[i] = max(out[i], float((MIX * later.values + (1 - MIX) * backed).max()))
        return out
