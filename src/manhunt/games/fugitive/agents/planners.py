"""Agents that decide a whole turn at once and then submit it step by step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from manhunt.core import thinking_time
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent
from manhunt.core.game import View as AnyView
from manhunt.core.ids import Seat
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.rules.public import Card, Phase
from manhunt.games.fugitive.rules.views import FugitiveView
from manhunt.search.bank import BankKeeper

DECISIONS = 30
"""For which a bank of time should last; few games have more on one side."""


class Placement(NamedTuple):
    """A hideout with its sprint cards, ascending."""

    hideout: Card
    sprints: tuple[Card, ...] = ()

    @property
    def steps(self) -> list[Action]:
        return [Hide(self.hideout), *map(Sprint, sorted(self.sprints)), Done()]


class Planner(Agent):
    """Keeps the steps of the turn that it has decided."""

    games: ClassVar[tuple[str, ...]] = ("fugitive",)
    _steps: Sequence[Action] = ()
    counted: Mapping[str, float] = MappingProxyType({})
    """What it can say about the turn that it has just decided."""

    usual_seconds: ClassVar[float] = 0.005
    """What a decision usually takes at least."""
    _keeper: BankKeeper | None = None

    def start(self, view: AnyView) -> None:
        self._steps, self._keeper = (), None

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not isinstance(view, FugitiveView):
            raise BadAgent(f"this agent does not play {view.game}; it plays fugitive")
        if not self._steps or self._steps[0] not in view.legal:
            self.counted = {}
            self._steps = view.legal if len(view.legal) == 1 else self._planned(view, limit, rng)
        if not self._steps or self._steps[0] not in view.legal:
            self._steps = view.legal[-1:]  # nothing of what it knows is allowed by this deck
        step, self._steps = self._steps[0], self._steps[1:]
        return Advice(step, line=(step, *self._steps), counters=self.counted)

    def _planned(self, view: FugitiveView, limit: Limit, rng: Random) -> Sequence[Action]:
        """By the clock: a plan of its own, or a simple one where the bank is nearly used up."""
        keeper = self._keeper = self._keeper or BankKeeper(self.usual_seconds)
        self.take_limit(keeper.pace(limit, DECISIONS))
        steps = self.hasty().plan(view, rng) if keeper.in_haste else self.plan(view, rng)
        keeper.done()
        return steps

    def take_limit(self, limit: Limit) -> None:
        """The budget of the plan that is asked for next."""

    @abstractmethod
    def plan(self, view: FugitiveView, rng: Random) -> Sequence[Action]:
        """The steps from here to the end of a draw, a placement or a guess."""

    @abstractmethod
    def hasty(self) -> Planner:
        """Who plays this side almost without thinking."""


class BudgetedPlanner(Planner):
    """Keeps to a limit and says its chance to win; every plan has a fresh budget, and what it notes becomes advice."""

    _deadline: float = float("inf")
    _n_left: float = float("inf")
    _chance: float | None = None
    _confidence: float | None = None
    _n_spent: int = 0

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not self._steps:
            self._chance = self._confidence = None
        self._n_spent = 0
        advice = super().act(view, limit, rng)
        value = None
        if self._chance is not None:
            own = 1 if view.seat is Seat.EVADER else -1
            value = own * (2 * min(1.0, max(0.0, self._chance)) - 1)
        counters = {**advice.counters, "iterations": self._n_spent}
        return Advice(advice.action, value, self._confidence, advice.line, counters)

    def take_limit(self, limit: Limit) -> None:
        self._deadline, self._n_spent = limit.deadline(), 0
        self._n_left = float("inf") if limit.iterations is None else limit.iterations

    def spend(self) -> bool:
        """Whether there is budget for one more iteration; it is taken."""
        if self._n_left < 1 or thinking_time.now() >= self._deadline:
            return False
        self._n_left -= 1
        self._n_spent += 1
        return True

    def note(self, chance: float, confidence: float) -> None:
        """The own chance to win, and how sure the choice is."""
        self._chance, self._confidence = chance, min(1.0, max(0.0, confidence))


class FugitivePlanner(Planner):
    """A Fugitive: where to draw, how to open, what to place."""

    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def hasty(self) -> Planner:
        from manhunt.games.fugitive.agents.l1 import L1Fugitive

        return L1Fugitive()

    def plan(self, view: FugitiveView, rng: Random) -> Sequence[Action]:
        if view.phase is Phase.FUGITIVE_DRAW:
            return view.legal[:1] if view.bonus else [TakeFrom(self.pile(view, piles_of(view), rng))]
        if not view.row:
            opening = self.opening(view, rng)
            if opening:
                return [step for placement in opening for step in placement.steps]
        placement = self.placement(view, rng)
        return [Pass()] if placement is None else placement.steps

    @abstractmethod
    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        """Which of these piles to draw from."""

    @abstractmethod
    def opening(self, view: FugitiveView, rng: Random) -> tuple[Placement, ...]:
        """Two placements; none if no pair can be paid for."""

    @abstractmethod
    def placement(self, view: FugitiveView, rng: Random) -> Placement | None:
        """What to place; None is a pass."""


class MarshalPlanner(Planner):
    """A Marshal: where to draw, what to guess, what to name in the manhunt."""

    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def hasty(self) -> Planner:
        from manhunt.games.fugitive.agents.notepad import NotepadMarshal

        return NotepadMarshal()

    def plan(self, view: FugitiveView, rng: Random) -> Sequence[Action]:
        if view.phase is Phase.MARSHAL_DRAW:
            return [TakeFrom(self.pile(view, piles_of(view), rng))]
        if view.phase is Phase.MANHUNT:
            return [Name(self.hunt(view, rng))]
        return [*map(Name, sorted(self.guess(view, rng))), Ask()]

    @abstractmethod
    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        """Which of these piles to draw from."""

    @abstractmethod
    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        """The numbers of a guess."""

    @abstractmethod
    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        """One number; a miss loses."""


def piles_of(view: FugitiveView) -> tuple[int, ...]:
    """The piles that can be drawn from."""
    return tuple(action.pile for action in view.legal if isinstance(action, TakeFrom))


def may_pass(view: FugitiveView) -> bool:
    """Whether a placement is his to leave out; the opening is not."""
    return view.round > 1


def before(view: FugitiveView) -> Card:
    """The newest card of the row."""
    card = view.row[-1].card if view.row else 0
    assert card is not None
    return card


def hidden_cards(view: FugitiveView) -> list[Card]:
    """His hideouts that lie face down."""
    pairs = zip(view.row, view.public.row, strict=True)
    return [spot.card for spot, shown in pairs if shown.card is None and spot.card is not None]


def unseen_of(view: FugitiveView, pile: int) -> list[Card]:
    """The cards of a pile whose place the Fugitive does not know."""
    known = {*view.hand, *(card for spot in view.row for card in (spot.card, *(spot.sprints or ())))}
    return [card for card in view.config.cards_of(pile) if card not in known]


def lead(values: Sequence[float], best: int) -> float:
    """How clearly one of some chances is the best: a half if another is as good, 1 if there is none."""
    second = max((value for i, value in enumerate(values) if i != best), default=0.0)
    return values[best] / (values[best] + second) if values[best] > 0 else 0.5
