"""What tests ask of an equilibrium beside its bounds: what two policies are worth."""

import numpy as np

from manhunt.core.arrays import Floats
from manhunt.solvers.equilibrium.cfr_kernels import payoff_to
from manhunt.solvers.equilibrium.game import BilinearGame


def expected_payoff(game: BilinearGame, evader: Floats, pursuers: Floats) -> float:
    payoffs, values = game.payoffs, np.empty(game.evader.n_sequences)
    scratch = np.empty(max(1, int((payoffs.pursuers.end - payoffs.pursuers.first).max(initial=1))))
    payoff_to(payoffs.evader, payoffs.pursuers, payoffs.weight, 1.0, pursuers, scratch, values)
    return float(values @ evader)
