"""Games of Mr X, who moves by his net, against a pool of detectives, for training; the work is done in kernels."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s, Floats, Int32s, Words
from manhunt.core.ids import Seat
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import below, new_rng
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch, Position
from manhunt.games.scotland_yard.beliefs.models import shipped_soft
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.beliefs.weighted_kernels import NOTHING, Seen
from manhunt.games.scotland_yard.champion import plan_kernels
from manhunt.games.scotland_yard.champion.feature_kernels import (
    ChampionGraph,
    node_features,
    pack_champion_graph,
    public_features,
    spread_out,
)
from manhunt.games.scotland_yard.champion.features import N_FEATURES
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
from manhunt.games.scotland_yard.champion.nets import ChampionNets, ValueNet
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.game import ScotlandYardGame

FADES = np.array(plan_kernels.TEAM_FADES)
BEAM = 16
"""Joint plans at first sight that detectives choose from."""
LEAST_LIKELY = 0.002
"""Detectives with a net leave out nodes that are less likely."""
INFORMED_SHARE = 0.8
"""Of the belief that assumes Mr X's net; the rest is the public one."""
TEMPERATURE = 0.05
"""Of the softmax by which detectives think that Mr X chooses."""


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
    rng: Words,
    scratch: ChampionScratch,
    after: Float32s,
    before: Float32s,
) -> tuple[int, float, float, int]:
    """Mr X moves; state and belief change. Returns the move, its value, how much the best is better, and the end."""
    n = rated(graph, net, state, belief, True, scratch)
    placement, sights = scratch.placement, scratch.sights
    spread_out(belief, scratch.spread)
    public_features(graph, state, scratch.spread, placement, scratch.public)
    held, quarry = int(state[packed.HELD]), int(state[packed.QUARRY])
    node_features(graph, placement, scratch.spread, scratch.public, held, quarry, before)
    values = scratch.moves.values
    best = best_of(values, n)
    chosen = draw_move(values, n, best, choice, rng)
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

    def play(self, net: ValueNet, team: Team, choice: Choice, seed: int) -> GameRows:
        """One game; all chance comes from the seed."""
        rng = new_rng(seed)
        hunt = self._deal(Random(seed))
        planner = self._planners[team.plan]
        values, gaps, code = list[float](), list[float](), kernels.outcome(self.graph.table, hunt.state)
        while code == kernels.GOES_ON:
            code = self._mrx_moves(hunt, net, team, choice, rng, values, gaps)
            if code == kernels.GOES_ON:
                places, tickets = planner(hunt, team, rng)
                code = plan_kernels.carry_out(self.graph, hunt.state, hunt.belief, places, tickets, self.scratch)
                hunt.informed = within(hunt.informed, hunt.belief)
        n = len(values)
        return GameRows(
            self._rows[0, :n].copy(),
            self._rows[1, :n].copy(),
            np.array(values),
            np.array([gap < CLOSE for gap in gaps], np.float64),
            int(hunt.state[packed.N_LOGGED]),
            bool(plan_kernels.value_of_end(code)),
        )

    def _deal(self, rng: Random) -> _Hunt:
        start = self._game.start(self.config, self._game.deal(self.config, rng))
        belief = WeightedBelief("soft")
        belief.start(self._game.view(start, Seat.PURSUERS))
        return _Hunt(packed.pack(start), belief.array, belief.array)

    def _mrx_moves(
        self, hunt: _Hunt, net: ValueNet, team: Team, choice: Choice, rng: Words, values: list[float], gaps: list[float]
    ) -> int:
        i = len(values)
        state, belief = (hunt.state.copy(), hunt.belief.copy()) if team.informed else (hunt.state, hunt.belief)
        action, value, gap, code = play_mrx(
            self.graph, net, hunt.state, hunt.belief, choice, rng, self.scratch, self._rows[0, i], self._rows[1, i]
        )
        values.append(value)
        gaps.append(gap)
        if team.informed:
            self._learn_sight(hunt, team, state, belief, action)
        else:
            hunt.informed = hunt.belief
        return code

    def _learn_sight(self, hunt: _Hunt, team: Team, state: Int32s, belief: Floats, action: int) -> None:
        """What detectives think who suppose that Mr X has the net; `state` and `belief` are those before his move."""
        assert team.nets is not None
        slot, n = int(state[packed.N_LOGGED]), int(hunt.state[packed.N_LOGGED])
        log = hunt.state[packed.LOG + 2 * slot : packed.LOG + 2 * n].tolist()
        seen = Seen(*(log if len(log) == 4 else [*log, NOTHING, NOTHING]))
        out = np.zeros_like(belief)
        args = (state, belief, hunt.informed, seen, self._no_deeper, TEMPERATURE, self.scratch, out)
        informed_belief(self.graph, team.nets.after_mrx, *args)
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
        plan_kernels.gather(self.graph, hunt.state, hunt.informed, rng, places, tickets, FADES)
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


def mixed(informed: Floats, belief: Floats) -> Floats:
    """The belief that assumes the net, with a share of the public one; that alone where the net fits nothing seen."""
    informed = np.where(belief > 0, informed, 0.0)
    total = informed.sum()
    if total <= 1e-9:
        return belief.copy()
    return np.asarray(INFORMED_SHARE * informed / total + (1 - INFORMED_SHARE) * belief)


def within(informed: Floats, belief: Floats) -> Floats:
    """What is left of a belief where the public one says that Mr X can be."""
    left = np.where(belief > 0, informed, 0.0)
    total = left.sum()
    return np.asarray(left / total) if total > 0 else belief.copy()


def position_of_row(state: Int32s, belief: Floats, n: int) -> Position:
    """A packed state as the planner of `minimax` wants it."""
    held = state[packed.TICKETS : packed.TICKETS + 5 * (n + 1)].reshape(n + 1, 5)
    return Position(
        belief,
        state[packed.PLACES : packed.PLACES + n].copy(),
        np.ascontiguousarray(held[1:, :3]),
        held[0].copy(),
        int(state[packed.N_LOGGED]),
        int(state[packed.WAITING]),
    )
