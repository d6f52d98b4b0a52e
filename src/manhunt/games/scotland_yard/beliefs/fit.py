"""Fitting the soft model: maximum likelihood of the moves that Mr X made, among those he could have made.

This is conditional (multinomial) logit. The negative log-likelihood is convex, so that SciPy's L-BFGS finds its one
minimum; a small penalty on the squared weights keeps them finite where a feature always decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from manhunt.core.arrays import Floats, Int64s
from manhunt.core.errors import BadText, ManhuntError
from manhunt.games.scotland_yard.beliefs.features import N_FEATURES, feature_table
from manhunt.games.scotland_yard.beliefs.models import SoftModel
from manhunt.games.scotland_yard.rules.actions import ScotlandYardAction
from manhunt.games.scotland_yard.rules.rules import legal_actions
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

History = tuple[tuple[ScotlandYardState, ...], tuple[ScotlandYardAction, ...]]
"""One game: the states, and the actions between them."""


@dataclass(frozen=True, slots=True)
class MrXDecisions:
    """Mr X's choices: the features of all his options in a row, where each decision begins, which was taken.

    All games count alike, so that a decision of a long game counts less; the weights of decisions add up to 1.
    """

    features: Floats
    first: Int64s
    taken: Int64s
    weight: Floats

    @property
    def n(self) -> int:
        return len(self.first)


@dataclass(frozen=True, slots=True)
class Fit:
    """`loss` is the mean negative log-probability of a taken move, `uniform_loss` that of all moves alike."""

    model: SoftModel
    loss: float
    uniform_loss: float


def decisions_of(games: Iterable[History]) -> MrXDecisions:
    """All turns of Mr X on which he had a choice."""
    tables: list[Floats] = []
    taken: list[int] = []
    weights: list[float] = []
    for states, actions in games:
        n_before = len(tables)
        for state, action in zip(states, actions, strict=False):
            options = () if state.waiting else legal_actions(state)
            if len(options) > 1:
                tables.append(feature_table(state, options))
                taken.append(options.index(action))
        n = len(tables) - n_before
        weights += [1 / max(n, 1)] * n
    if not tables:
        raise BadText("no decision of Mr X in these records; a fit needs finished games of scotland_yard")
    first = np.cumsum([0, *(len(table) for table in tables[:-1])])
    weight = np.array(weights) / sum(weights)
    return MrXDecisions(np.concatenate(tables), first, first + np.array(taken), weight)


def log_loss(theta: Floats, decisions: MrXDecisions) -> tuple[float, Floats]:
    """The mean negative log-likelihood and its gradient."""
    scores = decisions.features @ theta
    top = np.maximum.reduceat(scores, decisions.first)
    sizes = np.diff([*decisions.first, len(scores)])
    weights = np.exp(scores - np.repeat(top, sizes))
    totals = np.add.reduceat(weights, decisions.first)
    loss = decisions.weight @ (np.log(totals) + top - scores[decisions.taken])
    chances = weights * np.repeat(decisions.weight / totals, sizes)
    gradient = decisions.features.T @ chances - decisions.features[decisions.taken].T @ decisions.weight
    return float(loss), gradient


def fit_soft(decisions: MrXDecisions, penalty: float = 1e-3, provenance: Mapping[str, Any] | None = None) -> Fit:
    """The soft model that makes the taken moves most likely."""
    from scipy.optimize import minimize

    def objective(theta: Floats) -> tuple[float, Floats]:
        loss, gradient = log_loss(theta, decisions)
        return loss + penalty * float(theta @ theta), gradient + 2 * penalty * theta

    found = minimize(objective, np.zeros(N_FEATURES), jac=True, method="L-BFGS-B")
    if not found.success:
        raise ManhuntError(f"the fit did not converge: {found.message}")
    loss, _ = log_loss(found.x, decisions)
    uniform_loss, _ = log_loss(np.zeros(N_FEATURES), decisions)
    return Fit(SoftModel(found.x, provenance), loss, uniform_loss)
