"""How a game declares what its views and events look like as JSON; the schema of the bot protocol is made from it.

A game's part `messages` is a module with `VIEW`, the TypedDict that `view_to_json` returns; `EVENTS`, the kinds of
events by name; and, where seats differ, `SEATS`: the fields of the view that are narrower for a seat. The texts below
the fields become the descriptions in the schema, so a bot's author reads what the annotation cannot say.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

from msgspec import Meta

from manhunt.core.ids import PLAYERS
from manhunt.core.outcome import FORFEITS, Termination

Label = Annotated[str, Meta(min_length=1)]
"""A node as it is printed on the board: always a string, also where it looks like a number."""
Count = Annotated[int, Meta(ge=0)]


def words_of(kind: type[Enum]) -> Meta:
    """`Annotated[str, words_of(Phase)]`: one of the values of an enum."""
    return Meta(extra_json_schema={"enum": [member.value for member in kind]})


def one_word_of(*words: str) -> Meta:
    """`Annotated[str, one_word_of("open", "closed")]`."""
    return Meta(extra_json_schema={"enum": list(words)})


SeatName = Annotated[str, one_word_of(*(seat.value for seat in PLAYERS))]
"""`evader` or `pursuers`."""
_SIDES, _ENDS, _WHYS = (
    "|".join(words) for words in (("evader", "pursuers"), (end.value for end in Termination), FORFEITS)
)
OutcomeText = Annotated[str, Meta(pattern=rf"^({_SIDES}) ({_ENDS})( [0-9.e+-]+)?( ({_WHYS}))?$")]
"""Who won and how, then the cost where the game has one: `evader survival`, `evader arrival 5.5`."""


@dataclass(frozen=True, slots=True)
class EventKind:
    """One kind of event: the TypedDicts of its body, several if it has several forms."""

    forms: tuple[Any, ...]
    readers: tuple[str, ...] = tuple(seat.value for seat in PLAYERS)
    """The seats that may ever read it; to all others it is its number alone."""


def event_kind(*forms: Any, to: str | None = None) -> EventKind:
    """`event_kind(Hand, to="evader")`: a kind that one seat alone may read."""
    return EventKind(forms) if to is None else EventKind(forms, (to,))
