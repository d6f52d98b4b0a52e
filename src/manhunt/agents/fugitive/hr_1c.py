"""The Marshal who names any number that can be there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from manhunt.agents.fugitive.choice import pick
from manhunt.agents.fugitive.planned import MarshalPlanner
from manhunt.agents.fugitive.routes import Routes, cards_of
from manhunt.games.fugitive.public import Card
from manhunt.games.fugitive.views import View

MOST_NUMBERS = 3
N_ROWS = 384
"""Rows that sets are drawn from."""
N_SETS = 48


class Hr1cMarshal(MarshalPlanner):
    """Any pile; mostly one number of those that some row has, seldom two or three."""

    def pile(self, view: View, piles: tuple[int, ...], rng: Random) -> int:
        return rng.choice(piles)

    def guess(self, view: View, rng: Random) -> Sequence[Card]:
        routes = Routes(view.public, view.hand)
        if not routes.numbers:
            return (1,)
        most = min(MOST_NUMBERS, routes.n_hidden, len(routes.numbers))
        size = pick(range(1, most + 1), size_chances(most), rng)
        sets = [(n,) for n in routes.numbers] if size == 1 else drawn_sets(routes, size, rng)
        return pick(sets, self.guess_chances(routes, sets), rng)

    def hunt(self, view: View, rng: Random) -> Card:
        routes = Routes(view.public, view.hand)
        return pick(routes.numbers, self.hunt_chances(routes), rng) if routes.numbers else 1

    def guess_chances(self, routes: Routes, sets: Sequence[tuple[Card, ...]]) -> Sequence[float]:
        return [1.0] * len(sets)

    def hunt_chances(self, routes: Routes) -> Sequence[float]:
        return [1.0] * len(routes.numbers)


def size_chances(most: int) -> list[float]:
    """Each size is ten times as rare as the one before; the largest takes what is left."""
    return [0.9 * 0.1**i for i in range(most - 1)] + [0.1 ** (most - 1)]


def drawn_sets(routes: Routes, size: int, rng: Random) -> list[tuple[Card, ...]]:
    """Different sets of so many hidden cards of random rows."""
    found: dict[tuple[Card, ...], None] = {}
    for _ in range(N_ROWS):
        row = cards_of(int(routes.hidden[rng.randrange(len(routes))]))
        found[tuple(sorted(rng.sample(row, size)))] = None
        if len(found) == N_SETS:
            break
    return list(found)
