"""Games of Mr X, who moves by his net, against a pool of detectives, for training; the work is done in kernels."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s, Floats, Int32s, Words
from manhunt.core.game import Setup
from manhunt.core.ids import Seat
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below, new_rng
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.beliefs.weighted_kernels import NOTHING, Seen
from manhunt.games.scotland_yard.champion import plan_kernels
from manhunt.games.scotland_yard.champion.answers import Answers
from manhunt.games.scotland_yard.champion.feature_kernels import (
    ChampionGraph,
    node_features,
    pack_champion_graph,
    public_features,
    spread_out,
)
from manhunt.games.scotland_yard.champion.features import N_FEATURES
from manhunt.games.scotland_yard.champion.foresight import Foresight, InformedChains, PublicMove
from manhunt.games.scotland_yard.champion.mixing import (
    BEAM,
    LEAST_LIKELY,
    TEMPERATURE,
    mixed,
    position_of_row,
    within,
)
from manhunt.games.scotland_yard.champion.move_kernels import (
    N_SIGHTS,
    ChampionScratch,
    belief_after,
    best_of,
    end_of,
    informed_belief,
    new_champion_scratch,
    open_sight,
    rated,
    spread_of,
)
from manhunt.games.scotland_yard.champion.mrx import MrXSearch
from manhunt.games.scotland_yard.champion.nets import ChampionNets
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame
from manhunt.search.value_net import ValueNet

NOT_WANTED = -1


class Choice(NamedTuple):
    """How Mr X explores: the share of random moves, and the temperature of the softmax else."""

    random: float
    temperature: float


class GameRows(NamedTuple):
    """One game for the nets: features after each of Mr X's moves and before it, with what the net said of the moves.

    `is_best` tells which moves were as good as any, by the net.
    """

    after: Float32s
    before: Float32s
    values: Floats
    is_best: Floats
    n_logged: int
    has_won: bool


@kernel
def play_mrx(
    graph: ChampionGraph,
    net: ValueNet,
    state: Int32s,
    belief: Floats,
    choice: Choice,
    wanted: int,
    rng: Words,
    scratch: ChampionScratch,
    after: Float32s,
    before: Float32s,
) -> tuple[int, float, float, int]:
    """Mr X makes the wanted move, or if that is NOT_WANTED draws one; state and belief change.

    Returns the move, its value, how much the best is better, and the end.
    """
    n = rated(graph, net, state, belief, True, scratch)
    placement, sights = scratch.placement, scratch.sights
    spread_out(belief, scratch.spread)
    public_features(graph, state, scratch.spread, placement, scratch.public)
    held, quarry = int(state[packed.HELD]), int(state[packed.QUARRY])
    node_features(graph, placement, scratch.spread, scratch.public, held, quarry, before)
    values = scratch.moves.values
    best = best_of(values, n)
    if wanted == NOT_WANTED:
        chosen = draw_move(values, n, best, choice, rng)
    else:
        chosen = best
        for i in range(n):
            if scratch.moves.actions[i] == wanted:
                chosen = i
    action = int(scratch.moves.actions[chosen])
    row = open_sight(graph, net, state, action, scratch)
    held, end = int(sights.held[row]), end_of(action)
    node_features(graph, placement, spread_of(sights, row), sights.public[row], held, end, after)
    belief_after(graph, state, action, scratch.sights, belief)
    kernels.move_mrx(graph.table, state, action)
    gap = values[best] - values[chosen]
    return action, float(values[chosen]), float(gap), kernels.outcome(graph.table, state)


@kernel
def draw_move(values: Floats, n: int, best: int, choice: Choice, rng: Words) -> int:
    if plan_kernels.uniform(rng) < choice.random:
        return below(rng, n)
    if choice.temperature <= 0.0:
        return best
    total = 0.0
    for i in range(n):
        total += np.exp((values[i] - values[best]) / choice.temperature)
    left = plan_kernels.uniform(rng) * total
    for i in range(n):
        left -= np.exp((values[i] - values[best]) / choice.temperature)
        if left < 0.0:
            return i
    return best


class Team(NamedTuple):
    """The detectives of a game: how they plan, and the nets that they hold, if any."""

    plan: str
    nets: ChampionNets | None = None
    informed: bool = False
    """Whether their belief assumes that Mr X moves by the net."""

    @property
    def name(self) -> str:
        return f"{self.plan}, informed" if self.informed else self.plan


class Strategist:
    """One side of the agent `champion` as it plays, with a fixed number of steps instead of a clock."""

    def __init__(self, config: ScotlandYardConfig, nets: ChampionNets, levels: tuple[int, ...], steps: int) -> None:
        self.answers = Answers(config, nets)
        foresight = Foresight(self.answers)
        self.chains, self.steps = InformedChains(foresight, levels), steps
        self.mrx = MrXSearch(self.answers, foresight, 2, levels)

    def mrx_move(self, hunt: "_Hunt") -> int:
        priors = self.chains.catch_up(self._budget())
        return self.mrx.run(hunt.state.copy(), hunt.belief, priors, self._budget()).actions[0]

    def plan(self, hunt: "_Hunt", seed: int, net: ValueNet | None = None) -> tuple[Int32s, Int32s]:
        """The detectives' plan, by another net of theirs if one is given."""
        level = self.chains.levels[-1]
        hunt.informed = self.chains.catch_up(self._budget())[level]
        if net is not None:
            self.answers.team.nets = self.answers.nets._replace(after_detectives=net)
        found = self.answers.team.run(hunt.state, hunt.belief, hunt.informed, seed, self._budget())[0]
        return found.places, found.tickets

    def _budget(self) -> SearchBudget:
        return SearchBudget(self.steps, math.inf)


POOL = (Team("beam"), Team("noisy"), Team("noisy"), Team("gather"), Team("gather"), Team("chase"))


@dataclass(slots=True)
class _Hunt:
    """One game under way, as the detectives see it."""

    state: Int32s
    belief: Floats
    informed: Floats


class SelfPlay:
    """Plays training games of one config, one after the other."""

    def __init__(self, config: ScotlandYardConfig) -> None:
        self.config, self.n = config, config.n_detectives
        self.graph = pack_champion_graph(config, shipped_soft())
        self.scratch = new_champion_scratch(config)
        self.search = PlanSearch(config, MinimaxSettings(beam=BEAM))
        self._no_deeper = np.full((N_SIGHTS, config.board.n_nodes), np.nan)
        self._game = ScotlandYardGame()
        self._rows = np.zeros((2, config.n_rounds, N_FEATURES), np.float32)
        self._planners: dict[str, Callable[[_Hunt, Team, Words], tuple[Int32s, Int32s]]] = {
            "beam": self._beam,
            "noisy": self._noisy,
            "gather": self._gather,
            "chase": self._chase,
            "net": self._net,
        }

    def play(
        self,
        net: ValueNet,
        team: Team,
        choice: Choice,
        seed: int,
        setup: Setup | None = None,
        /,
        *,
        mrx: Strategist | None = None,
        detectives: Strategist | None = None,
    ) -> GameRows:
        """One game; all chance comes from the seed, and the deal, too, unless there is a setup.

        A strategist plays a side instead of the net or the team.
        With strategists on both sides, the detectives plan by their net of `team`.
        """
        rng = new_rng(seed)
        hunt = self._begin(self._game.deal(self.config, Random(seed)) if setup is None else setup)
        planner = self._planners[team.plan]
        strategists = [each for each in (mrx, detectives) if each is not None]
        for each in strategists:
            each.chains.begin(hunt.belief.copy())
        values, gaps, code = list[float](), list[float](), kernels.outcome(self.graph.table, hunt.state)
        while code == kernels.GOES_ON:
            state, belief = hunt.state.copy(), hunt.belief.copy()
            wanted = NOT_WANTED if mrx is None else mrx.mrx_move(hunt)
            code = self._mrx_moves(hunt, net, team, choice, wanted, rng, values, gaps)
            for each in strategists:
                each.chains.moved(PublicMove(state, belief, hunt.belief.copy(), seen_between(state, hunt.state)))
            if code == kernels.GOES_ON:
                if detectives is None:
                    places, tickets = planner(hunt, team, rng)
                else:
                    own = None if team.nets is None else team.nets.after_detectives
                    places, tickets = detectives.plan(hunt, below(rng, 1 << 30), own)
                code = plan_kernels.carry_out(self.graph, hunt.state, hunt.belief, places, tickets, self.scratch)
                hunt.informed = within(hunt.informed, hunt.belief)
                for each in strategists:
                    each.chains.struck(hunt.belief.copy())
        n = len(values)
        return GameRows(
            self._rows[0, :n].copy(),
            self._rows[1, :n].copy(),
            np.array(values),
            np.array([gap < CLOSE for gap in gaps], np.float64),
            int(hunt.state[packed.N_LOGGED]),
            bool(plan_kernels.value_of_end(code)),
        )

    def _begin(self, setup: Setup) -> _Hunt:
        start = self._game.start(self.config, setup)
        belief = WeightedBelief("soft")
        belief.start(self._game.view(start, Seat.PURSUERS))
        return _Hunt(packed.pack(start), belief.array, belief.array)

    def _mrx_moves(
        self,
        hunt: _Hunt,
        net: ValueNet,
        team: Team,
        choice: Choice,
        wanted: int,
        rng: Words,
        values: list[float],
        gaps: list[float],
    ) -> int:
        i = len(values)
        state, belief = (hunt.state.copy(), hunt.belief.copy()) if team.informed else (hunt.state, hunt.belief)
        room = (self.scratch, self._rows[0, i], self._rows[1, i])
        _, value, gap, code = play_mrx(self.graph, net, hunt.state, hunt.belief, choice, wanted, rng, *room)
        values.append(value)
        gaps.append(gap)
        if team.informed:
            self._learn_sight(hunt, team, state, belief)
        else:
            hunt.informed = hunt.belief
        return code

    def _learn_sight(self, hunt: _Hunt, team: Team, state: Int32s, belief: Floats) -> None:
        """What detectives think who suppose that Mr X has the net; `state` and `belief` are those before his move."""
        assert team.nets is not None
        seen, out = seen_between(state, hunt.state), np.zeros_like(belief)
        args = (state, belief, hunt.informed, seen, self._no_deeper, TEMPERATURE, self.scratch, out)
        informed_belief(self.graph, team.nets.choice, *args)
        hunt.informed = mixed(out, hunt.belief)

    def _beam(self, hunt: _Hunt, team: Team, rng: Words, choice: int = 0) -> tuple[Int32s, Int32s]:
        plans = self.search.plans(position_of_row(hunt.state, hunt.informed, self.n), BEAM)
        plan = plans[min(choice, len(plans) - 1)]
        return np.array(plan.places, np.int32), np.array(plan.tickets, np.int32)

    def _noisy(self, hunt: _Hunt, team: Team, rng: Words) -> tuple[Int32s, Int32s]:
        """In half of the turns the second to fourth plan."""
        return self._beam(hunt, team, rng, (0, 0, 0, 0, 0, 1, 1, 2, 2, 3)[below(rng, 10)])

    def _gather(self, hunt: _Hunt, team: Team, rng: Words) -> tuple[Int32s, Int32s]:
        places, tickets = np.zeros(self.n, np.int32), np.zeros(self.n, np.int32)
        plan_kernels.gather(self.graph, hunt.state, hunt.informed, rng, places, tickets, plan_kernels.FADES)
        return places, tickets

    def _chase(self, hunt: _Hunt, team: Team, rng: Words) -> tuple[Int32s, Int32s]:
        places, tickets = np.zeros(self.n, np.int32), np.zeros(self.n, np.int32)
        plan_kernels.chase(self.graph, hunt.state, hunt.informed, rng, places, tickets)
        return places, tickets

    def _net(self, hunt: _Hunt, team: Team, rng: Words) -> tuple[Int32s, Int32s]:
        """The best of a few plans by the net, then one round of improvements."""
        assert team.nets is not None
        net, listed = team.nets.after_detectives, [self._gather(hunt, team, rng) for _ in range(2)]
        plans = self.search.plans(position_of_row(hunt.state, hunt.informed, self.n), BEAM // 2)
        listed += [(np.array(plan.places, np.int32), np.array(plan.tickets, np.int32)) for plan in plans]
        head = (self.graph, net, hunt.state, hunt.belief, hunt.informed, LEAST_LIKELY)
        values = [plan_kernels.plan_value(*head, *plan, self.scratch) for plan in listed]
        best = min(range(len(listed)), key=values.__getitem__)
        (places, tickets), value = listed[best], values[best]
        for d in range(self.n):
            value = plan_kernels.improve_one(*head, places, tickets, d, value, self.scratch)
        return places, tickets


CLOSE = 0.25
"""A move that is so much worse than the best, by the net, is exploration: what follows says nothing about before."""


def seen_between(before: Int32s, after: Int32s) -> Seen:
    """What was seen of the move of Mr X between two states."""
    slot, n = int(before[packed.N_LOGGED]), int(after[packed.N_LOGGED])
    log = after[packed.LOG + 2 * slot : packed.LOG + 2 * n].tolist()
    return Seen(*(log if len(log) == 4 else [*log, NOTHING, NOTHING]))
