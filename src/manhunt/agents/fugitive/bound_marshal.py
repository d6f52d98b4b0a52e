"""A Marshal who is bound to a rule in one kind of decision and otherwise does what another one would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, ClassVar

import numpy as np

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.agents.fugitive.habit import Habit
from manhunt.agents.fugitive.planned import piles_of
from manhunt.agents.fugitive.rehearsal import rehearsed_guess
from manhunt.agents.fugitive.routes import cards_of
from manhunt.agents.registry import make_agent
from manhunt.beliefs.fugitive.worlds import Worlds
from manhunt.errors import BadAgent, unknown
from manhunt.games.base import View as AnyView
from manhunt.games.fugitive.actions import Action, Ask, Name, TakeFrom
from manhunt.games.fugitive.public import Card, Phase
from manhunt.games.fugitive.views import View
from manhunt.ids import Seat

OWN = "own"
CERTAIN = 1 - 1e-9
NOWHERE = 1
"""A number to name where every sensible one is forbidden."""


class Belief:
    """What the Marshal can know, under the model of sensible play."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.n_hidden = sum(spot.card is None for spot in view.public.row)

    @cached_property
    def _worlds(self) -> Worlds:
        return Worlds(self.view.public, self.view.hand, Habit())

    @cached_property
    def chances(self) -> dict[Card, float]:
        """By number that can be a face-down hideout, its probability."""
        return {n: float(p) for n, p in enumerate(self._worlds.hideouts) if p > 0 and 0 < n < self.view.config.last}

    @property
    def certain(self) -> tuple[Card, ...]:
        return tuple(n for n, p in self.chances.items() if p >= CERTAIN)

    def likeliest(self, numbers: Sequence[Card]) -> tuple[Card, ...]:
        """One number, the lowest of equals; none if there are none."""
        return (max(numbers, key=lambda n: (self.chances.get(n, 0.0), -n)),) if numbers else ()

    def whole_row(self) -> tuple[Card, ...]:
        """The likeliest set of all face-down hideouts."""
        trails = self._worlds.trails
        masks, which = np.unique(trails.masks, return_inverse=True)
        return cards_of(int(masks[np.argmax(np.bincount(which, trails.weights))]))


Rule = Callable[[Belief, tuple[Card, ...]], tuple[Card, ...]]
"""From what she knows and what the inner Marshal would name to what is named."""


def _own(belief: Belief, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    return numbers


def _one(belief: Belief, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    return belief.likeliest(numbers)


def _likeliest(belief: Belief, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    return belief.likeliest(tuple(belief.chances))


def _certain(belief: Belief, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    return belief.certain or _likeliest(belief, numbers)


def _certain_plus_one(belief: Belief, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    return belief.certain + belief.likeliest([n for n in belief.chances if n not in belief.certain])


def _capture(belief: Belief, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    return belief.whole_row()


def _manhunt(belief: Belief, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    border, last = belief.view.config.manhunt_below, belief.view.config.last
    is_open = any(spot.card is not None and border <= spot.card < last for spot in belief.view.public.row)
    if is_open or len(numbers) == belief.n_hidden:
        return numbers
    low = tuple(n for n in numbers if n < border)
    return low or belief.likeliest([n for n in belief.chances if n < border]) or (NOWHERE,)


PILES = (OWN, "low", "middle", "high", "first-high")
NUMBERS: Mapping[str, Rule] = {
    OWN: _own,
    "one": _one,
    "likeliest": _likeliest,
    "certain": _certain,
    "certain-plus-one": _certain_plus_one,
}
AIMS: Mapping[str, Rule] = {OWN: _own, "capture": _capture, "manhunt": _manhunt}


class BoundMarshal(Agent):
    """Another Marshal, bound to a rule for piles, for how many numbers to guess, or for how to win.

    In the options of `inner` a semicolon stands for the comma. `piles`: the lowest, the middle one first, the highest
    (the road-block), or the highest in the first turn only. `numbers`: one of hers; the likeliest; all certain ones;
    these and the likeliest other one. `aim`: always name all hideouts, or never open his way to a safe escape.
    """

    games: ClassVar[tuple[str, ...]] = ("fugitive",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def __init__(self, inner: str = "exact", piles: str = OWN, numbers: str = OWN, aim: str = OWN) -> None:
        for name, value, known in (("piles", piles, PILES), ("numbers", numbers, NUMBERS), ("aim", aim, AIMS)):
            if value not in known:
                raise BadAgent(unknown(f"{name} of bound-marshal", value, known))
        self.inner = make_agent(inner.replace(";", ","), "fugitive", Seat.PURSUERS)
        self.piles, self.numbers, self.aim = piles, numbers, aim
        self._steps: tuple[Action, ...] = ()

    def start(self, view: AnyView) -> None:
        self._steps = ()
        self.inner.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.inner.observe(events)

    def stop(self) -> None:
        self.inner.stop()

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not isinstance(view, View):
            raise BadAgent(f"this agent does not play {view.game}; it plays fugitive")
        if view.phase is Phase.MARSHAL_DRAW and (pile := self._pile(view)) is not None:
            return Advice(TakeFrom(pile))
        if view.phase is not Phase.MARSHAL_GUESS or (self.numbers == OWN and self.aim == OWN):
            return self.inner.act(view, limit, rng)
        if not view.pending:
            named = self._bound(view, rehearsed_guess(self.inner, view, limit, rng))
            self._steps = (*map(Name, sorted(named)), Ask())
        step, self._steps = self._steps[0], self._steps[1:]
        return Advice(step, line=(step, *self._steps))

    def _pile(self, view: View) -> int | None:
        piles = piles_of(view)
        if self.piles == OWN or (self.piles == "first-high" and view.round > 1):
            return None
        if self.piles == "middle":
            middle = (len(view.config.piles) - 1) / 2
            return min(piles, key=lambda pile: (abs(pile - middle), pile))
        return piles[0] if self.piles == "low" else piles[-1]

    def _bound(self, view: View, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
        belief = Belief(view)
        if not belief.n_hidden:
            return numbers
        for rule in (NUMBERS[self.numbers], AIMS[self.aim]):
            numbers = rule(belief, numbers) or numbers
        return numbers
