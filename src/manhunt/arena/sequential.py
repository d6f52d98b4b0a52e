"""Sequential test of two agents on the same deals: stop as soon as the games say enough.

Let both agents play the same role on the same deals against the same opponent. Deals that both win or both lose say
nothing about who is better. Of the others, the new agent wins the share 1 / (1 + 10^(-elo / 400)), however hard the
single deals are (this is the matched-pairs logistic model). So Wald's sequential probability ratio test needs no
further parameter: it weighs these two counts alone.
"""

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any

from manhunt.arena.ledger import Ledger
from manhunt.arena.schedule import Plan
from manhunt.arena.stats import Interval, PairCounts, paired_difference, wilson
from manhunt.core.errors import BadConfig
from manhunt.core.ids import Seat
from manhunt.core.seeds import seed_to_json


class Verdict(Enum):
    """What a sequential test says."""

    H0 = "H0"
    """No better than elo0."""
    H1 = "H1"
    """At least as good as elo1."""
    UNDECIDED = "undecided"
    """More games are needed."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """The two hypotheses about the new agent's advantage, and the error rates allowed.

    Examples:
        >>> Sprt(elo0=0, elo1=20).verdict(better=400, worse=300).value
        'H1'
    """

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
        """At or below this log-likelihood ratio the test accepts H0."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio the test accepts H1."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, better: int, worse: int) -> float:
        """Log-likelihood ratio of H1 to H0 if only the new agent won `better` deals, and only the old one `worse`."""
        p0, p1 = share(self.elo0), share(self.elo1)
        return better * math.log(p1 / p0) + worse * math.log((1 - p1) / (1 - p0))

    def verdict(self, better: int, worse: int) -> Verdict:
        """The verdict after this many deals that only one of the agents won."""
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


class Comparison:
    """A sequential test over the pairs in schedule order; cell 0 of the plan is the old agent, cell 1 the new one.

    Workers finish in any order, but pairs are counted in schedule order and without gaps, so the verdict does not
    depend on the number of workers.
    """

    def __init__(self, plan: Plan, seat: Seat, test: Sprt) -> None:
        assert plan.n_cells == 2
        self.plan = plan
        self.seat = seat
        self.test = test
        self.verdict = Verdict.UNDECIDED
        both = (plan.evaders, plan.pursuers)
        self.agents, (self.against,) = both if seat is Seat.EVADER else both[::-1]
        """Old and new, and whom they play against."""
        self._counts = [0, 0, 0, 0]
        self._n_weighed = 0

    @property
    def counts(self) -> PairCounts:
        """The deals counted so far; first is old, second is new."""
        return PairCounts(*self._counts)

    @property
    def llr(self) -> float:
        """Log-likelihood ratio of the deals counted so far."""
        return self.test.llr(self.counts.second_only, self.counts.first_only)

    @property
    def elo(self) -> Interval | None:
        """The new agent's advantage in Elo points, with a 95 % interval; None as long as the deals say nothing."""
        return estimate_elo(self.counts.second_only, self.counts.first_only)

    def is_decided(self, ledger: Ledger) -> bool:
        """Count the pairs that have come in, in order; True once the test has stopped."""
        while self.verdict is Verdict.UNDECIDED and self._n_weighed < self.plan.n_games:
            old, new = 2 * self._n_weighed, 2 * self._n_weighed + 1
            if not (ledger.is_finished(old) and ledger.is_finished(new)):
                break
            self._n_weighed += 1
            if ledger.winner(old) is None or ledger.winner(new) is None:
                continue
            won = [ledger.winner(number) is self.seat.side for number in (old, new)]
            self._counts[2 * (not won[0]) + (not won[1])] += 1
            self.verdict = self.test.verdict(self.counts.second_only, self.counts.first_only)
        return self.verdict is not Verdict.UNDECIDED

    def to_json(self) -> dict[str, Any]:
        """The comparison for reports."""
        counts = self.counts
        difference = paired_difference(counts)._asdict() if counts.n else None
        return {
            "game": self.plan.game,
            "seat": self.seat.value,
            "old": self.agents[0],
            "new": self.agents[1],
            "against": self.against,
            "seed": None if self.plan.seed is None else seed_to_json(self.plan.seed),
            "verdict": self.verdict.value,
            "llr": round(self.llr, 6),
            "bounds": [round(self.test.lower, 6), round(self.test.upper, 6)],
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
            "deals": counts.n,
            "both_won": counts.both,
            "old_only": counts.first_only,
            "new_only": counts.second_only,
            "both_lost": counts.neither,
            "elo": _finite(self.elo),
            "rate_difference": difference,
        }


def _finite(elo: Interval | None) -> dict[str, float | None] | None:
    """JSON has no infinity: an open end is null."""
    if elo is None:
        return None
    return {key: round(v, 1) if abs(v) < math.inf else None for key, v in elo._asdict().items()}
