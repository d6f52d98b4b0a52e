"""Old against new on the same deals: the pairs in schedule order, and the sequential test over them.

Workers finish in any order, so only the unbroken row of pairs from the first on is weighed, one after the other; the
verdict is the same however many workers played.
"""

from __future__ import annotations

from typing import Any

from manhunt.arena.ledger import Ledger
from manhunt.arena.schedule import Plan
from manhunt.arena.sequential import Sprt, Verdict, estimate_elo
from manhunt.arena.stats import Interval, PairCounts, paired_difference
from manhunt.ids import Seat


class Comparison:
    """The running test; cell 0 of the plan is the old agent, cell 1 the new one."""

    def __init__(self, plan: Plan, seat: Seat, test: Sprt) -> None:
        assert plan.n_cells == 2
        self.plan = plan
        self.seat = seat
        self.test = test
        self.verdict = Verdict.UNDECIDED
        self._counts = [0, 0, 0, 0]
        self._n_weighed = 0

    @property
    def agents(self) -> tuple[str, ...]:
        """Old and new."""
        return self.plan.evaders if self.seat is Seat.EVADER else self.plan.pursuers

    @property
    def against(self) -> str:
        return (self.plan.pursuers if self.seat is Seat.EVADER else self.plan.evaders)[0]

    @property
    def counts(self) -> PairCounts:
        """The deals weighed so far; first is old, second is new."""
        return PairCounts(*self._counts)

    @property
    def llr(self) -> float:
        return self.test.llr(self.counts.second_only, self.counts.first_only)

    @property
    def elo(self) -> Interval | None:
        return estimate_elo(self.counts.second_only, self.counts.first_only)

    def is_decided(self, ledger: Ledger) -> bool:
        """Weigh the pairs that have come in, in order; True once the test has stopped."""
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
        counts = self.counts
        difference = paired_difference(counts)._asdict() if counts.n else None
        return {
            "game": self.plan.game,
            "seat": self.seat.value,
            "old": self.agents[0],
            "new": self.agents[1],
            "against": self.against,
            "seed": self.plan.seed,
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
    return {key: round(v, 1) if abs(v) < float("inf") else None for key, v in elo._asdict().items()}
