"""The exact number of completions of every row: hidden sprint cards times his draws in order, each history alike."""

from __future__ import annotations

from functools import cached_property
from math import comb, prod
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from manhunt.agents.fugitive import completions_kernels as kernels
from manhunt.agents.fugitive.completions_kernels import States, Weights
from manhunt.agents.fugitive.completions_kernels import View as RowView
from manhunt.agents.fugitive.particles import table_of
from manhunt.agents.fugitive.routes import Routes, cards_of
from manhunt.games.fugitive.public import Card, Public
from manhunt.games.scotland_yard.playouts import new_rng

if TYPE_CHECKING:
    from manhunt.agents.fugitive.completions_kernels import Floats, Ints

NEAR = 1e-11
"""Floats closer than this may stand for the same number."""
EXACT_BELOW = 4e29
"""Up to here the difference of near numbers is below 2**63, so that the integers tell it."""
CERTAIN = 1e-15


class World(NamedTuple):
    """A row, and the hidden sprint cards under each position; both as bits."""

    row: int
    sprints: tuple[int, ...]


class Completions:
    """Weights of all rows for a Marshal with this hand, without a model of how the Fugitive plays."""

    def __init__(self, public: Public, hand: tuple[Card, ...]) -> None:
        self.config = public.config
        self.routes = Routes(public, hand)
        self._table = table_of(public, hand)
        if not self.config.allow_last_sprint:
            self._table.classes[1 - self.config.last % 2] &= ~(1 << self.config.last)
        sizes = np.zeros(len(public.row), np.int64)
        sizes[self._table.stacks[:, 0]] = self._table.stacks[:, 1]
        self._view = RowView(
            self._table.slots,
            self._table.shown,
            sizes,
            np.bitwise_count(self._table.classes).astype(np.int64),
            np.bitwise_count(self._table.unheld).astype(np.int64),
            self._table.n_his,
        )
        self._states = _states_of(self._view)
        layers = np.diff(self._states.start)
        shape = (len(layers), int(layers.max(initial=1)), int(sizes.max(initial=0)) + 1)
        self._scratch = Weights(np.zeros(shape), np.zeros(shape, np.int64))
        self._cards = self._cards_by_position()

    def _cards_by_position(self) -> Ints:
        """Rows as cards, the escape included."""
        n, rows = len(self._view.stack_sizes), self.routes.rows
        cards = np.full((len(rows), n), self.config.last, np.int64)
        if len(rows) and n:
            bits = (rows[:, None] >> np.arange(self.config.last)) & 1
            cards[:, : n - int(self._table.escaped)] = np.nonzero(bits)[1].reshape(len(rows), -1)
        return cards

    @cached_property
    def _patterns(self) -> tuple[Ints, Ints, Ints]:
        """Per row the classes of its cards, and the even cards that each stack needs; as classes and left cards."""
        cards, view = self._cards, self._view
        steps = np.diff(cards, axis=1, prepend=0)
        n_evens = np.maximum(0, steps - self.config.reach - view.stack_sizes) * (view.stack_sizes > 0)
        kinds = 2 * self._table.group[cards] + (cards % 2 == 0)
        kinds[cards == self.config.last] = -1
        hidden = (self.routes.hidden[:, None] >> cards) & 1 == 1
        lefts = np.repeat(view.left[None, :], len(cards), axis=0)
        rows, positions = np.nonzero(hidden)
        np.subtract.at(lefts, (rows, kinds[rows, positions]), 1)
        return kinds, n_evens, lefts

    @cached_property
    def weights(self) -> tuple[Floats, Ints]:
        """Per row, as a float and modulo 2**64."""
        n = len(self.routes)
        if not n:
            return np.zeros(0), np.zeros(0, np.int64)
        kinds, n_evens, lefts = self._patterns
        both = np.concatenate((kinds, n_evens), axis=1).astype(np.int8)
        keys = np.ascontiguousarray(both).view(np.dtype((np.void, both.shape[1]))).ravel() if both.size else np.zeros(n)
        _, first, pattern_of = np.unique(keys, return_index=True, return_inverse=True)
        out = Weights(np.zeros((1, 1, len(first))), np.zeros((1, 1, len(first)), np.int64))
        kernels.weigh(self._view, self._states, kinds[first], n_evens[first], lefts[first], self._scratch, out)
        return out.floats[0, 0][pattern_of], out.wholes[0, 0][pattern_of]

    @cached_property
    def _sums(self) -> tuple[Floats, Floats, Ints]:
        last = self.config.last
        held, missing, wholes = np.zeros(last), np.zeros(last), np.zeros(last, np.int64)
        kernels.add_up(self.routes.hidden, *self.weights, held, missing, wholes)
        return held, missing, wholes

    @cached_property
    def marginals(self) -> Floats:
        """By number, the share of completions that have it face down."""
        total = self.weights[0].sum()
        return self._sums[0] / total if total else self._sums[0]

    @cached_property
    def numbers(self) -> tuple[Card, ...]:
        """Those with a chance, ascending."""
        return tuple(int(n) for n in np.flatnonzero(self._sums[0]))

    @cached_property
    def certain(self) -> tuple[Card, ...]:
        total = self.weights[0].sum()
        return tuple(n for n in self.numbers if self._sums[1][n] <= CERTAIN * total)

    def best_of(self, numbers: tuple[Card, ...]) -> Card:
        """The likeliest of these; the lowest of equals."""
        best = numbers[0]
        for number in numbers[1:]:
            if self._is_likelier(number, best):
                best = number
        return best

    def _is_likelier(self, number: Card, other: Card) -> bool:
        floats, wholes = self._sums[0], self._sums[2]
        gap = float(floats[number] - floats[other])
        if abs(gap) > NEAR * floats[other] or floats[other] > EXACT_BELOW:
            return bool(gap > NEAR * floats[other])
        difference = (int(wholes[number]) - int(wholes[other])) % 2**64
        return 0 < difference < 2**63

    def draw(self, n: int, rng: Random) -> list[World]:
        """Independent worlds by weight."""
        chance = new_rng(rng.getrandbits(64))
        rows = rng.choices(range(len(self.routes)), self.weights[0].tolist(), k=n)
        return [self._draw_sprints(row, chance, rng) for row in rows]

    def _draw_sprints(self, row: int, chance: Any, rng: Random) -> World:
        sizes, (kinds, n_evens, lefts) = self._view.stack_sizes, self._patterns
        classes = np.zeros(int(sizes.sum()), np.int64)
        pattern = kinds[row], n_evens[row], lefts[row]
        found = kernels.draw_classes(self._view, self._states, *pattern, self._scratch, chance, classes)
        assert found, "a row with a weight has a completion"
        bits, sprints, drawn = int(self.routes.rows[row]), list[int](), iter(classes.tolist())
        left = [int(part) & ~bits for part in self._table.classes]
        for size in sizes:
            stack = 0
            for _ in range(size):
                kind = next(drawn)
                card = rng.choice(cards_of(left[kind]))
                left[kind] &= ~(1 << card)
                stack |= 1 << card
            sprints.append(stack)
        return World(bits, tuple(sprints))


def _states_of(view: RowView) -> States:
    n_layers, n_piles = int(view.stack_sizes.sum()), len(view.n_his)
    most = np.minimum(view.left, n_layers)
    most[2:] = np.minimum(most[2:], np.repeat(view.n_his, 2))
    radix = np.concatenate(([1], np.cumprod(most + 1)[:-1])).astype(np.int64)
    size = prod((most + 1).tolist())
    n_most = min(size, comb(n_layers + len(most), n_layers))
    states = States(
        np.zeros((n_most, len(most)), np.int64),
        np.zeros((n_most, n_piles), np.int64),
        np.zeros(n_layers + 2, np.int64),
        np.full(size, -1, np.int64),
        radix,
    )
    n = kernels.grow_states(most, view.n_his, radix, states, n_layers)
    return states._replace(taken=states.taken[:n], of_pile=states.of_pile[:n])
