"""Worlds for a Marshal, drawn anew from nothing but her view."""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from manhunt.agents.fugitive import guesses_kernels, particles_kernels
from manhunt.agents.fugitive.guesses_kernels import MOST_SETS, NO_CARD, Sample, Tally
from manhunt.agents.fugitive.particles_kernels import Stock, Table, Worlds
from manhunt.agents.fugitive.routes import Routes, bits_of, cards_of
from manhunt.games.fugitive.config import Config, sprint_value
from manhunt.games.fugitive.public import Card, Public
from manhunt.games.fugitive.views import View
from manhunt.games.scotland_yard.playouts import new_rng
from manhunt.ids import Side

if TYPE_CHECKING:
    from manhunt.agents.fugitive.particles_kernels import Floats, Ints

TRIES = 200
"""How often, for each world, a dead end may be met on average."""
NEVER = -100


class Particles:
    """A sample of worlds, all of the same weight: a row by route count, sprint cards stack by stack, then draws.

    That is the law of a proposal, not the uniform law over worlds. The last card may lie under a hideout here, as if
    that were allowed.
    """

    def __init__(self, view: View, n: int, rng: Random) -> None:
        self.n_hidden = sum(spot.card is None for spot in view.public.row)
        routes = Routes(view.public, view.hand)
        table = table_of(view.public, view.hand)
        worlds = Worlds(*(np.zeros(n, np.int64) for _ in range(3)))
        n_found = 0
        if len(routes):
            stock, chance = _new_stock(table), new_rng(rng.getrandbits(64))
            n_found = particles_kernels.draw_worlds(table, routes.rows, TRIES * n, stock, chance, worlds)
        self.worlds = Worlds(*(column[:n_found] for column in worlds))
        self.sample = _sample_of(view, self.worlds, table, routes.face_up)
        self._tally = Tally(*(np.zeros(n_found, np.int64) for _ in range(3)))

    def __len__(self) -> int:
        return len(self.worlds.row)

    def guesses(self) -> tuple[list[tuple[Card, ...]], Floats, Floats]:
        """Sets worth a thought, the chance of each, and what each is worth."""
        sets = np.zeros(MOST_SETS, np.int64)
        n_sets, n_worlds = guesses_kernels.tally(self.sample, NO_CARD, self._tally)
        sets = sets[: guesses_kernels.list_sets(self._tally, n_sets, sets)]
        chances, values = np.zeros(len(sets)), np.zeros(len(sets))
        guesses_kernels.shares(self._tally, n_sets, n_worlds, sets, chances)
        danger = guesses_kernels.threat(self.sample, NO_CARD, self._tally.worlds)
        guesses_kernels.guess_values(sets, chances, self.n_hidden, danger, values)
        return [cards_of(int(cards)) for cards in sets], chances, values

    def pile_values(self) -> Floats:
        """Per pile, the best guess that a card of it leads to, on average."""
        out = np.zeros(len(self.sample.sizes))
        guesses_kernels.pile_values(self.sample, self.n_hidden, self._tally, out)
        return out


def table_of(public: Public, hand: tuple[Card, ...]) -> Table:
    config, row = public.config, public.row
    group = [0 if pile is None else pile + 1 for pile in config.pile_of]
    shown = np.zeros((len(row), len(config.piles)), np.int64)
    for i, spot in enumerate(row):
        for card in spot.sprints or ():
            if group[card]:
                shown[i, group[card] - 1] += 1
    sprints = bits_of(card for spot in row for card in spot.sprints or ())
    seen = bits_of(hand) | sprints | bits_of(spot.card for spot in row if spot.card is not None)
    n_his = [d + sum(x.side is Side.EVADER and x.pile == p for x in public.draws) for p, d in enumerate(config.dealt)]
    stacks = [(i, spot.n_sprints) for i, spot in enumerate(row) if spot.sprints is None and spot.n_sprints]
    return Table(
        np.array([[d + n for d, n in zip(config.dealt, spot.n_draws, strict=True)] for spot in row], np.int64).reshape(
            shown.shape
        ),
        shown,
        np.array(stacks, np.int64).reshape(len(stacks), 2),
        _classes(config, seen),
        np.array([bits_of(config.cards_of(pile)) & ~bits_of(hand) for pile in range(len(config.piles))], np.int64),
        np.array(n_his, np.int64),
        sprints,
        np.array(group, np.int64),
        config.last,
        config.reach,
        bool(row) and row[-1].card == config.last,
        *_coefficients(),
    )


def _classes(config: Config, seen: int) -> Ints:
    groups = [bits_of(config.kept), *(bits_of(config.cards_of(pile)) for pile in range(len(config.piles)))]
    odd = bits_of(range(1, config.last + 1, 2))
    return np.array([part & ~seen for group in groups for part in (group & odd, group & ~odd)], np.int64)


@lru_cache(maxsize=1)
def _coefficients() -> tuple[Floats, Floats]:
    """Binomial coefficients and factorials for all decks."""
    choose = np.array([[float(comb(n, k)) for k in range(64)] for n in range(64)])
    return choose, np.array([float(factorial(n)) for n in range(64)])


def _new_stock(table: Table) -> Stock:
    n, n_piles = table.shown.shape
    largest = int(table.stacks[:, 1].max(initial=0)) + 1
    return Stock(
        np.zeros(n + 1, np.int64),
        np.zeros((n, n_piles), np.int64),
        np.zeros((n_piles + 1, largest)),
        np.zeros((n_piles + 2, largest, largest)),
    )


def _sample_of(view: View, worlds: Worlds, table: Table, face_up: int) -> Sample:
    """Sorted by the hidden cards; margins from his hand in each world."""
    config = view.config
    order = np.argsort(worlds.row & ~np.int64(face_up), kind="stable")
    row, sprints, undrawn = (column[order] for column in worlds)
    his = bits_of(config.kept) | int(np.bitwise_or.reduce(table.unheld, initial=0))
    hand = np.int64(his) & ~undrawn & ~row & ~sprints & ~np.int64(table.face_up)
    value = np.zeros(len(row), np.int64)
    newest = np.zeros(len(row), np.int64)
    for card in range(1, config.last):
        value += sprint_value(card) * (hand >> card & 1)
        newest = np.where(row >> card & 1, card, newest)
    has_last = hand >> config.last & 1 == 1
    margin = np.where(has_last, value - (config.last - newest - config.reach), NEVER)
    piles = np.array([bits_of(config.cards_of(pile)) for pile in range(len(config.piles))], np.int64)
    sizes = np.array(view.pile_sizes, np.int64)
    return Sample(row & ~np.int64(face_up), undrawn, margin, piles, sizes)
