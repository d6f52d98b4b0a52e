"""Events as sentences, for the seat that may read them."""

from collections.abc import Mapping, Sequence
from typing import Any

from manhunt.core.ids import Seat
from manhunt.core.outcome import FORFEITS
from manhunt.core.registry import make_game
from manhunt.play.event_words import event_words
from manhunt.play.record import GAVE_UP

_REFEREE = ("commitment", "fault", "forfeit", "end", "pass by rule", "stand-in")
"""Events of the referee, which every game has."""


def sentences_of(game: str, events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The events that a seat may read in a few words each, as far as there is something to say."""
    found = [_referee(game, event) if event["t"] in _REFEREE else event_words(game, event) for event in events]
    return [sentence for sentence in found if sentence]


def _referee(game: str, event: Mapping[str, Any]) -> str | None:
    called = make_game(game).called
    if event["t"] == "forfeit":
        who = called(Seat(event["seat"]))
        return f"{who} {FORFEITS.get(event['why'], 'lost by forfeit: ' + event['why'])}"
    if event["t"] == "stand-in":
        how = "an agent moved" if event["policy"] == "agent" else "a random move was made"
        return f"{called(Seat(event['seat']))} {FORFEITS.get(event['why'], 'failed')}; {how} instead"
    if event["t"] == "pass by rule":
        return f"{called(Seat(event['seat']))} must pass: {event['why']}"
    return str(event["detail"]) if event["t"] == "fault" and event["detail"] != GAVE_UP else None
