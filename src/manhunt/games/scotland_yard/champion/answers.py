"""How the detectives will answer Mr X's moves, and what his best move is worth after that.

Their answer depends on what they believe, never on where he is. Several kinds of teams are predicted: those who believe
what is public and make one of the best plans at first sight, and those who know how he chooses (`foresight.py`) and
plan with the net. Each kind has a weight; of each the answer is judged by what that team believes.
"""

from dataclasses import dataclass, field

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.champion import plan_kernels
from manhunt.games.scotland_yard.champion.detectives import TeamSearch
from manhunt.games.scotland_yard.champion.feature_kernels import pack_champion_graph
from manhunt.games.scotland_yard.champion.mixing import position_of_row
from manhunt.games.scotland_yard.champion.move_kernels import belief_after, end_of, new_champion_scratch
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig

MIX = 0.3
"""Of a move's value, the part that the net says at first sight."""
CHANCES = (0.5, 0.3, 0.2)
"""That uninformed detectives make their best, second and third plan."""
THOROUGH_STEPS = 70
"""Of the detectives' search, when Mr X does it for them."""
BEAM = 12
"""Joint plans kept while these are predicted."""
HEDGING_BEAM = 6
"""By Mr X who also predicts informed detectives, for which he needs the time."""


@dataclass(slots=True, eq=False)
class PredictedTeam:
    """Detectives of one kind: how much they count, what they believe, and their plans with chances."""

    weight: float
    belief: Floats
    places: Int32s
    tickets: Int32s
    chances: Floats
    worth: Floats | None = None
    """For each end of the sight they answer: what their answer leaves Mr X; None: not asked yet."""


@dataclass(slots=True, eq=False)
class SameSight:
    """Moves that look alike: what is public after them, and where each ends with which value."""

    state: Int32s
    belief: Floats
    actions: list[int]
    nodes: Int32s
    first: Floats
    """What the net says of each move."""
    values: Floats
    teams: list[PredictedTeam] = field(default_factory=list)


class Answers:
    """What one agent in one game needs to look ahead."""

    def __init__(self, config: ScotlandYardConfig, nets: ChampionNets) -> None:
        self.nets, self.n = nets, config.n_detectives
        self.graph = pack_champion_graph(config, shipped_soft())
        self.scratch = new_champion_scratch(config)
        self.team = TeamSearch(config, nets)
        self._plans = PlanSearch(config, MinimaxSettings(beam=BEAM))
        self._post = np.zeros(packed.state_size(config), np.int32)
        self._struck = np.zeros(config.board.n_nodes)

    def same_sight(self, state: Int32s, actions: list[int], nodes: Int32s, values: Floats) -> SameSight:
        """What is public after the first of these moves; `look_ahead` was called on the state."""
        child, belief = state.copy(), np.zeros_like(self._struck)
        belief_after(self.graph, state, actions[0], self.scratch.sights, belief)
        kernels.move_mrx(self.graph.table, child, actions[0])
        return SameSight(child, belief, actions, nodes, values, values)

    def end_of(self, sight: SameSight) -> float | None:
        """What the game is worth if it is over after the moves of a sight."""
        sight.state[packed.QUARRY] = sight.nodes[0]
        code = kernels.outcome(self.graph.table, sight.state)
        return None if code == kernels.GOES_ON else plan_kernels.value_of_end(code)

    def predict_uninformed(self, sight: SameSight, beam: int = BEAM) -> None:
        """The best plans at first sight, unless they are there."""
        if not sight.teams:
            plans = self._plans.plans(position_of_row(sight.state, sight.belief, self.n), beam)[: len(CHANCES)]
            places = np.array([plan.places for plan in plans], np.int32)
            tickets = np.array([plan.tickets for plan in plans], np.int32)
            chances = np.array(CHANCES[: len(plans)]) / sum(CHANCES[: len(plans)])
            sight.teams = [PredictedTeam(1.0, sight.belief, places, tickets, chances)]

    def predict_informed(
        self, sight: SameSight, informed: Floats, budget: SearchBudget, *, thorough: bool = False
    ) -> PredictedTeam:
        """The plan by net of detectives with this belief: at a quick look, or by their own search."""
        if thorough:
            part = budget.part(THOROUGH_STEPS)
            plan = self.team.run(sight.state, sight.belief, informed, 0, part)[0]
            budget.used += part.used
            budget.spend()
        else:
            plan = self.team.likely_plan(sight.state, sight.belief, informed, budget)
        return PredictedTeam(1.0, informed, plan.places[None], plan.tickets[None], np.ones(1))

    def worth(self, sight: SameSight) -> Floats:
        """For each end of the sight: Mr X's best single move after the answers, by the net."""
        return np.asarray(sum(team.weight * self._after(sight, team) for team in sight.teams))

    def _after(self, sight: SameSight, team: PredictedTeam) -> Floats:
        """The same after the answer of one team."""
        if team.worth is None:
            team.worth = np.zeros(len(sight.nodes))
            plan_kernels.answered(
                self.graph,
                self.nets.choice,
                sight.state,
                team.belief,
                team.places,
                team.tickets,
                team.chances,
                sight.nodes,
                self._post,
                self._struck,
                self.scratch,
                team.worth,
            )
        return team.worth

    def deeper(self, sight: SameSight) -> Floats:
        """The value of each move of a sight at depth 2."""
        end = self.end_of(sight)
        return np.asarray(MIX * sight.first + (1 - MIX) * (self.worth(sight) if end is None else end))


def ends_of(actions: list[int]) -> Int32s:
    return np.array([end_of(action) for action in actions], np.int32)
