"""The route count: rows that fit by steps, piles and guesses; hidden sprint cards are +2 each and have no identity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from manhunt.agents.fugitive import routes_kernels as kernels
from manhunt.agents.fugitive.route_count_kernels import NO_KEY, count_rows
from manhunt.agents.fugitive.routes_kernels import Trail
from manhunt.games.fugitive.config import Config, sprint_value
from manhunt.games.fugitive.public import Card, Draw, Guess, Public, Spot
from manhunt.ids import Side

if TYPE_CHECKING:
    from manhunt.agents.fugitive.routes_kernels import Ints

_ROOM_FOR_ROWS = 1 << 12
_ROOM_FOR_STATES = 1 << 12


class Routes:
    """All rows that fit what a Marshal with this hand sees, each as likely as the others.

    They are listed only for those who ask for them; their number, and that of those with a card, is counted.
    """

    def __init__(self, public: Public, hand: Iterable[Card] = ()) -> None:
        self.last = public.config.last
        self.trail = trail_of(public, hand)
        self.face_up = bits_of(spot.card for spot in public.row if spot.card is not None)
        self.n_hidden = sum(spot.card is None for spot in public.row)

    def __len__(self) -> int:
        return self._counted[0]

    @cached_property
    def rows(self) -> Ints:
        """By ascending cards."""
        return _all_rows(self.trail)

    @cached_property
    def hidden(self) -> Ints:
        """Per row, the cards at its face-down positions."""
        return self.rows & ~np.int64(self.face_up)

    @property
    def counts(self) -> Ints:
        """By card, the rows that have it face down."""
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[int, Ints]:
        out = np.zeros(self.last + 1, np.int64)
        n = count_rows(self.trail, ~self.face_up, _ROOM_FOR_STATES, out)
        if n == NO_KEY:
            kernels.count_cards(self.rows, ~self.face_up, out)
            n = len(self.rows)
        return n, out

    @cached_property
    def numbers(self) -> tuple[Card, ...]:
        """The cards that some row has face down, ascending."""
        return tuple(np.flatnonzero(self.counts).tolist())

    def n_with_all(self, sets: Sequence[Iterable[Card]]) -> list[int]:
        """Per set, the rows that have all its cards face down."""
        out = np.zeros(len(sets), np.int64)
        kernels.count_sets(self.hidden, np.array([bits_of(cards) for cards in sets], np.int64), out)
        return [int(n) for n in out]


def bits_of(cards: Iterable[Card]) -> int:
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def cards_of(bits: int) -> tuple[Card, ...]:
    """Ascending."""
    return tuple(card for card in range(int(bits).bit_length()) if bits >> card & 1)


def _all_rows(trail: Trail) -> Ints:
    out = np.empty(_ROOM_FOR_ROWS, np.int64)
    n = kernels.list_rows(trail, out)
    if n > len(out):
        out = np.empty(n, np.int64)
        kernels.list_rows(trail, out)
    return out[:n]


def trail_of(public: Public, hand: Iterable[Card] = ()) -> Trail:
    """What a row must keep under what is public and a Marshal's hand."""
    config = public.config
    escaped = bool(public.row) and public.row[-1].card == config.last
    row = public.row[:-1] if escaped else public.row
    sets, set_sizes, barred = _misses(public.guesses, len(row))
    seen = bits_of(hand) | bits_of(card for spot in row for card in _face_up(spot))
    every = (1 << config.last) - 2
    allowed = [
        every & ~seen & ~bad if spot.card is None else 1 << spot.card for spot, bad in zip(row, barred, strict=True)
    ]
    return Trail(
        np.array(allowed, np.int64),
        np.array([step_of(config, spot) for spot in row], np.int64),
        np.array(_room(config, row), np.int64).reshape(len(row), len(config.piles)),
        _pile_array(config.pile_of, len(config.piles)),
        np.array(sets, np.int64),
        np.array(set_sizes, np.int64),
        config.last,
        step_of(config, public.row[-1]) if escaped else 0,
    )


def step_of(config: Config, spot: Spot) -> int:
    """The farthest that a position may lie from the one before it."""
    values = 2 * spot.n_sprints if spot.sprints is None else sum(map(sprint_value, spot.sprints))
    return config.reach + values


def _face_up(spot: Spot) -> tuple[Card, ...]:
    return () if spot.card is None else (spot.card, *(spot.sprints or ()))


@lru_cache(maxsize=64)
def _pile_array(piles: tuple[int | None, ...], n_piles: int) -> Ints:
    return np.array([n_piles if pile is None else pile for pile in piles], np.int64)


def _room(config: Config, row: Sequence[Spot]) -> list[list[int]]:
    """Per position and pile: the cards he had had, without the sprint cards that lie face up by then."""
    shown = [0] * len(config.piles)
    room = []
    for spot in row:
        for card in spot.sprints or ():
            pile = config.pile_of[card]
            if pile is not None:
                shown[pile] += 1
        room.append([d + n - s for d, n, s in zip(config.dealt, spot.n_draws, shown, strict=True)])
    return room


def _misses(guesses: Sequence[Guess], n_row: int) -> tuple[list[int], list[int], list[int]]:
    """Failed sets with the positions that lay there, and per position the failed single numbers.

    A guess with a number that lay face up already had to fail and tells nothing.
    """
    sets, set_sizes, barred, face_up = list[int](), list[int](), [0] * n_row, 0
    for guess in guesses:
        bits = bits_of(guess.numbers)
        if guess.hit:
            face_up |= bits
        elif bits & face_up:
            continue
        elif len(guess.numbers) > 1:
            sets.append(bits)
            set_sizes.append(guess.n_placed)
        else:
            for i in range(guess.n_placed):
                barred[i] |= bits
    return sets, set_sizes, barred


def with_draw(public: Public, pile: int, round_: int) -> Public:
    """The table after the Fugitive has drawn from a pile."""
    n_placed = sum(spot.card != public.config.last for spot in public.row)
    return replace(public, draws=(*public.draws, Draw(Side.EVADER, pile, round_, n_placed)))


def with_hideout(public: Public, n_sprints: int, round_: int, card: Card | None = None) -> Public:
    """The table after he has placed something with so many sprint cards; the escape shows its card."""
    n_draws = [0] * len(public.config.piles)
    for draw in public.draws:
        n_draws[draw.pile] += draw.side is Side.EVADER
    return replace(public, row=(*public.row, Spot(round_, n_sprints, tuple(n_draws), card)))


def with_face_up(public: Public, position: int, known: Spot) -> Public:
    """The table after the Marshal has found a position."""
    return replace(public, row=(*public.row[:position], known, *public.row[position + 1 :]))
