"""The Marshal's search for a guess and for a pile: what leaves her the best chance to win."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import erf, sqrt

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.games.fugitive.agents import guess_search_kernels as kernels
from manhunt.games.fugitive.agents.guess_search_kernels import GuessTable, WeightedRows
from manhunt.games.fugitive.beliefs.trails import Trails
from manhunt.games.fugitive.beliefs.worlds import Worlds
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

N_STARTS = 6
ROWS_FOR_DRAWS = 600
"""Of so many likely rows a draw is judged."""
NEVER = 1e-9
"""Chances below this are rounding errors."""
CARD_VALUE = 1.5
"""What a card sprints on average."""
COEFFICIENTS = np.array([2.5, -0.3, -0.4, -1.5, 0.02, -0.5, -1.0, -0.1, -0.1, 0.0, 0.0, 0.0])
"""Of the terms of the outlook, set by hand: hidden hideouts, unclear rows, a near or an open escape are bad for her."""


@dataclass(frozen=True)
class RatedGuess:
    """A guess, the chance that it is right, and the Marshal's chance to win."""

    numbers: tuple[Card, ...]
    chance: float
    value: float


class GuessSearch:
    """What follows from guesses when the table looks like this."""

    def __init__(self, view: FugitiveView, coefficients: Floats = COEFFICIENTS) -> None:
        config, public = view.config, view.public
        face_up = [spot.card for spot in public.row if spot.card is not None]
        self._table = GuessTable(
            public.n_hidden,
            int(public.way_is_clear),
            bits_of(range(config.manhunt_below, config.last)),
            config.last,
            coefficients,
        )
        self._goal = config.last - config.reach
        self._n_cards = view.hand_sizes[0] - (config.last not in face_up) + any(view.pile_sizes)

    @cached_property
    def _threats(self) -> tuple[Floats, Floats]:
        """By the newest card, the chance that he can escape next, and what he lacks for it on average."""
        gap = self._goal - np.arange(self._table.last + 1) - CARD_VALUE * self._n_cards
        spread = 0.5 * sqrt(max(1, self._n_cards)) * sqrt(2)
        threat = np.array([0.5 - 0.5 * erf((g - 0.5) / spread) for g in gap.tolist()])
        return threat, np.clip(gap, -8, 30)

    def rows_of(self, trails: Trails, most: int | None = None) -> WeightedRows:
        weights, masks, newest = trails.weights, trails.masks.view(np.int64), trails.rows[:, -1]
        if most is not None and len(weights) > most:
            best = np.argpartition(-weights, most)[:most]
            best.sort()
            weights, masks, newest = weights[best] / weights[best].sum(), masks[best], newest[best]
        threat, gap = self._threats
        return WeightedRows(masks, weights, threat[newest], gap[newest])

    def guess(self, trails: Trails) -> RatedGuess:
        cards, chance, value = kernels.best_guess(self.rows_of(trails), self._table, N_STARTS)
        return RatedGuess(cards_of(cards), float(chance), float(value))

    def pile_value(self, worlds: Worlds, pile: int, spend: Callable[[], bool]) -> float:
        """Her chance to win if she draws from a pile, and guesses then; by as many cards as the budget allows."""
        total, seen = 0.0, 0.0
        for card, chance in worlds.draw_chances(pile).items():
            if chance < NEVER:
                continue
            if not spend():
                break
            rows = self.rows_of(worlds.after_draw(card), ROWS_FOR_DRAWS)
            total += chance * float(kernels.best_guess(rows, self._table, 2)[2])
            seen += chance
        return total / seen if seen else 0.0
