"""What tests ask of an equilibrium beside its bounds: the policy behind weights, and what two policies are worth."""

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.solvers.equilibrium.cfr_kernels import payoff_to
from manhunt.solvers.equilibrium.game import BilinearGame, Decisions


def policy_of(side: Decisions, weights: Floats) -> Floats:
    """By sequence, the probability of its action at its infoset; alike for all actions where the side never comes."""
    policy = np.ones(side.n_sequences)
    for low, high in zip(side.first[:-1], side.first[1:], strict=True):
        total = weights[low:high].sum()
        policy[low:high] = weights[low:high] / total if total > 0 else 1.0 / (high - low)
    return policy


def expected_payoff(game: BilinearGame, evader: Floats, pursuers: Floats) -> float:
    payoffs, values = game.payoffs, np.empty(game.evader.n_sequences)
    scratch = np.empty(max(1, int((payoffs.pursuers.end - payoffs.pursuers.first).max(initial=1))))
    payoff_to(payoffs.evader, payoffs.pursuers, payoffs.weight, 1.0, pursuers, scratch, values)
    return float(values @ evader)
