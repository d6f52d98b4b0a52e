"""Fugitive small enough for exact algorithms: two rounds, one pile; the preset `mini` is the next larger game."""

from collections.abc import Mapping
from typing import Any

MINIATURES: Mapping[str, Mapping[str, Any]] = {
    name: {
        "last": last,
        "piles": ((2, last - 1),),
        "dealt": (1,),
        "reach": 2,
        "manhunt_below": last - 1,
        "first_draws": 1,
        "max_rounds": 2,
    }
    for name, last in (("tiny", 4), ("small", 5))
}
