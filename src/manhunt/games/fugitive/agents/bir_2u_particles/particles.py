"""Worlds for a Marshal, drawn anew from nothing but her view."""

from functools import lru_cache
from math import comb, factorial
from random import Random

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.kernel_random import new_rng
from manhunt.games.fugitive.agents.bir_2u_particles import guess_value_kernels, particles_kernels
from manhunt.games.fugitive.agents.bir_2u_particles.guess_value_kernels import (
    MOST_SETS,
    NO_CARD,
    ParticleSample,
    SetTally,
)
from manhunt.games.fugitive.agents.bir_2u_particles.particles_kernels import ParticleColumns, ParticleTable, Stock
from manhunt.games.fugitive.agents.route_count import RouteCount
from manhunt.games.fugitive.rules.card_bits import bits_of, cards_of
from manhunt.games.fugitive.rules.config import Config, sprint_value
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

TRIES = 200
"""How often, for each world, a dead end may be met on average."""
NEVER = -100


class Particles:
    """A sample of worlds, all of the same weight: a row by route count, sprint cards stack by stack, then draws.

    That is the law of a proposal, not the uniform law over worlds. The last card may lie under a hideout here, as if
    that were allowed.
    """

    def __init__(self, view: FugitiveView, n: int, rng: Random) -> None:
        routes = RouteCount(view.public, view.hand)
        self.n_hidden = routes.n_hidden
        table = particle_table(routes)
        worlds = ParticleColumns(*(np.zeros(n, np.int64) for _ in range(3)))
        n_found = 0
        if len(routes.rows):
            stock, chance = _new_stock(table), new_rng(rng.getrandbits(64))
            n_found = particles_kernels.draw_worlds(table, routes.rows, TRIES * n, stock, chance, worlds)
        self.worlds = ParticleColumns(*(column[:n_found] for column in worlds))
        self.sample = _sample_of(view, self.worlds, table, routes.face_up)
        self._tally = SetTally(*(np.zeros(n_found, np.int64) for _ in range(3)))

    def __len__(self) -> int:
        return len(self.worlds.row)

    def guesses(self) -> tuple[list[tuple[Card, ...]], Floats, Floats]:
        """Sets worth a thought, the chance of each, and what each is worth."""
        sets = np.zeros(MOST_SETS, np.int64)
        n_sets, n_worlds = guess_value_kernels.tally(self.sample, NO_CARD, self._tally)
        sets = sets[: guess_value_kernels.list_sets(self._tally, n_sets, sets)]
        chances, values = np.zeros(len(sets)), np.zeros(len(sets))
        guess_value_kernels.shares(self._tally, n_sets, n_worlds, sets, chances)
        danger = guess_value_kernels.threat(self.sample, NO_CARD, self._tally.worlds)
        guess_value_kernels.guess_values(sets, chances, self.n_hidden, danger, values)
        return [cards_of(int(cards)) for cards in sets], chances, values

    def pile_values(self) -> Floats:
        """Per pile, the best guess that a card of it leads to, on average."""
        out = np.zeros(len(self.sample.sizes))
        guess_value_kernels.pile_values(self.sample, self.n_hidden, self._tally, out)
        return out


def particle_table(routes: RouteCount) -> ParticleTable:
    evidence, limits = routes.evidence, routes.limits
    config, hand = evidence.config, bits_of(evidence.hand)
    sprints = bits_of(card for spot in evidence.public.row for card in spot.sprints or ())
    stacks = [(i, k) for i in range(evidence.n) if (k := evidence.n_hidden_sprints(i))]
    return ParticleTable(
        limits.slots,
        limits.shown,
        np.array(stacks, np.int64).reshape(len(stacks), 2),
        _classes(config, hand | bits_of(evidence.face_up)),
        np.array([bits_of(config.cards_of(pile)) & ~hand for pile in range(len(config.piles))], np.int64),
        np.array(evidence.n_his, np.int64),
        sprints,
        limits.group,
        config.last,
        config.reach,
        bool(evidence.shown) and evidence.shown[-1] == config.last,
        *_coefficients(),
    )


def _classes(config: Config, seen: int) -> Int64s:
    groups = [bits_of(config.kept), *(bits_of(config.cards_of(pile)) for pile in range(len(config.piles)))]
    odd = bits_of(range(1, config.last + 1, 2))
    return np.array([part & ~seen for group in groups for part in (group & odd, group & ~odd)], np.int64)


@lru_cache(maxsize=1)
def _coefficients() -> tuple[Floats, Floats]:
    """Binomial coefficients and factorials for all decks."""
    choose = np.array([[float(comb(n, k)) for k in range(64)] for n in range(64)])
    return choose, np.array([float(factorial(n)) for n in range(64)])


def _new_stock(table: ParticleTable) -> Stock:
    n, n_piles = table.shown.shape
    largest = int(table.stacks[:, 1].max(initial=0)) + 1
    return Stock(
        np.zeros(n + 1, np.int64),
        np.zeros((n, n_piles), np.int64),
        np.zeros((n_piles + 1, largest)),
        np.zeros((n_piles + 2, largest, largest)),
    )


def _sample_of(view: FugitiveView, worlds: ParticleColumns, table: ParticleTable, face_up: int) -> ParticleSample:
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
    return ParticleSample(row & ~np.int64(face_up), undrawn, margin, piles, sizes)
