"""What kind of detectives Mr X is up against, judged by how well he foresaw their moves.

Detectives who know his net or more plan by the same net and the belief that he works out for them, so he foresees most
of their moves. Others make about every second of these moves by chance. Each turn is compared with what was foreseen of
each kind, and shifts the weights by which he prepares for them. He never becomes sure: detectives may change, or feign.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s

PRIOR = 0.6
"""How likely Mr X thinks it at first that the detectives know how he chooses."""
HIT_RATES = ((0.68, 0.45), (0.88, 0.5))
"""How often a move is the one foreseen, of detectives as supposed and of others: foreseen at a quick look, and by their
own search."""
TRUST = 0.6
"""Of the evidence of one turn, because the moves of a plan hang together."""
MOST_SURE = 3.0
"""Bound on the evidence for or against a kind of detectives, in nats."""
FORGET = 0.9
"""What is left of the evidence after a turn that tells nothing."""


class ForeseenMoves(NamedTuple):
    """Where the teams of each level were expected to go, and whether their own search was done for them."""

    places: Sequence[Int32s]
    thorough: bool


class Rivals:
    """The weights of uninformed detectives and of those of each level, in one game."""

    def __init__(self, n_levels: int) -> None:
        self._evidence = np.zeros(n_levels)

    @property
    def weights(self) -> Floats:
        """Of uninformed detectives first; they add up to 1."""
        n = len(self._evidence)
        informed = PRIOR / max(n, 1) * np.exp(self._evidence)
        weights = np.concatenate(([1.0 - PRIOR], informed)) if n else np.ones(1)
        return np.asarray(weights / weights.sum())

    def moved(self, foreseen: ForeseenMoves | None, before: Int32s, made: Int32s) -> None:
        """The team went from `before` to `made`."""
        if foreseen is None:
            self._evidence *= FORGET
            return
        own, others = HIT_RATES[foreseen.thorough]
        movers = before != made
        for i, places in enumerate(foreseen.places):
            right = np.count_nonzero(places[movers] == made[movers])
            wrong = np.count_nonzero(movers) - right
            gain = right * math.log(own / others) + wrong * math.log((1 - own) / (1 - others))
            self._evidence[i] = min(max(self._evidence[i] + TRUST * gain, -MOST_SURE), MOST_SURE)
