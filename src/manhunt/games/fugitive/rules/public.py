"""What everybody at the table of Fugitive can see: draws by pile, the row, and the guesses (paragraph 9)."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from manhunt.core.ids import Side
from manhunt.games.fugitive.rules.config import Config

Card = int
"""A card is an integer: 0 is the start, `config.last` the escape."""


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

    The escape card is placed face up, but its sprint cards stay face down.
    """

    round: int
    n_sprints: int
    n_draws: tuple[int, ...]
    """By pile, how many cards the Fugitive had drawn when it was placed, without the dealt ones."""
    card: Card | None = None
    sprints: tuple[Card, ...] | None = None


class Guess(NamedTuple):
    """A claim of the Marshal, ascending numbers; a hit turned all of them up."""

    round: int
    numbers: tuple[Card, ...]
    hit: bool
    n_placed: int
    """Hideouts on the row when the guess was made, without the escape card."""


@dataclass(frozen=True, slots=True)
class Public:
    """The table as a spectator sees it, in the order of play."""

    config: Config
    draws: tuple[Draw, ...] = ()
    row: tuple[Spot, ...] = ()
    guesses: tuple[Guess, ...] = ()
    n_passes: int = 0

    @property
    def n_hidden(self) -> int:
        """The number of face-down hideouts."""
        return sum(spot.card is None for spot in self.row)

    @property
    def way_is_clear(self) -> bool:
        """Paragraph 8: whether a face-up hideout lets the Fugitive escape without a manhunt."""
        config = self.config
        return any(s.card is not None and config.manhunt_below <= s.card < config.last for s in self.row)

    def n_drawn(self, side: Side) -> tuple[int, ...]:
        """By pile, how many cards a side has drawn."""
        counts = [0] * len(self.config.piles)
        for draw in self.draws:
            counts[draw.pile] += draw.side is side
        return tuple(counts)


def with_draw(public: Public, pile: int, round_: int) -> Public:
    """The table after the Fugitive has drawn from a pile."""
    n_placed = sum(spot.card != public.config.last for spot in public.row)
    return replace(public, draws=(*public.draws, Draw(Side.EVADER, pile, round_, n_placed)))


def with_hideout(public: Public, n_sprints: int, round_: int, card: Card | None = None) -> Public:
    """The table after he has placed something with so many sprint cards; the escape shows its card."""
    return replace(public, row=(*public.row, Spot(round_, n_sprints, public.n_drawn(Side.EVADER), card)))


def with_face_up(public: Public, position: int, known: Spot) -> Public:
    """The table after the Marshal has found a position, counted from 0."""
    return replace(public, row=(*public.row[:position], known, *public.row[position + 1 :]))


def without_marshal_draws(public: Public) -> Public:
    """The table for somebody who sees no hand: the Marshal's cards are as good as in their piles."""
    return replace(public, draws=tuple(draw for draw in public.draws if draw.side is Side.EVADER))
