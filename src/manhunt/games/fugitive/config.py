"""A game of Fugitive: the deck, how it is dealt, and the switches of the rule book."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Opening(Enum):
    """Paragraph 4: how many hideouts the Fugitive places in his first turn."""

    ONE_OR_TWO = "one_or_two"
    EXACTLY_TWO = "exactly_two"


@dataclass(frozen=True, slots=True)
class Config:
    """The deck is 0 to `last`; cards in no pile (but 0) are dealt to the Fugitive, with `dealt` random ones of each pile."""

    last: int = 42
    piles: tuple[tuple[int, int], ...] = ((4, 14), (15, 28), (29, 41))
    """Lowest and highest card of each pile, in order."""
    dealt: tuple[int, ...] = (3, 2, 0)
    reach: int = 3
    """How far a hideout may lie from the one before it without sprints."""
    manhunt_below: int = 30
    """Escaping with no face-up hideout of at least this starts the manhunt."""
    first_draws: int = 2
    """Cards that the Marshal draws in her first turn."""
    opening_hideouts: Opening = Opening.ONE_OR_TWO
    must_guess: bool = True
    allow_last_sprint: bool = False
    pass_bonus: bool = False
