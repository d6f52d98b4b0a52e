"""What everybody at the table of Fugitive can see: draws by pile, the row, and the guesses (paragraph 9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from manhunt.games.fugitive.config import Config
from manhunt.ids import Side

Card = int
"""A card is its own number: 0 is the start, `config.last` the escape."""


class Phase(Enum):
    """Which kind of decision comes next; OVER when there is none."""

    FUGITIVE_DRAW = "fugitive draw"
    FUGITIVE_PLAY = "fugitive play"
    MARSHAL_DRAW = "marshal draw"
    MARSHAL_GUESS = "marshal guess"
    MANHUNT = "manhunt"
    OVER = "over"


class Draw(NamedTuple):
    """Somebody took the top card of a pile (a number into `config.piles`)."""

    side: Side
    pile: int
    round: int
    n_placed: int
    """Hideouts on the row when the card was drawn."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One position of the row after the start card; card and sprints are None while face down.

    The escape card lies face up from the moment it is placed, but its sprint cards stay face down.
    """

    round: int
    n_sprints: int
    n_draws: tuple[int, ...]
    """Per pile, the cards that the Fugitive had drawn when it was placed; the dealt ones are not counted."""
    card: Card | None = None
    sprints: tuple[Card, ...] | None = None


class Guess(NamedTuple):
    """A claim of the Marshal, ascending numbers; a hit turned all of them up."""

    round: int
    numbers: tuple[Card, ...]
    hit: bool
    n_placed: int
    """Hideouts on the row when it was made, the escape card not counted."""


@dataclass(frozen=True, slots=True)
class Public:
    """The table as a spectator sees it, in the order of play."""

    config: Config
    draws: tuple[Draw, ...] = ()
    row: tuple[Spot, ...] = ()
    guesses: tuple[Guess, ...] = ()
    n_passes: int = 0
