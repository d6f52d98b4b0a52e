"""Other worlds that one seat cannot tell from the true one, for the leak certificate."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from manhunt.core.game import Setup
from manhunt.core.ids import Seat


def setups(config: Any, setup: Setup, seat: Seat) -> Iterator[Setup]:
    """Two cards of a pile exchanged: among its undrawn ones, for the Marshal with the dealt ones as well."""
    for pile, (dealt, rest) in enumerate(zip(setup["dealt"], setup["piles"], strict=True)):
        n_dealt = len(dealt)
        for i, j in combinations(range(n_dealt + len(rest)), 2):
            if j < n_dealt or (i < n_dealt and seat is Seat.EVADER):
                continue
            cards = [*dealt, *rest]
            cards[i], cards[j] = cards[j], cards[i]
            parts = {"dealt": cards[:n_dealt], "piles": cards[n_dealt:]}
            yield {
                key: [part if k == pile else each for k, each in enumerate(setup[key])] for key, part in parts.items()
            }


def may_look_alike(action: Any, other: Any) -> bool:
    """In Fugitive everybody sees what kind of step was made, and which pile was drawn from."""
    return type(action) is type(other) and getattr(action, "pile", None) == getattr(other, "pile", None)
