"""Events in a few words: as the game tells them, else in general words from their kind and body."""

from collections.abc import Mapping
from typing import Any

from manhunt.core.game import AnyGame
from manhunt.core.ids import Seat
from manhunt.core.outcome import FORFEITS
from manhunt.core.registry import kit_of

_NOT_TOLD = ("v", "t")


def event_words(game: str, event: Mapping[str, Any]) -> str | None:
    """An event as a seat reads it, in words; None where it is hidden or there is nothing to say."""
    if "t" not in event:
        return None
    words = kit_of(game).part("words")
    if words is None:
        return general_words(event)
    sentence: str | None = words.tell(event)
    return sentence


def referee_words(game: AnyGame, event: Mapping[str, Any]) -> str | None:
    """What the referee did, in words; None for other events."""
    kind = event.get("t")
    if kind not in ("forfeit", "stand-in", "pass by rule"):
        return None
    who, why = game.called(Seat(event["seat"])), str(event["why"])
    if kind == "forfeit":
        return f"{who} {FORFEITS.get(why, f'lost by forfeit: {why}')}"
    if kind == "stand-in":
        how = "an agent moved" if event["policy"] == "agent" else "a random move was made"
        return f"{who} {FORFEITS.get(why, 'failed')}; {how} instead"
    return f"{who} must pass: {why}"


def general_words(event: Mapping[str, Any]) -> str:
    """`moved: piece 0, to 12`; what is None is left out."""
    facts = [f"{name} {_plain(value)}" for name, value in event.items() if name not in _NOT_TOLD and value is not None]
    kind = str(event["t"])
    return f"{kind}: {', '.join(facts)}" if facts else kind


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return " ".join(f"{name} {_plain(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value)) or "none"
    return str(value)
