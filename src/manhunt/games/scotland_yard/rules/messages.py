"""Views and events of Scotland Yard as JSON, field by field: what bots read."""

from typing import Annotated, TypedDict

from manhunt.core.messages import Count, EventKind, Label, OutcomeText, event_kind, one_word_of

Colour = Annotated[str, one_word_of("red", "green", "blue", "white", "yellow")]
"""A detective's piece."""
Mover = Annotated[str, one_word_of("mrx", "red", "green", "blue", "white", "yellow")]
Paid = Annotated[str, one_word_of("taxi", "bus", "underground", "secret")]


class TicketCounts(TypedDict):
    """How many tickets of each kind a piece holds."""

    taxi: Count
    """Pays one taxi edge."""
    bus: Count
    """Pays one bus edge."""
    underground: Count
    """Pays one underground edge."""
    secret: Count
    """Pays any edge, also a ferry; the detectives see only that it was secret. Detectives have none."""
    double: Count
    """Lets Mr X make two moves in a row. Detectives have none."""


class DetectivePiece(TypedDict):
    """A detective, as everybody sees it."""

    piece: Colour
    """The colour; its first letter is how moves name the piece: `R` is red."""
    at: Label
    """The station it is on."""
    tickets: TicketCounts
    """What it can still pay with."""


class LogSlot(TypedDict):
    """One entry of Mr X's travel log."""

    ticket: Paid
    """What he paid."""
    at: Label | None
    """Where the step took him, in rounds in which he shows himself; null in all others."""


class Seen(TypedDict):
    """Where Mr X showed himself last."""

    at: Label
    """The station."""
    round: Count
    """The round, counted from 1."""


class ViewMessage(TypedDict):
    """What a seat knows when it is to move."""

    seat: str
    """Your seat."""
    round: Count
    """The entries of the travel log; a double move makes two."""
    to_act: str | None
    """Whose turn it is: yours."""
    quarry: Label | None
    """Where Mr X is."""
    sighting: Seen | None
    """Where and when he showed himself last; null before the first time."""
    detectives: list[DetectivePiece]
    """All detectives, in the order in which they sit."""
    mrx_tickets: TicketCounts
    """What Mr X can still pay with."""
    log: list[LogSlot]
    """The travel log: `log[0]` is round 1."""
    waiting: list[Colour]
    """The detectives who have not moved in this turn; empty when it is Mr X's turn."""
    free: bool
    """True if the pieces were placed by hand: Mr X may then have begun anywhere, not only on the `starts` of the
    event `mrx`."""
    outcome: OutcomeText | None
    """Null while the game runs."""


class DetectivesPlaced(TypedDict):
    """The detectives at the start."""

    detectives: list[DetectivePiece]
    """In the order in which they sit."""


class MrXPlaced(TypedDict):
    """What everybody knows of Mr X at the start."""

    tickets: TicketCounts
    """What he can pay with."""
    starts: list[Label] | None
    """The stations he may begin on; null if the pieces were placed by hand."""


class QuarryAt(TypedDict):
    """Where Mr X is, at the start and after every step of his."""

    at: Label
    """The station."""


class DetectiveMoved(TypedDict):
    """A detective moved; the ticket goes to Mr X."""

    piece: Colour
    """Which one."""
    ticket: Annotated[str, one_word_of("taxi", "bus", "underground")]
    """What it paid."""
    to: Label
    """Where it is now."""


class DoubleMove(TypedDict):
    """Mr X begins a double move: the next two entries of the log are one turn. It has no fields."""


class Logged(TypedDict):
    """Mr X made a step: a new entry of the travel log."""

    round: Count
    """Its number, counted from 1."""
    ticket: Paid
    """What he paid."""
    at: Label | None
    """Where the step took him, if he shows himself in this round; else null."""


class Turn(TypedDict):
    """Ends every turn and the setup: who moves now, or how the game ended."""

    movers: list[Mover]
    """`mrx`, or the detectives who have not moved in this turn; empty after the end."""
    outcome: OutcomeText | None
    """Who won and how; null while the game runs."""
    quarry: Label | None
    """Where Mr X was in the end; null while the game runs."""


VIEW = ViewMessage
SEATS = {"evader": {"quarry": Label}, "pursuers": {"quarry": None}}
EVENTS: dict[str, EventKind] = {
    "detectives": event_kind(DetectivesPlaced),
    "mrx": event_kind(MrXPlaced),
    "quarry": event_kind(QuarryAt, to="evader"),
    "moved": event_kind(DetectiveMoved),
    "double": event_kind(DoubleMove),
    "logged": event_kind(Logged),
    "turn": event_kind(Turn),
}
