"""Other worlds that one seat cannot tell from the true one, for the leak certificate."""

from collections.abc import Iterator, Mapping
from typing import Any

from manhunt.core.game import Setup
from manhunt.core.ids import Seat


def setups(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """Mr X elsewhere: on another start place, or on any node if the setup was free."""
    if seat is Seat.EVADER:
        return
    free = setup.get("free", True)
    mrx = setup["mrx"] if isinstance(setup["mrx"], Mapping) else {"at": setup["mrx"]}
    for label in config.board.labels if free or not config.mrx_starts else config.mrx_starts:
        yield {**setup, "mrx": {**mrx, "at": label}, "free": free}


def may_look_alike(action: Any, other: Any) -> bool:
    """Moves of Scotland Yard with other tickets need not be tried: everybody sees those."""
    names = ("ticket", "ticket1", "ticket2")
    return all(getattr(action, name, None) == getattr(other, name, None) for name in names)
