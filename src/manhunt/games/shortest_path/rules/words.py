"""Events of Adversarial Shortest Path in a few words."""

from collections.abc import Mapping
from typing import Any

from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.labels import cost_text


def tell(event: Mapping[str, Any]) -> str | None:
    """None for events that are not of this game."""
    kind = event.get("t")
    if kind == "begun":
        return f"traveller on {event['at']}, target {event['target']}, rule {event['rule']}"
    if kind == "moved":
        paid = f"{cost_text(event['cost'])}, {cost_text(event['total'])} in all"
        return f"traveller goes {event['from']}-{event['to']} for {paid}"
    if kind == "raised":
        return f"adversary raises {event['from']}-{event['to']} to {cost_text(event['cost'])}"
    if kind == "passed":
        return f"{'traveller' if event['seat'] == Seat.EVADER.value else 'adversary'} passes"
    return None
