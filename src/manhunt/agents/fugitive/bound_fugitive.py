"""A Fugitive who is bound to a rule for bluffing and otherwise does what another one would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from manhunt.agents.base import Advice, Agent, Limit
from manhunt.agents.fugitive.planned import Placement
from manhunt.agents.fugitive.rehearsal import rehearsed_placement, state_of
from manhunt.agents.registry import make_agent
from manhunt.errors import BadAgent, unknown
from manhunt.games.base import View as AnyView
from manhunt.games.fugitive import placing
from manhunt.games.fugitive.actions import Action, Pass
from manhunt.games.fugitive.config import Config, sprint_value
from manhunt.games.fugitive.public import Card, Phase
from manhunt.games.fugitive.views import View
from manhunt.ids import Seat

BLUFFS = ("own", "never", "early", "always")
EARLY_ROUNDS = 2


class BoundFugitive(Agent):
    """Another Fugitive, bound to bluff never, once in the first two rounds, or always.

    In the options of `inner` a semicolon stands for the comma. A bluff is a sprint card that could have been left out;
    one that is added is the lowest card that can be no hideout any more.
    """

    games: ClassVar[tuple[str, ...]] = ("fugitive",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER,)

    def __init__(self, inner: str = "continuation", bluff: str = BLUFFS[0]) -> None:
        if bluff not in BLUFFS:
            raise BadAgent(unknown("bluff of bound-fugitive", bluff, BLUFFS))
        self.inner = make_agent(inner.replace(";", ","), "fugitive", Seat.EVADER)
        self.bluff = bluff
        self._steps: tuple[Action, ...] = ()
        self._has_bluffed = False

    def start(self, view: AnyView) -> None:
        self._steps, self._has_bluffed = (), False
        self.inner.start(view)

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        self.inner.observe(events)

    def stop(self) -> None:
        self.inner.stop()

    def act(self, view: AnyView, limit: Limit, rng: Random) -> Advice:
        if not isinstance(view, View):
            raise BadAgent(f"this agent does not play {view.game}; it plays fugitive")
        if view.phase is not Phase.FUGITIVE_PLAY or self.bluff == "own":
            return self.inner.act(view, limit, rng)
        if not view.pending:
            wanted = rehearsed_placement(self.inner, view, limit, rng)
            self._steps = (Pass(),) if wanted is None else tuple(self._bound(view, wanted).steps)
        step, self._steps = self._steps[0], self._steps[1:]
        return Advice(step, line=(step, *self._steps))

    def _bound(self, view: View, wanted: Placement) -> Placement:
        before = (view.row[-1].card or 0) if view.row else 0
        plain = Placement(wanted.hideout, without_bluff(view.config, before, wanted))
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
