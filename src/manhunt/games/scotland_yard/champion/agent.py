"""The agent `champion`: value nets learnt by self-play with a shallow search, for Mr X and for the detectives."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import ClassVar

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Alternative, Limit
from manhunt.core.arrays import Floats, Int32s
from manhunt.core.errors import BadAgent, ManhuntError
from manhunt.core.ids import Node, Seat
from manhunt.core.jit import is_plain
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.agents.seat_agent import SeatAgent, SeatPlayer
from manhunt.games.scotland_yard.beliefs.public import PublicState
from manhunt.games.scotland_yard.beliefs.weighted_kernels import NOTHING, Seen
from manhunt.games.scotland_yard.champion.answers import Answers
from manhunt.games.scotland_yard.champion.detectives import TeamPlan, different
from manhunt.games.scotland_yard.champion.foresight import Foresight, InformedChains, Priors, PublicMove
from manhunt.games.scotland_yard.champion.informed import PublicBelief
from manhunt.games.scotland_yard.champion.mrx import MrXSearch
from manhunt.games.scotland_yard.champion.nets import ChampionNets, find_nets
from manhunt.games.scotland_yard.champion.plan_kernels import STAYS
from manhunt.games.scotland_yard.champion.rivals import ForeseenMoves, Rivals
from manhunt.games.scotland_yard.rules import kernels, packed
from manhunt.games.scotland_yard.rules.actions import Piece, Single, Ticket
from manhunt.games.scotland_yard.rules.packed import decode, pack
from manhunt.games.scotland_yard.rules.views import ScotlandYardView

SECONDS = 0.2
"""The budget of a decision that nobody bounds."""
RESERVE_SECONDS = 0.001
RESERVE_SHARE = 0.05
"""Of the seconds, kept for the step under way when the time is over."""
BELIEF_SHARE = 0.5
"""Of the time, at most, for working out what informed detectives believe."""
MOST_ALTERNATIVES = 3
MOST_LATE = 24
MOST_PLACES = 3
"""Of a belief, in an advice."""
DEEPEST = 6


@dataclass(frozen=True, slots=True)
class ChampionSettings:
    """The options of the agent `champion`."""

    nets: str = "standard"
    """Shipped nets by name, or the .npz file of others, as `manhunt train scotland_yard` writes it."""
    depth: int = 4
    """Mr X: how many of his moves are looked at, at most."""
    hedge: int = 1
    """Mr X: how much he expects the detectives to know, as `knows` says; 0: nothing."""
    knows: int = 2
    """Detectives: what they know, or suppose, of how Mr X chooses. 0: habit, 1: the net, 2: his search, 3: his search
    with the hedge against detectives who know 1."""
    late: int = 0
    """Detectives: how many of Mr X's last moves they have not taken in, unless he was shown; then they know 0."""
    seconds: float = math.inf
    iterations: int = 0
    """Steps of the search at most; 0: as many as there is time for."""

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise BadAgent(f"champion: depth must be from 1 to {DEEPEST}, not {self.depth}")
        for name, most in (("hedge", 2), ("knows", 3), ("late", MOST_LATE)):
            if not 0 <= getattr(self, name) <= most:
                raise BadAgent(f"champion: {name} must be from 0 to {most}, not {getattr(self, name)}")
        if not self.seconds > 0:
            raise BadAgent(f"champion: seconds must be more than 0, not {self.seconds}")
        if self.iterations < 0:
            raise BadAgent(f"champion: iterations must be 0 or more, not {self.iterations}")


DEFAULT = ChampionSettings()


class ChampionAgent(SeatAgent):
    """The strongest agent: Mr X avoids where detectives will believe him to be; detectives plan their whole turn by
    nets.
    """

    name = "champion"
    options_class: ClassVar[type] = ChampionSettings

    def __init__(self, config: ChampionSettings = DEFAULT) -> None:
        super().__init__()
        self.config = config
        try:
            self.nets = _nets(config.nets)
        except ManhuntError as error:
            raise BadAgent(f"champion: {error}") from None

    def player(self, view: ScotlandYardView) -> "_ChampionPlayer":
        kind = _ChampionMrX if view.seat is Seat.EVADER else _ChampionDetectives
        return kind(view, self.nets, self.config)

    def budget(self, limit: Limit) -> SearchBudget:
        seconds = min(self.config.seconds, math.inf if limit.seconds is None else limit.seconds)
        iterations = min(self.config.iterations or 1 << 62, limit.iterations or 1 << 62)
        if math.isinf(seconds) and iterations == 1 << 62:
            seconds = SECONDS
        usable = seconds - max(RESERVE_SECONDS, RESERVE_SHARE * seconds)
        deadline = Limit(max(usable, 1e-6)).deadline() if math.isfinite(seconds) else math.inf
        return SearchBudget(iterations, deadline)


@lru_cache(maxsize=8)
def _nets(name: str) -> ChampionNets:
    return find_nets(name)[0]


class _ChampionPlayer(SeatPlayer[PublicBelief]):
    """Also follows what informed detectives believe."""

    def __init__(self, view: ScotlandYardView, nets: ChampionNets, levels: tuple[int, ...]) -> None:
        self.compiles = not is_plain(Answers.__module__)
        self.answers = Answers(view.config, nets)
        self.foresight = Foresight(self.answers)
        self.chains = InformedChains(self.foresight, levels)
        super().__init__(view, PublicBelief(self.chains))

    def _priors(self, budget: SearchBudget) -> Priors:
        """What informed detectives believe now; bringing that up to date takes a part of the budget at most."""
        now = thinking_time.now()
        part = SearchBudget(int(BELIEF_SHARE * budget.iterations), now + BELIEF_SHARE * (budget.deadline - now))
        priors = self.chains.catch_up(part)
        budget.used += part.used
        return priors


class _ChampionMrX(_ChampionPlayer):
    def __init__(self, view: ScotlandYardView, nets: ChampionNets, config: ChampionSettings) -> None:
        levels = tuple(range(1, config.hedge + 1))
        super().__init__(view, nets, levels)
        self.search = MrXSearch(self.answers, self.foresight, config.depth, levels)
        self.rivals = Rivals(len(levels))
        self._answered: Int32s | None = None
        """The state after his last move, before the detectives answered."""
        self._foreseen: ForeseenMoves | None = None
        if self.compiles and not view.waiting:  # have the kernels ready before a clock runs
            self.search.run(row_of(view), self.belief.array, self.chains.priors, SearchBudget(30, math.inf))

    def act(self, view: ScotlandYardView, budget: SearchBudget, rng: Random) -> Advice:
        priors, state = self._priors(budget), row_of(view)
        self._learn(state)
        found = self.search.run(state, self.belief.array, priors, budget, self.rivals.weights)
        self._answered, self._foreseen = state.copy(), found.foreseen
        kernels.move_mrx(self.answers.graph.table, self._answered, found.actions[0])
        pieces = view.pieces
        lines = [
            Alternative((decode(pieces, action),), 2.0 * value - 1.0)
            for action, value in zip(found.actions[: MOST_ALTERNATIVES + 1], found.values, strict=False)
        ]
        lead = found.values[0] - found.values[1] if len(found.values) > 1 else 1.0
        counters = {"iterations": float(budget.used), "depth": float(found.depth), "teams": float(found.teams)}
        believed = likeliest(priors[max(priors)] if priors else self.belief.array)
        return Advice(lines[0].line[0], lines[0].value, lead, lines[0].line, counters, tuple(lines[1:]), believed)

    def _learn(self, state: Int32s) -> None:
        """From the detectives' last turn, what kind they are."""
        before = self._answered
        if before is None:
            return
        if before[packed.N_LOGGED] == state[packed.N_LOGGED] and before[packed.QUARRY] == state[packed.QUARRY]:
            here = slice(packed.PLACES, packed.PLACES + self.answers.n)
            self.rivals.moved(self._foreseen, before[here], state[here])


class _ChampionDetectives(_ChampionPlayer):
    """Keeps the plan of the turn; makes a new one when it does not fit."""

    def __init__(self, view: ScotlandYardView, nets: ChampionNets, config: ChampionSettings) -> None:
        self.level, self.late = 0 if config.late else config.knows, config.late
        super().__init__(view, nets, (1, 3) if self.level == 3 else (self.level,) if self.level else ())
        self.search = self.answers.team
        self._plan: list[Single] = []
        self._waiting: set[Piece] = set()
        self._advice = Advice(None)
        if self.compiles:
            self._warm_up(view, self.belief.array)

    def _warm_up(self, view: ScotlandYardView, belief: Floats) -> None:
        """Have the kernels ready before a clock runs."""
        state = row_of(replace(view, waiting=view.pieces))
        self.search.run(state, belief, belief, 0, SearchBudget(30, math.inf))
        if view.waiting:
            return
        state = row_of(view)
        for level in self.chains.levels:
            self.foresight.after(
                level,
                PublicMove(state, belief, belief, Seen(0, NOTHING, NOTHING, NOTHING)),
                self.chains.priors,
                SearchBudget(4, math.inf),
            )

    def act(self, view: ScotlandYardView, budget: SearchBudget, rng: Random) -> Advice:
        is_expected = self._plan and self._plan[0] in view.legal and set(view.waiting) == self._waiting
        self._make_plan(view, budget, rng.getrandbits(32), self._rest(view) if is_expected else None)
        move, self._plan = self._plan[0], self._plan[1:]
        self._waiting = set(view.waiting) - {move.piece}
        return replace(self._advice, action=move)

    def _rest(self, view: ScotlandYardView) -> TeamPlan:
        """The plan of the turn, as far as it is not carried out."""
        numbers = {detective.piece: d for d, detective in enumerate(view.detectives)}
        places = np.array([detective.node for detective in view.detectives], np.int32)
        tickets = np.full(len(places), STAYS, np.int32)
        for move in self._plan:
            places[numbers[move.piece]], tickets[numbers[move.piece]] = move.to, int(move.ticket)
        return TeamPlan(places, tickets, math.inf)

    def _make_plan(self, view: ScotlandYardView, budget: SearchBudget, seed: int, known: TeamPlan | None) -> None:
        """A plan for those who wait; with more time than it took to know one, a better one."""
        belief = self.belief.late(self.late)
        believed = self._priors(budget).get(self.level, belief)
        found = different(self.search.run(row_of(view), belief, believed, seed, budget, known))
        lines = [
            Alternative(tuple(self._moves(view, plan)), 2.0 * min(plan.value, 1.0) - 1.0)
            for plan in found[: MOST_ALTERNATIVES + 1]
        ]
        self._plan = list(lines[0].line)
        lead = found[1].value - found[0].value if len(found) > 1 else 1.0
        counters = {"iterations": float(budget.used), "plans": float(len(found))}
        others = tuple(lines[1:])
        self._advice = Advice(None, lines[0].value, lead, lines[0].line, counters, others, likeliest(believed))

    def _moves(self, view: ScotlandYardView, plan: TeamPlan) -> list[Single]:
        """In the order in which they can be made."""
        return [
            Single(view.detectives[d].piece, Ticket(int(plan.tickets[d])), Node(int(plan.places[d])))
            for d in self.search.order(plan, [detective.node for detective in view.detectives])
        ]


def likeliest(belief: Floats) -> dict[Node, float]:
    """The nodes where Mr X is believed to be most, likeliest first."""
    order = np.argsort(-belief, kind="stable")[:MOST_PLACES]
    return {Node(int(node)): float(belief[node] / belief.sum()) for node in order if belief[node] > 0}


def row_of(view: ScotlandYardView) -> Int32s:
    """The packed state of a view; a hidden quarry is put on node 0."""
    return pack(PublicState(view).state(Node(0) if view.quarry is None else view.quarry))
