"""Minimax over joint plans and replies: detectives against a belief, and Mr X against detectives who have one."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.agents.minimax_search.config import Config
from manhunt.errors import BadAgent, ManhuntError
from manhunt.games.base import View
from manhunt.ids import Seat

if TYPE_CHECKING:
    from manhunt.agents.minimax_search.deepening import Budget
    from manhunt.agents.minimax_search.search import Found, PlanSearch, Position
    from manhunt.beliefs.weighted import WeightedBelief
    from manhunt.games.scotland_yard.actions import Piece, Single
    from manhunt.games.scotland_yard.views import View as ScotlandYardView

DEFAULT = Config()


class MinimaxAgent(Agent):
    """Plans the detectives' whole turn against a belief, and Mr X's way against such detectives."""

    games = ("scotland_yard",)

    def __init__(
        self,
        model: str = "soft",
        iterations: int = 100,
        seconds: float = math.inf,
        horizon: int = DEFAULT.horizon,
        hypotheses: int = DEFAULT.hypotheses,
        beam: int = DEFAULT.beam,
        width: int = DEFAULT.width,
        adversity: float = DEFAULT.adversity,
        discount: float = DEFAULT.discount,
        cornered: float = DEFAULT.cornered,
        squeezed: float = DEFAULT.squeezed,
        covered: float = DEFAULT.covered,
        near: float = DEFAULT.near,
        centroid: float = DEFAULT.centroid,
        entropy: float = DEFAULT.entropy,
        tickets: float = DEFAULT.tickets,
        clump: float = DEFAULT.clump,
        choke: float = DEFAULT.choke,
        forecast: float = DEFAULT.forecast,
        reach: float = DEFAULT.reach,
        caution: float = DEFAULT.caution,
        secrecy: float = DEFAULT.secrecy,
        doubling: float = DEFAULT.doubling,
        escape: float = DEFAULT.escape,
        distance: float = DEFAULT.distance,
        hiding: float = DEFAULT.hiding,
        blame: float = DEFAULT.blame,
        saving: float = DEFAULT.saving,
    ) -> None:
        given = dict(locals())
        self.config = Config(**{name: given[name] for name in Config.__dataclass_fields__})
        if iterations < 1:
            raise BadAgent(f"minimax: iterations must be 1 or more, not {iterations}")
        if not seconds > 0:
            raise BadAgent(f"minimax: seconds must be more than 0, not {seconds}")
        self.model, self.iterations, self.seconds = _model(model), iterations, seconds
        self._player: _Player | None = None

    def start(self, view: View) -> None:
        known = _known(view)
        kind = _MrX if known.seat is Seat.EVADER else _Detectives
        self._player = None if known.outcome else kind(known, self.model, self.config)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        if self._player is not None:
            self._player.observe(events)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        from manhunt.agents.minimax_search.deepening import Budget

        known = _known(view)
        own = limit.iterations is None and limit.seconds is None
        seconds = min(self.seconds, math.inf if limit.seconds is None else limit.seconds)
        iterations = self.iterations if own else limit.iterations or 1 << 62
        budget = Budget(iterations, Limit(None if seconds == math.inf else seconds).deadline())
        if self._player is None or self._player.is_behind(known):
            self.start(view)  # asked about a position out of nowhere
        assert self._player is not None
        return self._player.act(known, budget, rng)

    def stop(self) -> None:
        self._player = None


def _model(name: str) -> Any:
    from manhunt.beliefs.models import make_model

    try:
        return make_model(name)
    except ManhuntError as error:
        raise BadAgent(f"minimax: {error}") from None


def _known(view: View) -> ScotlandYardView:
    from manhunt.games.scotland_yard.views import View as ScotlandYardView

    if not isinstance(view, ScotlandYardView):
        raise BadAgent(f"agent minimax does not play {view.game}; it plays scotland_yard")
    if view.seat not in (Seat.EVADER, Seat.PURSUERS):
        raise BadAgent(f"agent minimax does not play the seat {view.seat.value}; it plays evader, pursuers")
    return view


class _Player(ABC):
    """One seat in one game, with what the detectives believe; Mr X follows it as they do, from what is public."""

    def __init__(self, view: ScotlandYardView, model: Any, config: Config) -> None:
        from manhunt.beliefs.weighted import WeightedBelief

        self.belief: WeightedBelief = WeightedBelief(model)
        self.belief.start(replace(view, seat=Seat.PURSUERS, quarry=None, legal=()))
        self.everybody = (1 << len(view.detectives)) - 1

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.belief.observe(event for event in events if event.get("t") != "quarry")

    def is_behind(self, view: ScotlandYardView) -> bool:
        """Whether the view tells of things that were never observed."""
        public = self.belief.public
        return len(public.log) != len(view.log) or tuple(public.pursuers) != view.pursuers

    @abstractmethod
    def act(self, view: ScotlandYardView, budget: Budget, rng: Random) -> Advice: ...


class _Detectives(_Player):
    """Keeps the plan of the turn."""

    def __init__(self, view: ScotlandYardView, model: Any, config: Config) -> None:
        from manhunt.agents.minimax_search.search import PlanSearch

        super().__init__(view, model, config)
        self.search: PlanSearch = PlanSearch(view.config, config)
        self._plan: list[Single] = []
        self._waiting: set[Piece] = set()
        self._advice = Advice(None)
        self.search.warm_up(replace(position_of(view, self.belief), waiting=self.everybody))

    def act(self, view: ScotlandYardView, budget: Budget, rng: Random) -> Advice:
        """The next move of the plan; a new plan at the start of a turn or when the old one does not fit."""
        if not self._plan or self._plan[0] not in view.legal or set(view.waiting) != self._waiting:
            self._make_plan(view, budget)
        else:
            self._advice = replace(self._advice, counters={**self._advice.counters, "iterations": 0.0})
        move, self._plan = self._plan[0], self._plan[1:]
        self._waiting = set(view.waiting) - {move.piece}
        return replace(self._advice, action=move)

    def _make_plan(self, view: ScotlandYardView, budget: Budget) -> None:
        found = self.search.run(position_of(view, self.belief), budget)
        self._plan = moves_of(view, found)
        values = [found.values[i] for i in found.order]
        value = max(-1.0, min(1.0, 1.0 - 2.0 * values[0]))
        self._advice = Advice(None, value, gap(values), tuple(self._plan), found.counters)


class _MrX(_Player):
    def __init__(self, view: ScotlandYardView, model: Any, config: Config) -> None:
        from manhunt.agents.minimax_search.evasion import EvasionSearch, Spot

        assert view.quarry is not None
        super().__init__(view, model, config)
        self.search: EvasionSearch = EvasionSearch(view.config, config)
        self.search.warm_up(Spot(view.quarry, position_of(view, self.belief)))

    def act(self, view: ScotlandYardView, budget: Budget, rng: Random) -> Advice:
        from manhunt.agents.minimax_search.evasion import Move, Spot
        from manhunt.games.scotland_yard.rules import steps_of

        assert view.quarry is not None
        moves = [Move(tuple((int(ticket), int(node)) for ticket, node in steps_of(a))) for a in view.legal]
        found = self.search.run(Spot(view.quarry, position_of(view, self.belief)), moves, budget)
        values = [found.values[i] for i in found.order]
        best = [i for i in found.order if found.values[i] == values[0]]
        action = view.legal[rng.choice(best)]
        value = max(-1.0, min(1.0, 2.0 * values[0] - 1.0))
        return Advice(action, value, gap(values), (action,), found.counters)


def position_of(view: ScotlandYardView, belief: WeightedBelief) -> Position:
    import numpy as np

    from manhunt.agents.minimax_search.search import Position

    return Position(
        belief.array,
        np.array(view.pursuers, np.int32),
        np.array([d.tickets[:3] for d in view.detectives], np.int32),
        np.array(view.mrx_tickets, np.int32),
        len(view.log),
        sum(1 << i for i, d in enumerate(view.detectives) if d.piece in view.waiting),
    )


def moves_of(view: ScotlandYardView, found: Found) -> list[Single]:
    """The best plan as moves, in the order in which they can be carried out."""
    from manhunt.games.scotland_yard.actions import Single, Ticket
    from manhunt.ids import Node

    plan = found.plans[found.order[0]]
    return [
        Single(view.detectives[d].piece, Ticket(plan.tickets[d]), Node(plan.places[d]))
        for d in found.movers
        if plan.tickets[d] >= 0
    ]


def gap(values: Sequence[float]) -> float:
    """From the best to the second of falling values, as a share of the gap to the last."""
    if len(values) == 1:
        return 1.0
    return (values[0] - values[1]) / (values[0] - values[-1]) if values[0] > values[-1] else 0.0
