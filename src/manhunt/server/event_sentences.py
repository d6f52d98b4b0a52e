"""Events as sentences, for the seat that may read them."""

from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.core.registry import make_game
from manhunt.play.event_words import event_words, referee_words
from manhunt.play.record import GAVE_UP

_REFEREE = ("commitment", "fault", "forfeit", "end", "pass by rule", "stand-in")
"""Events of the referee, which every game has."""


def sentences_of(game: str, events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The events that a seat may read in a few words each, as far as there is something to say."""
    found = [_referee(game, event) if event["t"] in _REFEREE else event_words(game, event) for event in events]
    return [sentence for sentence in found if sentence]


def _referee(game: str, event: Mapping[str, Any]) -> str | None:
    if event["t"] == "fault":
        return str(event["detail"]) if event["detail"] and event["detail"] != GAVE_UP else None
    return referee_words(make_game(game), event)
