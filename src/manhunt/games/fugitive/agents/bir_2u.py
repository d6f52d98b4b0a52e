"""The Marshal who draws worlds by lot and weighs guesses by them."""

from collections.abc import Sequence
from random import Random
from typing import ClassVar

import numpy as np

from manhunt.core.errors import BadAgent
from manhunt.games.fugitive.agents.bir_2u_particles.particles import Particles
from manhunt.games.fugitive.agents.planners import MarshalPlanner
from manhunt.games.fugitive.agents.soft_choice import pick, pick_soft, sharpened
from manhunt.games.fugitive.rules.public import Card
from manhunt.games.fugitive.rules.views import FugitiveView

PARTICLES = 2000
MOST_PARTICLES = 1_000_000


class Bir2uMarshal(MarshalPlanner):
    """Random choices weighted by 2,000 sampled worlds: how much a guess finds, and whether a miss lets him escape."""

    usual_seconds: ClassVar[float] = 0.06

    def __init__(self, particles: int = PARTICLES) -> None:
        if not 1 <= particles <= MOST_PARTICLES:
            raise BadAgent(f"bir-2u: particles must be from 1 to {MOST_PARTICLES}, not {particles}")
        self.particles = particles

    def pile(self, view: FugitiveView, piles: tuple[int, ...], rng: Random) -> int:
        worlds = Particles(view, self.particles, rng)
        if not len(worlds):
            return rng.choice(piles)
        return pick_soft(piles, worlds.pile_values()[list(piles)], rng)

    def guess(self, view: FugitiveView, rng: Random) -> Sequence[Card]:
        """How many numbers first, by the best guess of each size, then which."""
        worlds = Particles(view, self.particles, rng)
        if not len(worlds) or not worlds.n_hidden:
            return (1,)
        sets, _, values = worlds.guesses()
        by_size: dict[int, list[int]] = {}
        for i, numbers in enumerate(sets):
            by_size.setdefault(len(numbers), []).append(i)
        sizes = sorted(by_size)
        size = pick_soft(sizes, [max(values[by_size[n]]) for n in sizes], rng)
        return sets[pick_soft(by_size[size], values[by_size[size]], rng)]

    def hunt(self, view: FugitiveView, rng: Random) -> Card:
        worlds = Particles(view, self.particles, rng)
        if not len(worlds) or not worlds.n_hidden:
            return 1
        sets, chances, _ = worlds.guesses()
        singles = [i for i, numbers in enumerate(sets) if len(numbers) == 1]
        return sets[pick(singles, sharpened(np.square(chances[singles])), rng)][0]
