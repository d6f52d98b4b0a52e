"""Minimax over joint plans and replies: detectives against a belief, and Mr X against detectives who have one."""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar

import numpy as np

from manhunt.core.agent import Advice, Alternative, Limit
from manhunt.core.errors import BadAgent, ManhuntError
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.agents.minimax_search.config import MinimaxSettings, PureMinimaxSettings
from manhunt.games.scotland_yard.agents.minimax_search.deepening import SearchBudget
from manhunt.games.scotland_yard.agents.minimax_search.evasion import EvasionSearch, MrXMove, MrXTurn
from manhunt.games.scotland_yard.agents.minimax_search.search import PlanSearch, PlanSearchResult, Position
from manhunt.games.scotland_yard.agents.seat_agent import SeatAgent, SeatPlayer
from manhunt.games.scotland_yard.beliefs.models import Model, make_model
from manhunt.games.scotland_yard.beliefs.weighted import WeightedBelief
from manhunt.games.scotland_yard.rules.actions import Piece, Single, Ticket
from manhunt.games.scotland_yard.rules.rules import steps_of
from manhunt.games.scotland_yard.rules.views import ScotlandYardView

DEFAULT = MinimaxSettings()
PURE = PureMinimaxSettings()
MOST_ALTERNATIVES = 3


class MinimaxAgent(SeatAgent):
    """Minimax search: plans the detectives' whole turn against a belief, or Mr X's moves against such detectives."""

    name = "minimax"
    options_class: ClassVar[type] = MinimaxSettings

    def __init__(self, config: MinimaxSettings = DEFAULT) -> None:
        super().__init__()
        self.config = config
        try:
            self.model = make_model(config.model)
        except ManhuntError as error:
            raise BadAgent(f"minimax: {error}") from None

    def player(self, view: ScotlandYardView) -> "_MinimaxPlayer":
        kind = _MinimaxMrX if view.seat is Seat.EVADER else _MinimaxDetectives
        return kind(view, self.model, self.config)

    def budget(self, limit: Limit) -> SearchBudget:
        is_free = limit.iterations is None and limit.seconds is None
        seconds = min(self.config.seconds, math.inf if limit.seconds is None else limit.seconds)
        iterations = self.config.iterations if is_free else limit.iterations or 1 << 62
        return SearchBudget(iterations, Limit(None if seconds == math.inf else seconds).deadline())


class PureMinimaxAgent(MinimaxAgent):
    """Pure minimax: the other side always gives the worst reply (`adversity` is 1)."""

    options_class = PureMinimaxSettings

    def __init__(self, config: MinimaxSettings = PURE) -> None:
        super().__init__(config)


class _MinimaxPlayer(SeatPlayer[WeightedBelief]):
    def __init__(self, view: ScotlandYardView, model: Model, config: MinimaxSettings) -> None:
        super().__init__(view, WeightedBelief(model))


class _MinimaxDetectives(_MinimaxPlayer):
    """Keeps the plan of the turn."""

    def __init__(self, view: ScotlandYardView, model: Model, config: MinimaxSettings) -> None:
        super().__init__(view, model, config)
        self.certainty = config.certainty
        self.search = PlanSearch(view.config, config)
        self._plan: list[Single] = []
        self._waiting: set[Piece] = set()
        self._advice = Advice(None)
        self.search.warm_up(replace(position_of(view, self.belief), waiting=(1 << len(view.detectives)) - 1))

    def act(self, view: ScotlandYardView, budget: SearchBudget, rng: Random) -> Advice:
        """The next move of the plan; a new plan at the start of a turn or when the old one does not fit."""
        if not self._plan or self._plan[0] not in view.legal or set(view.waiting) != self._waiting:
            self._make_plan(view, budget)
        else:
            self._advice = replace(self._advice, counters={**self._advice.counters, "iterations": 0.0})
        move, self._plan = self._plan[0], self._plan[1:]
        self._waiting = set(view.waiting) - {move.piece}
        return replace(self._advice, action=move)

    def _make_plan(self, view: ScotlandYardView, budget: SearchBudget) -> None:
        found = self.search.run(position_of(view, self.belief), budget)
        values = [found.values[i] for i in found.order]
        best, *others = (
            Alternative(tuple(moves_of(view, found, i)), clamped(1.0 - 2.0 * found.values[i]))
            for i in found.order[: 1 + MOST_ALTERNATIVES]
        )
        self._plan = list(best.line)
        sure = lead(values, self.certainty)
        self._advice = Advice(None, best.value, sure, best.line, found.counters, tuple(others))


class _MinimaxMrX(_MinimaxPlayer):
    def __init__(self, view: ScotlandYardView, model: Model, config: MinimaxSettings) -> None:
        assert view.quarry is not None
        super().__init__(view, model, config)
        self.certainty = config.certainty
        self.search = EvasionSearch(view.config, config)
        self.search.warm_up(MrXTurn(view.quarry, position_of(view, self.belief)))

    def act(self, view: ScotlandYardView, budget: SearchBudget, rng: Random) -> Advice:
        assert view.quarry is not None
        moves = [MrXMove(tuple((int(ticket), int(node)) for ticket, node in steps_of(a))) for a in view.legal]
        found = self.search.run(MrXTurn(view.quarry, position_of(view, self.belief)), moves, budget)
        values = [found.values[i] for i in found.order]
        best = [i for i in found.order if found.values[i] == values[0]]
        chosen = rng.choice(best)
        action, value = view.legal[chosen], clamped(2.0 * values[0] - 1.0)
        others = tuple(
            Alternative((view.legal[i],), clamped(2.0 * found.values[i] - 1.0)) for i in found.order if i != chosen
        )[:MOST_ALTERNATIVES]
        return Advice(action, value, lead(values, self.certainty), (action,), found.counters, others)


def position_of(view: ScotlandYardView, belief: WeightedBelief) -> Position:
    return Position(
        belief.array,
        np.array(view.pursuers, np.int32),
        np.array([d.tickets[:3] for d in view.detectives], np.int32),
        np.array(view.mrx_tickets, np.int32),
        len(view.log),
        sum(1 << i for i, d in enumerate(view.detectives) if d.piece in view.waiting),
    )


def moves_of(view: ScotlandYardView, found: PlanSearchResult, number: int) -> list[Single]:
    """A plan as moves, in the order in which they can be carried out."""
    plan = found.plans[number]
    return [
        Single(view.detectives[d].piece, Ticket(plan.tickets[d]), Node(plan.places[d]))
        for d in found.movers
        if plan.tickets[d] >= 0
    ]


def clamped(value: float) -> float:
    return max(-1.0, min(1.0, value))


def lead(values: Sequence[float], certainty: str) -> float:
    """The gap from the best to the second of falling values, or its share of the gap to the last."""
    if len(values) == 1:
        return 1.0
    if certainty == "gap":
        return values[0] - values[1]
    return (values[0] - values[1]) / (values[0] - values[-1]) if values[0] > values[-1] else 0.0
