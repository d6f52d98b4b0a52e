"""Events of Pursuit in a few words."""

from collections.abc import Mapping
from typing import Any

COLOURS = ("red", "green", "blue", "white", "yellow")
"""Of the detectives' pieces, in the order of all drawings; the sixth is `red 6`."""


def detective_name(index: int) -> str:
    colour = COLOURS[index % len(COLOURS)]
    return colour if index < len(COLOURS) else f"{colour} {index + 1}"


def detective_letter(index: int) -> str:
    """As on the piece: `R`; of the sixth `6`."""
    return COLOURS[index][0].upper() if index < len(COLOURS) else str(index + 1)


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
    who = "Mr X" if event["piece"] == "quarry" else detective_name(event["piece"])
    return f"{who} goes to {event['to']}"
