"""How the Fugitive may be thought to play: a factor for each placement, so that worlds can be weighed in one pass.

A model that asks for the whole hand (all legal plays alike, say) is not of this form: a placement does not tell what
else he could have done. Two are offered: chance alone, under which a world weighs what the deal and the draws give
it, and a parametric taste for long steps and against paying more than needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import NamedTuple, Protocol

from manhunt.games.fugitive.public import Card


class Placement(NamedTuple):
    """One hideout as it was placed."""

    previous: Card
    card: Card
    n_sprints: int
    value: int
    """What the sprint cards were worth together."""
    need: int
    """What they had to be worth."""
    round: int

    @property
    def overpay(self) -> int:
        """Not negative if the placement was legal."""
        return self.value - self.need


def placement_of(reach: int, previous: Card, card: Card, n_sprints: int, n_even: int, round_: int) -> Placement:
    need = max(0, card - previous - reach)
    return Placement(previous, card, n_sprints, n_sprints + n_even, need, round_)


class PlayModel(Protocol):
    """The relative liking for a legal placement; positive and finite. Equal models must be equal and hashable."""

    def factor(self, placement: Placement) -> float: ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ChanceOnly:
    """Every play alike."""

    def factor(self, placement: Placement) -> float:
        return 1


@dataclass(frozen=True, slots=True)
class Taste:
    """exp(long_steps * step - thrift * overpay): prefers long steps, and dislikes bluffing with sprint cards."""

    long_steps: float = 0.0
    thrift: float = 1.0

    def factor(self, placement: Placement) -> float:
        step = placement.card - placement.previous
        return exp(self.long_steps * step - self.thrift * placement.overpay)


CHANCE_ONLY = ChanceOnly()
