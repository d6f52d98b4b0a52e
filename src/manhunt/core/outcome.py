"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from manhunt.core.ids import Side


class Termination(Enum):
    """How a game can end."""

    CAPTURE = "capture"
    """The quarry is caught."""
    STRANDED = "stranded"
    """The evader cannot act."""
    EXHAUSTED = "exhausted"
    """No pursuer can act."""
    SURVIVAL = "survival"
    """The rounds are over."""
    ARRIVAL = "arrival"
    """The goal is reached."""
    FORFEIT = "forfeit"
    """Somebody ran out of time, crashed, resigned or did something illegal."""


FORFEITS = {"resign": "resigned", "time": "ran out of time"}
"""What a loser did by whom a game was forfeited, as outcomes write it and in words."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `value` is the evader's payoff in [-1, 1]; `cost` is set by games that count one.

    `why` is set if the loser resigned or ran out of time; a forfeit without it is a failed turn.
    """

    winner: Side
    termination: Termination
    cost: float | None = None
    why: str | None = field(default=None, compare=False)

    @property
    def value(self) -> float:
        """The evader's payoff, from -1 to 1."""
        return 1.0 if self.winner is Side.EVADER else -1.0

    def __repr__(self) -> str:
        return f"<Outcome {self}>"

    def _repr_html_(self) -> str:
        cost = "" if self.cost is None else f", cost {self.cost:g}"
        return f"<p>won by: <b>{self.winner.value}</b> ({self.termination.value}{cost})</p>"

    def __str__(self) -> str:
        cost = "" if self.cost is None else f" {self.cost!r}".removesuffix(".0")
        return f"{self.winner.value} {self.termination.value}{cost}{f' {self.why}' if self.why else ''}"


def parse_outcome(text: str) -> Outcome:
    """The inverse of `str(outcome)`; ValueError if the text is not an outcome.

    Examples:
        >>> parse_outcome("evader survival").winner.value
        'evader'
    """
    try:
        winner, termination, *more = text.split()
        why = more.pop() if more and more[-1] in FORFEITS else None
        return Outcome(Side(winner), Termination(termination), float(more[0]) if more else None, why)
    except ValueError:
        raise ValueError(f"{text!r} is not an outcome, such as 'evader survival'") from None


def forfeit_words(outcome: Outcome, loser: str) -> str:
    """How a game was forfeited: `the hunters resigned`."""
    return f"{loser} {FORFEITS.get(outcome.why or '', 'failed')}"


def usual_payoff(outcome: Outcome) -> float:
    """The evader's reward at the end: 1 or -1; with a cost, 1 / (1 + cost) for an evader who arrives."""
    return outcome.value if outcome.cost is None else 1 / (1 + outcome.cost)
