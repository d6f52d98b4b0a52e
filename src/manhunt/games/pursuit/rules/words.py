"""Events of Pursuit in a few words."""

from collections.abc import Mapping
from typing import Any


def tell(event: Mapping[str, Any]) -> str | None:
    """An event of any seat's list in words."""
    kind, at = event["t"], event.get("at")
    if kind == "detectives":
        return f"detectives on {' '.join(at)}" if at else None
    if kind == "quarry":
        return f"Mr X on {at}" if at else None
    if kind == "sighting":
        return f"Mr X is seen on {at}" if at else None
    if "pieces" in event:
        return f"detectives go to {' '.join(event['to'])}"
    who = "Mr X" if event["piece"] == "quarry" else f"d{event['piece']}"
    return f"{who} goes to {event['to']}"
