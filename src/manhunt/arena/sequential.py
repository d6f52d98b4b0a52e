"""Sequential test of two agents on the same deals: stop as soon as the games say enough.

Let both agents play the same role on the same deals against the same opponent. Deals that both win or both lose say
nothing about who is better. Of the others, the new agent wins the share 1 / (1 + 10^(-elo / 400)), however hard the
single deals are (this is the matched-pairs logistic model). So Wald's sequential probability ratio test needs no
further parameter: it weighs these two counts alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from manhunt.arena.stats import Interval, wilson
from manhunt.errors import BadConfig


class Verdict(Enum):
    H0 = "H0"
    """No better than elo0."""
    H1 = "H1"
    """At least as good as elo1."""
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Sprt:
    """The two hypotheses about the new agent's advantage, and the error rates allowed."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise BadConfig(f"elo0 is {self.elo0:g} and elo1 is {self.elo1:g}; elo0 must be the smaller")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise BadConfig(f"{name} is {getattr(self, name):g}; an error rate is more than 0 and less than 0.5")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is taken."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio H1 is taken."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, better: int, worse: int) -> float:
        """Log-likelihood ratio of H1 to H0 when `better` deals were won by the new agent only, `worse` by the old."""
        p0, p1 = share(self.elo0), share(self.elo1)
        return better * math.log(p1 / p0) + worse * math.log((1 - p1) / (1 - p0))

    def verdict(self, better: int, worse: int) -> Verdict:
        llr = self.llr(better, worse)
        if llr >= self.upper:
            return Verdict.H1
        return Verdict.H0 if llr <= self.lower else Verdict.UNDECIDED


def share(elo: float) -> float:
    """The expected score at an advantage in Elo points."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_share(p: float) -> float:
    """The inverse of `share`; infinite at 0 and 1."""
    if p <= 0 or p >= 1:
        return -math.inf if p <= 0 else math.inf
    return 400 * math.log10(p / (1 - p))


def estimate_elo(better: int, worse: int) -> Interval | None:
    """The advantage that the differing deals speak for, with its interval; None without any."""
    if better + worse == 0:
        return None
    return Interval(*(elo_of_share(p) for p in wilson(better, better + worse)))
