"""What the searches and the training share: mixtures of beliefs, and positions as the planner of `minimax` wants."""

import numpy as np

from manhunt.core.arrays import Floats, Int32s
from manhunt.games.scotland_yard.agents.minimax_search.search import Position
from manhunt.games.scotland_yard.rules import packed

BEAM = 16
"""Joint plans at first sight that detectives choose from."""
LEAST_LIKELY = 0.002
"""Detectives with a net leave out nodes that are less likely."""
INFORMED_SHARE = 0.8
"""Of the belief that assumes Mr X's net; the rest is the public one."""
TEMPERATURE = 0.05
"""Of the softmax by which detectives think that Mr X chooses."""


def mixed(informed: Floats, belief: Floats) -> Floats:
    """The belief that assumes the net, with a share of the public one; that alone where the net fits nothing seen."""
    informed = np.where(belief > 0, informed, 0.0)
    total = informed.sum()
    if total <= 1e-9:
        return belief.copy()
    return np.asarray(INFORMED_SHARE * informed / total + (1 - INFORMED_SHARE) * belief)


def within(informed: Floats, belief: Floats) -> Floats:
    """What is left of a belief where the public one says that Mr X can be."""
    left = np.where(belief > 0, informed, 0.0)
    total = left.sum()
    return np.asarray(left / total) if total > 0 else belief.copy()


def position_of_row(state: Int32s, belief: Floats, n: int) -> Position:
    """A packed state as the planner of `minimax` wants it."""
    held = state[packed.TICKETS : packed.TICKETS + 5 * (n + 1)].reshape(n + 1, 5)
    return Position(
        belief,
        state[packed.PLACES : packed.PLACES + n].copy(),
        np.ascontiguousarray(held[1:, :3]),
        held[0].copy(),
        int(state[packed.N_LOGGED]),
        int(state[packed.WAITING]),
    )
