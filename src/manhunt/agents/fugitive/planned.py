"""Agents that decide a whole turn at once and then submit it step by step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.errors import BadAgent
from manhunt.games.base import View as AnyView
from manhunt.games.fugitive.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.public import Card, Phase
from manhunt.games.fugitive.views import View
from manhunt.ids import Seat


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

    def start(self, view: AnyView) -> None:
        self._steps = ()

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not isinstance(view, View):
            raise BadAgent(f"this agent does not play {view.game}; it plays fugitive")
        if not self._steps or self._steps[0] not in view.legal:
            self.counted = {}
            self._steps = view.legal if len(view.legal) == 1 else self.plan(view, rng)
        if not self._steps or self._steps[0] not in view.legal:
            self._steps = view.legal[-1:]  # nothing of what it knows is allowed by this deck
        step, self._steps = self._steps[0], self._steps[1:]
        return Advice(step, line=(step, *self._steps), counters=self.counted)

    @abstractmethod
    def plan(self, view: View, rng: Random) -> Sequence[Action]:
        """The steps from here to the end of a draw, a placement or a guess."""


class FugitivePlanner(Planner):
    """A Fugitive: where to draw, how to open, what to place."""

    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def plan(self, view: View, rng: Random) -> Sequence[Action]:
        if view.phase is Phase.FUGITIVE_DRAW:
            return view.legal[:1] if view.bonus else [TakeFrom(self.pile(view, piles_of(view), rng))]
        if not view.row:
            opening = self.opening(view, rng)
            if opening:
                return [step for placement in opening for step in placement.steps]
        placement = self.placement(view, rng)
        return [Pass()] if placement is None else placement.steps

    @abstractmethod
    def pile(self, view: View, piles: tuple[int, ...], rng: Random) -> int:
        """Which of these piles to draw from."""

    @abstractmethod
    def opening(self, view: View, rng: Random) -> tuple[Placement, ...]:
        """Two placements; none if no pair can be paid for."""

    @abstractmethod
    def placement(self, view: View, rng: Random) -> Placement | None:
        """What to place; None is a pass."""


class MarshalPlanner(Planner):
    """A Marshal: where to draw, what to guess, what to name in the manhunt."""

    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def plan(self, view: View, rng: Random) -> Sequence[Action]:
        if view.phase is Phase.MARSHAL_DRAW:
            return [TakeFrom(self.pile(view, piles_of(view), rng))]
        if view.phase is Phase.MANHUNT:
            return [Name(self.hunt(view, rng))]
        return [*map(Name, sorted(self.guess(view, rng))), Ask()]

    @abstractmethod
    def pile(self, view: View, piles: tuple[int, ...], rng: Random) -> int:
        """Which of these piles to draw from."""

    @abstractmethod
    def guess(self, view: View, rng: Random) -> Sequence[Card]:
        """The numbers of a guess."""

    @abstractmethod
    def hunt(self, view: View, rng: Random) -> Card:
        """One number; a miss loses."""


def piles_of(view: View) -> tuple[int, ...]:
    """The piles that can be drawn from."""
    return tuple(action.pile for action in view.legal if isinstance(action, TakeFrom))


def may_pass(view: View) -> bool:
    """Whether a placement is his to leave out; the opening is not."""
    return view.round > 1
