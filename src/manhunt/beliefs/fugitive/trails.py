"""Possible rows with their probabilities, and what a guess would make of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from manhunt.beliefs.fugitive import row_kernels
from manhunt.errors import ManhuntError
from manhunt.games.fugitive.public import Card

Floats = np.ndarray[Any, np.dtype[np.float64]]
Masks = np.ndarray[Any, np.dtype[np.uint64]]
Rows = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Trails:
    """One line a possible row, in ascending order. Cutting it down by a guess costs microseconds."""

    rows: Rows
    masks: Masks
    """Per row its face-down cards as bits."""
    weights: Floats
    """Adding up to 1."""
    hidden: tuple[int, ...]
    """The face-down positions, from 1."""
    last: Card

    @cached_property
    def marginals(self) -> Floats:
        """Position by card; line 0 is the start."""
        found = np.zeros((self.rows.shape[1] + 1, self.last + 1))
        found[0, 0] = 1.0
        row_kernels.add_marginals(self.rows, self.weights, found[1:])
        return found

    @cached_property
    def hideouts(self) -> Floats:
        """By number, the probability that it is a face-down hideout."""
        found = np.zeros(self.last + 1)
        row_kernels.add_hidden(self.rows, np.array(self.hidden, np.int64) - 1, self.weights, found)
        return found

    def probability(self, numbers: Iterable[Card]) -> float:
        """That all these numbers are face-down hideouts."""
        return float(self.weights[self._has(numbers)].sum())

    def given_hit(self, numbers: Iterable[Card]) -> Trails:
        """After a guess that succeeds; what the sprint cards turned up would tell is left open."""
        cards = frozenset(numbers)
        return self._cut(self._has(cards), f"the guess {_text(cards)} cannot succeed")

    def given_miss(self, numbers: Iterable[Card]) -> Trails:
        """After a guess that fails."""
        cards = frozenset(numbers)
        return self._cut(~self._has(cards), f"the guess {_text(cards)} cannot fail")

    def _has(self, numbers: Iterable[Card]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        bits = np.uint64(sum(1 << card for card in set(numbers)))
        return np.asarray(self.masks & bits == bits)

    def _cut(self, kept: np.ndarray[Any, np.dtype[np.bool_]], refusal: str) -> Trails:
        weights = self.weights[kept]
        if not len(weights):
            raise ManhuntError(refusal)
        return Trails(self.rows[kept], self.masks[kept], weights / weights.sum(), self.hidden, self.last)


def possible_trails(rows: Rows, masks: Masks, weights: Floats, hidden: tuple[int, ...], last: Card) -> Trails:
    """The rows that weigh anything."""
    possible = weights > 0
    if not possible.all():
        rows, masks, weights = rows[possible], masks[possible], weights[possible]
    return Trails(rows, masks, weights / weights.sum(), hidden, last)


def _text(numbers: Iterable[Card]) -> str:
    return " ".join(map(str, sorted(numbers)))
