"""How the Fugitive may be thought to play: a factor for each placement, so that worlds can be weighed in one pass.

A model that asks for the whole hand (all legal plays alike, say) is not of this form: a placement does not tell what
else he could have done. Two are offered: chance alone, under which a world weighs what the deal and the draws give
it, and sensible play.
"""

from dataclasses import dataclass
from math import exp
from typing import NamedTuple, Protocol

from manhunt.games.fugitive.rules.public import Card


class PaidPlacement(NamedTuple):
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


def paid_placement(reach: int, previous: Card, card: Card, n_sprints: int, n_even: int, round_: int) -> PaidPlacement:
    need = max(0, card - previous - reach)
    return PaidPlacement(previous, card, n_sprints, n_sprints + n_even, need, round_)


class PlayModel(Protocol):
    """The relative liking for a legal placement; positive and finite. Equal models must be equal and hashable."""

    def factor(self, placement: PaidPlacement) -> float: ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ChanceOnly:
    """Every play alike."""

    def factor(self, placement: PaidPlacement) -> float:
        return 1


@dataclass(frozen=True, slots=True)
class SensiblePlay:
    """How sensible Fugitives place: seldom more sprint cards than needed, and rather far; one model for all opponents.

    A placement weighs exp(far * step), times `waste` if it pays more than needed, times `more` for every further
    point too much, times `bluff` if it needs no sprint card but has some.
    """

    far: float = 0.1
    waste: float = 0.1
    more: float = 0.4
    bluff: float = 0.2

    def factor(self, placement: PaidPlacement) -> float:
        liking = exp(self.far * (placement.card - placement.previous))
        if placement.overpay:
            liking *= self.waste * self.more ** (placement.overpay - 1)
        if placement.n_sprints and not placement.need:
            liking *= self.bluff
        return liking


CHANCE_ONLY = ChanceOnly()
