"""Events of Adversarial Shortest Path in a few words."""

from collections.abc import Mapping
from typing import Any

from manhunt.core.ids import Seat


def tell(event: Mapping[str, Any]) -> str | None:
    """None for events that are not of this game."""
    kind = event.get("t")
    if kind == "begun":
        return f"traveller on {event['at']}, target {event['target']}, rule {event['rule']}"
    if kind == "moved":
        return f"traveller goes {event['from']}-{event['to']} for {event['cost']:g}, {event['total']:g} in all"
    if kind == "raised":
        return f"adversary raises {event['from']}-{event['to']} to {event['cost']:g}"
    if kind == "passed":
        return f"{'traveller' if event['seat'] == Seat.EVADER.value else 'adversary'} passes"
    return None
