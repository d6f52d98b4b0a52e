"""Views and events of Pursuit as JSON, field by field: what bots read."""

from typing import Literal, TypedDict

from manhunt.core.messages import Count, EventKind, Label, OutcomeText, event_kind


class Seen(TypedDict):
    """Where Mr X was seen last."""

    at: Label
    """The node."""
    round: Count
    """The round in which he was seen there."""


class ViewMessage(TypedDict):
    """What a seat knows when it is to move."""

    seat: str
    """Your seat."""
    round: Count
    """How often Mr X has moved."""
    to_act: str | None
    """Whose turn it is: yours."""
    quarry: Label | None
    """Where Mr X is; null if you do not see him, or while the pieces are still being placed."""
    sighting: Seen | None
    """Where and when Mr X was seen last; null if that never happened, or if he is always seen."""
    detectives: list[Label]
    """Where the detectives are, in the order of their numbers: `d0` in a move is the first."""
    waiting: list[Count]
    """The numbers of the detectives who still have to move in this turn, or to be placed; empty when Mr X moves."""
    placing: bool
    """True while the pieces are being placed: a move then names a start node."""
    outcome: OutcomeText | None
    """Null while the game runs."""


class DetectivesPlaced(TypedDict):
    """The detectives' start."""

    at: list[Label]
    """Their nodes, in the order of their numbers; empty if they choose their places in the game."""


class QuarryPlaced(TypedDict):
    """Mr X's start; the detectives read it only if they see him there."""

    at: Label | None
    """His node; null if he chooses it in the game."""


class DetectiveMoved(TypedDict):
    """One detective moved, stayed or was placed."""

    piece: Count
    """The detective's number."""
    to: Label
    """Where the detective is now."""


class QuarryMoved(TypedDict):
    """Mr X moved, stayed or was placed; the detectives read it only if they see him there."""

    piece: Literal["quarry"]
    """Mr X."""
    to: Label
    """Where he is now."""


class AllMoved(TypedDict):
    """All detectives moved at once, in games with that rule."""

    pieces: Literal["all"]
    """All detectives."""
    to: list[Label]
    """Where they are now, in the order of their numbers."""


class SightingReport(TypedDict):
    """After every move, in games where Mr X can be hidden: whether he is seen now."""

    at: Label | None
    """Where he is; null if he is not seen."""
    round: Count
    """The round."""


VIEW = ViewMessage
EVENTS: dict[str, EventKind] = {
    "detectives": event_kind(DetectivesPlaced),
    "quarry": event_kind(QuarryPlaced),
    "moved": event_kind(DetectiveMoved, QuarryMoved, AllMoved),
    "sighting": event_kind(SightingReport),
}
