"""Marshals who name any number that can be there: all alike (hr-1c), or by how many rows have them (hr-1.1c)."""

from collections.abc import Sequence
from random import Random

from manhunt.games.fugitive.agents.planners import MarshalPlanner
from manhunt.games.fugitive.agents.route_count import RouteCount
from manhunt.games.fugitive.agents.soft_choice import pick, sharpened
from manhunt.games.fugitive.rules.card_bits import cards_of
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

MOST_NUMBERS = 3
N_ROWS = 384
"""Rows that sets are drawn from."""
N_SETS = 48


class Hr1cMarshal(MarshalPlanner):
    """Any pile; guesses mostly one number that some row has, rarely two or three."""

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        return rng.choice(piles)

    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        routes = RouteCount(view.public, view.hand)
        if not routes.numbers:
            return (1,)
        most = min(MOST_NUMBERS, routes.n_hidden, len(routes.numbers))
        size = pick(range(1, most + 1), size_chances(most), rng)
        sets = [(n,) for n in routes.numbers] if size == 1 else drawn_sets(routes, size, rng)
        return pick(sets, self.guess_chances(routes, sets), rng)

    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        routes = RouteCount(view.public, view.hand)
        return pick(routes.numbers, self.hunt_chances(routes), rng) if routes.numbers else 1

    def guess_chances(self, routes: RouteCount, sets: Sequence[tuple[Card, ...]]) -> Sequence[float]:
        return [1.0] * len(sets)

    def hunt_chances(self, routes: RouteCount) -> Sequence[float]:
        return [1.0] * len(routes.numbers)


class Hr11cMarshal(Hr1cMarshal):
    """Like hr-1c, but prefers likelier numbers and sets, and in the manhunt even more so."""

    def guess_chances(self, routes: RouteCount, sets: Sequence[tuple[Card, ...]]) -> Sequence[float]:
        return list(sharpened(routes.n_with_all(sets)))

    def hunt_chances(self, routes: RouteCount) -> Sequence[float]:
        return list(sharpened(routes.counts[list(routes.numbers)].astype(float) ** 2))


def size_chances(most: int) -> list[float]:
    """Each size is ten times as rare as the one before; the largest takes what is left."""
    return [0.9 * 0.1**i for i in range(most - 1)] + [0.1 ** (most - 1)]


def drawn_sets(routes: RouteCount, size: int, rng: Random) -> list[tuple[Card, ...]]:
    """Different sets of so many hidden cards of random rows."""
    found: dict[tuple[Card, ...], None] = {}
    for _ in range(N_ROWS):
        row = cards_of(int(routes.hidden[rng.randrange(len(routes))]))
        found[tuple(sorted(rng.sample(row, size)))] = None
        if len(found) == N_SETS:
            break
    return list(found)
