"""Events of Scotland Yard in a few words."""

from collections.abc import Iterable, Mapping
from typing import Any


def tell(event: Mapping[str, Any]) -> str | None:
    """An event of any seat's list in words."""
    kind = event["t"]
    if kind == "detectives":
        return f"detectives: {_placed(event['detectives'])}"
    if kind == "mrx":
        held = ", ".join(f"{count} {name}" for name, count in event["tickets"].items() if count)
        starts = f"; he starts from {' '.join(event['starts'])}" if event["starts"] else ""
        return f"Mr X has {held or 'no tickets'}{starts}"
    if kind == "quarry":
        return f"Mr X is on {event['at']}"
    if kind == "double":
        return "Mr X makes a double move"
    if kind == "logged":
        seen = "" if event["at"] is None else f", seen on {event['at']}"
        return f"Mr X pays {event['ticket']} in round {event['round']}{seen}"
    if kind == "moved":
        return f"{event['piece']} goes by {event['ticket']} to {event['to']}"
    return None if event.get("quarry") is None else f"Mr X was on {event['quarry']}"


def _placed(detectives: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(f"{d['piece']} on {d['at']}" for d in detectives)
