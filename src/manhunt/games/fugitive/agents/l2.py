"""The Marshal who counts all worlds exactly and names what is certain."""

from collections.abc import Sequence
from random import Random

import numpy as np

from manhunt.core.errors import BadAgent, unknown
from manhunt.games.fugitive.agents.manhunt_search import ManhuntTree, hidden_rows, sprint_cards
from manhunt.games.fugitive.agents.planners import MarshalPlanner
from manhunt.games.fugitive.beliefs.worlds import Worlds, worlds_or_none
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

MODES = ("certain_plus_argmax", "certain_only", "argmax_only")
GUARDS = ("no", "lift", "wait")
MOST_WORLDS = 4096
MOST_NODES = 100_000
NOTHING_KNOWN = 1
"""What is named where nothing can be found."""
CERTAIN = 1e-15
"""A number is certain if no more than this is left for the rows without it."""
NEAR = 1e-11
"""Chances closer than this may be equal, so that whole numbers decide."""


class L2Marshal(MarshalPlanner):
    """Lowest pile; guesses all certain numbers and the likeliest other one; in the manhunt, the best tree for some
    worlds.

    With a guard she leaves hideouts alone that would open his way, unless her guess would win.
    """

    def __init__(self, mode: str = MODES[0], guard: str = GUARDS[0], worlds: int = 64) -> None:
        if mode not in MODES:
            raise BadAgent(unknown("mode of l2", mode, MODES))
        if guard not in GUARDS:
            raise BadAgent(unknown("guard of l2", guard, GUARDS))
        if not 1 <= worlds <= MOST_WORLDS:
            raise BadAgent(f"l2: worlds must be from 1 to {MOST_WORLDS}, not {worlds}")
        self.mode, self.guard, self.worlds = mode, guard, worlds

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        return piles[0]

    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        worlds = worlds_or_none(view.public, view.hand)
        if worlds is None:
            return (NOTHING_KNOWN,)
        numbers, certain, n_hidden = possible_numbers(worlds), certain_numbers(worlds), len(worlds.trails.hidden)
        self.counted = {"rows": len(worlds.trails.rows), "hidden": n_hidden, "certain": len(certain)}
        chosen = self._choose(worlds, numbers, certain)
        if self.guard == "no" or len(chosen) == n_hidden:
            return chosen
        low = tuple(n for n in numbers if n < view.config.manhunt_below)
        if low:
            return self._choose(worlds, low, certain)
        return chosen if self.guard == "lift" else (NOTHING_KNOWN,)

    def _choose(self, worlds: Worlds, numbers: tuple[Card, ...], certain: frozenset[Card]) -> tuple[Card, ...]:
        """The guess if these numbers are all that may be named."""
        if self.mode == "argmax_only":
            return (likeliest(worlds, numbers),)
        sure = tuple(n for n in numbers if n in certain)
        others = tuple(n for n in numbers if n not in certain)
        if self.mode == "certain_only":
            return sure or (likeliest(worlds, numbers),)
        return (*sure, likeliest(worlds, others)) if others and len(sure) < len(worlds.trails.hidden) else sure

    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        worlds = worlds_or_none(view.public, view.hand)
        if worlds is None:
            return NOTHING_KNOWN
        rows = hidden_rows(worlds.sample(rng, self.worlds), worlds.trails.hidden, sprint_cards, 1)
        return ManhuntTree(rows, MOST_NODES, lowest_of_equals=True).best()[1]


def possible_numbers(worlds: Worlds) -> tuple[Card, ...]:
    """The numbers that may lie face down, ascending."""
    return tuple(np.flatnonzero(worlds.hideouts).tolist())


def certain_numbers(worlds: Worlds) -> frozenset[Card]:
    masks, weights = worlds.trails.masks, worlds.trails.weights
    missing = {n: weights[(masks >> np.uint64(n)) & np.uint64(1) == 0].sum() for n in possible_numbers(worlds)}
    return frozenset(n for n, share in missing.items() if share <= CERTAIN)


def likeliest(worlds: Worlds, numbers: Sequence[Card]) -> Card:
    """One of these numbers, ascending; the lowest of equals, which is decided without rounding."""
    chances = worlds.hideouts
    best = max(chances[n] for n in numbers)
    near = [n for n in numbers if chances[n] >= best * (1 - NEAR)]
    return near[0] if len(near) == 1 else max(near, key=lambda n: worlds.exact_hideouts[n])
