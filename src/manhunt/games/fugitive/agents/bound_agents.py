"""Agents that are bound to a rule in one kind of decision and otherwise do what another one would do."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import Any, ClassVar

import numpy as np

from manhunt.agents.registry import make_agent
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.errors import BadAgent, unknown
from manhunt.core.game import View as AnyView
from manhunt.core.ids import Seat
from manhunt.games.fugitive.agents.planners import Placement, before, piles_of
from manhunt.games.fugitive.beliefs.models import SensiblePlay
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules import placing
from manhunt.games.fugitive.rules.actions import Action, Ask, Done, Hide, Name, Pass, Sprint, TakeFrom
from manhunt.games.fugitive.rules.card_bits import cards_of
from manhunt.games.fugitive.rules.config import Config, sprint_value
from manhunt.games.fugitive.rules.public import Card, Phase
from manhunt.games.fugitive.rules.state import Hideout, State
from manhunt.games.fugitive.rules.views import FugitiveView

OWN = "own"
BLUFFS = (OWN, "never", "early", "always")
EARLY_ROUNDS = 2
CERTAIN = 1 - 1e-9
NOWHERE = 1
"""A number to name where every sensible one is forbidden."""


class BoundAgent(Agent):
    """In the options of `inner` a semicolon stands for the comma."""

    games: ClassVar[tuple[str, ...]] = ("fugitive",)

    def __init__(self, inner: str, seat: Seat) -> None:
        self.inner = make_agent(inner.replace(";", ","), "fugitive", seat)
        self._steps: Sequence[Action] = ()

    def start(self, view: AnyView) -> None:
        self._steps = ()
        self.inner.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.inner.observe(events)

    def stop(self) -> None:
        self.inner.stop()

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not isinstance(view, FugitiveView):
            raise BadAgent(f"this agent does not play {view.game}; it plays fugitive")
        if not self.is_bound(view):
            return self.inner.act(view, limit, rng)
        if not view.pending:
            self._steps = self.bound_steps(view, limit, rng)
        step, self._steps = self._steps[0], self._steps[1:]
        return Advice(step, line=(step, *self._steps))

    @abstractmethod
    def is_bound(self, view: FugitiveView) -> bool:
        """Whether the rule decides this turn."""

    @abstractmethod
    def bound_steps(self, view: FugitiveView, limit: Limit, rng: Random) -> Sequence[Action]:
        """All steps of a turn that the rule decides."""


def whole_guess(agent: Agent, view: FugitiveView, limit: Limit, rng: Random) -> tuple[Card, ...]:
    """The numbers that an agent would name in this turn: it is asked step by step, before anything is played."""
    named: tuple[Card, ...] = ()
    while True:
        first = named[-1] + 1 if named else 1
        legal: tuple[Action, ...] = tuple(map(Name, range(first, view.config.last)))
        if named or not view.config.must_guess:
            legal = (*legal, Ask())
        step = agent.act(replace(view, pending=named, legal=legal), limit, rng).action
        if not isinstance(step, Name) or step.number < first:
            return named
        named = (*named, step.number)


def whole_placement(agent: Agent, view: FugitiveView, limit: Limit, rng: Random) -> Placement | None:
    """The hideout that an agent would place, with its sprint cards; None if it would pass."""
    step = agent.act(view, limit, rng).action
    if not isinstance(step, Hide):
        return None
    pending: tuple[Card, ...] = (step.card,)
    while True:
        state = state_of(view, pending)
        legal: tuple[Action, ...] = tuple(map(Sprint, placing.sprints_of(state)))
        if placing.is_complete(state):
            legal = (*legal, Done())
        step = agent.act(replace(view, pending=pending, legal=legal), limit, rng).action
        if not isinstance(step, Sprint) or step not in legal:
            return Placement(pending[0], pending[1:])
        pending = (*pending, step.card)


def state_of(view: FugitiveView, pending: tuple[Card, ...]) -> State:
    """What the Fugitive knows as a state, as far as placing a hideout asks for it; piles are unknown, so empty."""
    row = tuple(Hideout(spot.card or 0, spot.sprints or (), spot.round, spot.n_draws) for spot in view.row)
    piles: tuple[tuple[Card, ...], ...] = ((),) * len(view.config.piles)
    return State(view.config, piles, view.hand, row=row, round=view.round, pending=pending)


class BoundFugitive(BoundAgent):
    """Another Fugitive that must bluff never, once in the first two rounds, or always.

    In the options of `inner` a semicolon stands for the comma. A bluff is a sprint card that could have been left out;
    one that is added is the lowest card that can be no hideout any more.
    """

    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def __init__(self, inner: str = "continuation", bluff: str = BLUFFS[0]) -> None:
        if bluff not in BLUFFS:
            raise BadAgent(unknown("bluff of bound-fugitive", bluff, BLUFFS))
        super().__init__(inner, Seat.EVADER)
        self.bluff = bluff
        self._has_bluffed = False

    def start(self, view: AnyView) -> None:
        self._has_bluffed = False
        super().start(view)

    def is_bound(self, view: FugitiveView) -> bool:
        return view.phase is Phase.FUGITIVE_PLAY and self.bluff != OWN

    def bound_steps(self, view: FugitiveView, limit: Limit, rng: Random) -> Sequence[Action]:
        wanted = whole_placement(self.inner, view, limit, rng)
        return (Pass(),) if wanted is None else self._bound(view, wanted).steps

    def _bound(self, view: FugitiveView, wanted: Placement) -> Placement:
        plain = Placement(wanted.hideout, without_bluff(view.config, before(view), wanted))
        if self.bluff == "never" or wanted.hideout == view.config.last:
            return plain
        if self.bluff == "early" and (self._has_bluffed or view.round > EARLY_ROUNDS):
            return plain
        dead = [card for card in view.hand if card < wanted.hideout and card not in plain.sprints]
        bluff = Placement(plain.hideout, tuple(sorted((*plain.sprints, *dead[:1]))))
        if not dead or not placing.is_complete(state_of(view, (bluff.hideout, *bluff.sprints))):
            return plain
        self._has_bluffed = True
        return bluff


def without_bluff(config: Config, before: Card, placement: Placement) -> tuple[Card, ...]:
    """The sprint cards that are left when all that can be left out are, the highest first."""
    need, kept = placing.need_of(config, before, placement.hideout), list(placement.sprints)
    for card in sorted(placement.sprints, reverse=True):
        if placing.total_value(kept) - sprint_value(card) >= need:
            kept.remove(card)
    return tuple(kept)


class GuessOdds:
    """What the Marshal can know, under the model of sensible play."""

    def __init__(self, view: FugitiveView) -> None:
        self.view = view
        self.n_hidden = view.public.n_hidden

    @cached_property
    def _worlds(self) -> Worlds:
        return Worlds(self.view.public, self.view.hand, SensiblePlay())

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


Rule = Callable[[GuessOdds, tuple[Card, ...]], tuple[Card, ...]]
"""From what she knows and what the inner Marshal would name to what is named."""


def _keep_manhunt(odds: GuessOdds, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
    border = odds.view.config.manhunt_below
    if odds.view.public.way_is_clear or len(numbers) == odds.n_hidden:
        return numbers
    low = tuple(n for n in numbers if n < border)
    return low or odds.likeliest([n for n in odds.chances if n < border]) or (NOWHERE,)


PILES = (OWN, "low", "middle", "high", "first-high")
NUMBERS: Mapping[str, Rule] = {
    OWN: lambda odds, numbers: numbers,
    "one": lambda odds, numbers: odds.likeliest(numbers),
    "likeliest": lambda odds, numbers: odds.likeliest(tuple(odds.chances)),
    "certain": lambda odds, numbers: odds.certain or odds.likeliest(tuple(odds.chances)),
    "certain-plus-one": lambda odds, numbers: (
        odds.certain + odds.likeliest([n for n in odds.chances if n not in odds.certain])
    ),
}
AIMS: Mapping[str, Rule] = {
    OWN: lambda odds, numbers: numbers,
    "capture": lambda odds, numbers: odds.whole_row(),
    "manhunt": _keep_manhunt,
}


class BoundMarshal(BoundAgent):
    """Another Marshal that must follow a rule for piles, for how many numbers to guess, or for how to win.

    In the options of `inner` a semicolon stands for the comma. `piles`: the lowest, the middle one first, the highest
    (the road-block), or the highest in the first turn only. `numbers`: one of hers; the likeliest; all certain ones;
    these and the likeliest other one. `aim`: always name all hideouts, or never open his way to a safe escape.
    """

    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def __init__(self, inner: str = "exact", piles: str = OWN, numbers: str = OWN, aim: str = OWN) -> None:
        for name, value, known in (("piles", piles, PILES), ("numbers", numbers, NUMBERS), ("aim", aim, AIMS)):
            if value not in known:
                raise BadAgent(unknown(f"{name} of bound-marshal", value, known))
        super().__init__(inner, Seat.PURSUERS)
        self.piles, self.numbers, self.aim = piles, numbers, aim

    def is_bound(self, view: FugitiveView) -> bool:
        if view.phase is Phase.MARSHAL_DRAW:
            return self.piles not in (OWN, "first-high") or (self.piles == "first-high" and view.round == 1)
        return view.phase is Phase.MARSHAL_GUESS and (self.numbers != OWN or self.aim != OWN)

    def bound_steps(self, view: FugitiveView, limit: Limit, rng: Random) -> Sequence[Action]:
        if view.phase is Phase.MARSHAL_DRAW:
            return (TakeFrom(self._pile(view)),)
        named = self._bound(view, whole_guess(self.inner, view, limit, rng))
        return (*map(Name, sorted(named)), Ask())

    def _pile(self, view: FugitiveView) -> int:
        piles = piles_of(view)
        if self.piles == "middle":
            middle = (len(view.config.piles) - 1) / 2
            return min(piles, key=lambda pile: (abs(pile - middle), pile))
        return piles[0] if self.piles == "low" else piles[-1]

    def _bound(self, view: FugitiveView, numbers: tuple[Card, ...]) -> tuple[Card, ...]:
        odds = GuessOdds(view)
        if not odds.n_hidden:
            return numbers
        for rule in (NUMBERS[self.numbers], AIMS[self.aim]):
            numbers = rule(odds, numbers) or numbers
        return numbers
