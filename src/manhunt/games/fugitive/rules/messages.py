"""Views and events of Fugitive as JSON, field by field: what bots read."""

from typing import Annotated, TypedDict

from msgspec import Meta

from manhunt.core.messages import Count, EventKind, OutcomeText, SeatName, event_kind, one_word_of, words_of
from manhunt.games.fugitive.rules.public import Phase

Bit = Annotated[int, Meta(ge=0, le=1)]


class RowSpot(TypedDict):
    """One position of the row: a hideout with its sprint cards, or the escape card."""

    round: Count
    """The round in which it was placed."""
    n_sprints: Count
    """How many sprint cards lie under it."""
    n_draws: list[Count]
    """Per pile, how many cards the Fugitive had drawn when it was placed; the dealt ones are not counted."""
    card: Count | None
    """Its number; null if you do not know it."""
    sprints: list[Count] | None
    """The sprint cards; null if you do not know them."""
    face_up: bool
    """True if everybody sees the card."""


class DrawMade(TypedDict):
    """A card that somebody drew."""

    side: SeatName
    """`evader` is the Fugitive, `pursuers` the Marshal."""
    pile: Count
    """From which pile, counted from 0: the lowest cards are in pile 0."""
    round: Count
    """In which round."""
    n_placed: Count
    """How many hideouts lay in the row then."""


class GuessMade(TypedDict):
    """A guess of the Marshal."""

    round: Count
    """In which round."""
    numbers: list[Count]
    """What she named, ascending."""
    hit: bool
    """True if all of them were face-down hideouts; they were turned up then."""
    n_placed: Count
    """How many hideouts lay in the row then, the escape card not counted."""


class ViewMessage(TypedDict):
    """What a seat knows when it is to move."""

    seat: str
    """Your seat."""
    round: Count
    """The number of the round, counted from 1."""
    phase: Annotated[str, words_of(Phase)]
    """Which kind of decision comes next."""
    to_act: str | None
    """Whose turn it is: yours."""
    fugitive: list[Count] | None
    """The Fugitive's hand, ascending."""
    marshal: list[Count] | None
    """The Marshal's hand, ascending."""
    pending: list[Count]
    """What you have named in this turn so far: a hideout and its sprint cards, or the numbers of a guess."""
    row: list[RowSpot]
    """The hideouts in the order in which they were placed; the start card 0 is not among them."""
    pile_sizes: list[Count]
    """How many cards are left in each pile."""
    hand_sizes: Annotated[list[Count], Meta(min_length=2, max_length=2)]
    """How many cards the Fugitive and the Marshal hold, in this order; cards that are being placed still count."""
    n_left: Count
    """How many cards the Marshal still draws in this turn."""
    bonus: bool
    """True if the Fugitive has passed and may take a bonus card."""
    draws: list[DrawMade]
    """All cards that were drawn, in order."""
    guesses: list[GuessMade]
    """All guesses, in order."""
    n_passes: Count
    """How often the Fugitive has passed."""
    guess_mask: list[Bit] | None
    """By number, from 0 to the last card: 1 if it can still be a face-down hideout, by the quick notes."""
    outcome: OutcomeText | None
    """Null while the game runs."""


class Begun(TypedDict):
    """The table at the start."""

    last: Count
    """The escape card; all cards are numbers from 0 to it."""
    piles: dict[str, Count]
    """The piles by name, from low to high, and how many cards each has."""
    fugitive: Count
    """How many cards the Fugitive holds."""


class Hand(TypedDict):
    """The Fugitive's hand at the start."""

    cards: list[Count]
    """Ascending."""


class Drew(TypedDict):
    """Somebody drew a card."""

    side: SeatName
    """`evader` is the Fugitive, `pursuers` the Marshal."""
    pile: str
    """The name of the pile, as in moves: `draw:low`."""


class CardDrawn(TypedDict):
    """Which card it was; only who drew it reads this."""

    card: Count
    """Its number."""


Named = TypedDict(
    "Named",
    {
        "as": Annotated[str, one_word_of("hideout", "sprint", "guess"), Meta(description="What the number is for.")],
        "card": Annotated[Count, Meta(description="The number.")],
    },
)
Named.__doc__ = "A step of your own that the other seat does not see yet."


class Placed(TypedDict):
    """The Fugitive has placed a hideout, or the escape card."""

    position: Count
    """Its place in the row, counted from 1."""
    sprints: Count
    """How many sprint cards lie under it."""
    card: Count | None
    """Its number if it lies face up, which only the escape card does; else null."""


class Passed(TypedDict):
    """The Fugitive placed nothing."""

    round: Count
    """In which round."""


class Guessed(TypedDict):
    """The Marshal guessed."""

    round: Count
    """In which round."""
    numbers: list[Count]
    """What she named, ascending; empty if she did not guess."""
    hit: bool
    """True if all of them were face-down hideouts."""


class Revealed(TypedDict):
    """A hideout was turned up."""

    position: Count
    """Its place in the row, counted from 1."""
    card: Count
    """Its number."""
    sprints: list[Count]
    """The sprint cards under it."""


class RowCard(TypedDict):
    """One position of the row after the end."""

    card: Count
    """Its number."""
    sprints: list[Count]
    """The sprint cards under it."""


class Over(TypedDict):
    """The game is over, and all cards are shown."""

    outcome: OutcomeText
    """Who won and how."""
    row: list[RowCard]
    """The row, in the order in which it was placed."""
    fugitive: list[Count]
    """The Fugitive's hand."""
    marshal: list[Count]
    """The Marshal's hand."""


VIEW = ViewMessage
SEATS = {
    "evader": {"fugitive": list[Count], "marshal": None, "guess_mask": None},
    "pursuers": {"fugitive": None, "marshal": list[Count], "guess_mask": list[Bit]},
}
EVENTS: dict[str, EventKind] = {
    "begun": event_kind(Begun),
    "hand": event_kind(Hand, to="evader"),
    "drew": event_kind(Drew),
    "card": event_kind(CardDrawn),
    "named": event_kind(Named),
    "placed": event_kind(Placed),
    "passed": event_kind(Passed),
    "guessed": event_kind(Guessed),
    "revealed": event_kind(Revealed),
    "over": event_kind(Over),
}
