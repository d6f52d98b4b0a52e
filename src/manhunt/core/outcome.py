"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from manhunt.core.ids import Side


class Termination(Enum):
    CAPTURE = "capture"  # the quarry is caught
    STRANDED = "stranded"  # the evader cannot act
    EXHAUSTED = "exhausted"  # no pursuer can act
    SURVIVAL = "survival"  # the rounds are over
    ARRIVAL = "arrival"  # the goal is reached
    FORFEIT = "forfeit"  # time, a crash or an illegal action


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `value` is the evader's payoff in [-1, 1]; `cost` is set by games that count one."""

    winner: Side
    termination: Termination
    cost: float | None = None

    @property
    def value(self) -> float:
        return 1.0 if self.winner is Side.EVADER else -1.0

    def __repr__(self) -> str:
        return f"<Outcome {self}>"

    def _repr_html_(self) -> str:
        cost = "" if self.cost is None else f", cost {self.cost:g}"
        return f"<p>won by: <b>{self.winner.value}</b> ({self.termination.value}{cost})</p>"

    def __str__(self) -> str:
        cost = "" if self.cost is None else f" {self.cost!r}".removesuffix(".0")
        return f"{self.winner.value} {self.termination.value}{cost}"


def parse_outcome(text: str) -> Outcome:
    """The inverse of `str(outcome)`; ValueError if it is none."""
    try:
        winner, termination, *cost = text.split()
        return Outcome(Side(winner), Termination(termination), float(cost[0]) if cost else None)
    except ValueError:
        raise ValueError(f"{text!r} is no outcome, such as 'evader survival'") from None


def usual_payoff(outcome: Outcome) -> float:
    """The evader's reward at the end: 1 or -1; with a cost, 1 / (1 + cost) for an evader who arrives."""
    return outcome.value if outcome.cost is None else 1 / (1 + outcome.cost)
