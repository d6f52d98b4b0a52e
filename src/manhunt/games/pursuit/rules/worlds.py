"""Other worlds that one seat cannot tell from the true one, for the leak certificate."""

from collections.abc import Iterator
from typing import Any

from manhunt.core.game import Setup
from manhunt.core.ids import Seat


def setups(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """The quarry elsewhere; where pieces are placed in play there is but one setup."""
    if seat is Seat.EVADER or not setup:
        return
    for label in config.board.labels:
        yield {**setup, "mrx": label}
