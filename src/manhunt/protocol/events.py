"""The events that every game can have, whatever its rules: they come from the referee."""

from typing import Annotated, TypedDict

from manhunt.core.messages import EventKind, OutcomeText, SeatName, event_kind, one_word_of
from manhunt.core.turns import FAILED

Why = Annotated[str, one_word_of(*(end.why for end in FAILED))]


class Commitment(TypedDict):
    """Comes before the first move of a game that was dealt in secret."""

    sha256: str
    """The SHA-256 of the deal, in hexadecimal digits; the record of the finished game proves it."""


class FaultEvent(TypedDict):
    """A turn of yours failed; only you read the details."""

    detail: str
    """What was wrong, for your log."""


class Forfeit(TypedDict):
    """A seat has lost because its turn failed."""

    seat: SeatName
    """Who lost."""
    why: Why
    """How the turn ended."""


class PassByRule(TypedDict):
    """A turn failed, and by the rule book the seat passes."""

    seat: SeatName
    """Whose turn it was."""
    why: Why
    """How the turn ended."""


class StandIn(TypedDict):
    """A turn failed, and something else was played in its place."""

    seat: SeatName
    """Whose turn it was."""
    why: Why
    """How the turn ended."""
    policy: Annotated[str, one_word_of("pass", "random", "agent")]
    """What was played: the game's way to do nothing, a random legal move, or a move that an agent chose."""


class End(TypedDict):
    """The game is over; always the last event."""

    outcome: OutcomeText
    """Who won and how, for example `evader survival`."""


COMMON_EVENTS: dict[str, EventKind] = {
    "commitment": event_kind(Commitment),
    "fault": event_kind(FaultEvent),
    "forfeit": event_kind(Forfeit),
    "pass by rule": event_kind(PassByRule),
    "stand-in": event_kind(StandIn),
    "end": event_kind(End),
}
