"""What a net is told about a table after the Marshal's guess: what she may think, and how far he has come."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Float32s, Floats, Int64s
from manhunt.games.fugitive.champion import feature_kernels as kernels
from manhunt.games.fugitive.champion.feature_kernels import N_BELIEF
from manhunt.games.fugitive.rules.card_bits import bits_of
from manhunt.games.fugitive.rules.config import Config
from manhunt.games.fugitive.rules.placing import total_value
from manhunt.games.fugitive.rules.public import Card

HAND_FEATURES = (
    "way open",
    "distance",
    "gap",
    "gap above 0",
    "can escape",
    "can nearly escape",
    "gap, way open",
    "can escape, way open",
    "cards",
    "sprint value",
    "cards ahead",
    "cards in reach",
    "cards nearly in reach",
    "even cards",
    "cards behind",
    "farthest card",
    "round",
    "cards in piles",
    "newest is high",
    "few cards in piles",
)
BELIEF_FEATURES = (
    "log chance of the row",
    "chance of the row",
    "log chance of the safest hideout",
    "chance of the safest hideout",
    "chance of the likeliest hideout",
    "mean chance of a hideout",
    "mean log chance of a hideout",
    "chance of the newest",
    "log chance of the newest",
    "hidden hideouts",
    "entropy",
    "chance of the likeliest row",
    "certain hideouts",
    "uncertain hideouts",
)
FEATURES = BELIEF_FEATURES + HAND_FEATURES
N_FEATURES = len(FEATURES)


class Trail(NamedTuple):
    """His secrets after one of his turns."""

    hidden: int
    """The face-down hideouts as bits."""
    newest: Card
    rest: tuple[Card, ...]
    """What he holds."""


def hand_features(config: Config, trail: Trail, clear: bool, round_: int, n_left: int) -> list[float]:
    """`clear` if his way is open after the guess; `n_left` cards lie in the piles."""
    rest = [c for c in trail.rest if c != config.last]
    worth = total_value(rest)
    togo = config.last - config.reach - trail.newest
    gap = togo - worth
    ahead = [c for c in rest if c > trail.newest]
    steps = [c for c in ahead if c - trail.newest <= config.reach]
    near = [c for c in ahead if c - trail.newest <= config.reach + 4]
    evens = sum(c % 2 == 0 for c in rest)
    dead = len(rest) - len(ahead)
    far = max(ahead, default=trail.newest)
    opened = float(clear)
    return [
        opened,
        togo / 20,
        gap / 10,
        max(gap, 0) / 10,
        float(gap <= 0),
        float(gap <= 2),
        opened * max(gap, 0) / 10,
        opened * float(gap <= 0),
        len(rest) / 6,
        worth / 10,
        len(ahead) / 4,
        min(len(steps), 2) / 2,
        min(len(near), 3) / 3,
        evens / 4,
        dead / 4,
        (far - trail.newest) / 15,
        round_ / 10,
        n_left / 20,
        float(trail.newest >= config.manhunt_below),
        min(1.0, n_left / 6),
    ]


class SeenGuess:
    """A guess with the belief that it came from, ready to describe any number of his trails."""

    def __init__(self, masks: Int64s, weights: Floats, guess: Sequence[Card], last: Card) -> None:
        self.masks, self.weights, self.guess = masks, weights, bits_of(guess)
        self.chances, self.sums = np.zeros((2, last + 1)), np.zeros((2, 3))
        kernels.split_belief(masks, weights, self.guess, self.chances, self.sums)

    def describe(self, hidden: int, out: Float32s) -> int:
        return int(
            kernels.fill_belief(self.masks, self.weights, self.guess, self.chances, self.sums, hidden, out[:N_BELIEF])
        )

    def hits(self, hidden: int) -> bool:
        return hidden & self.guess == self.guess
