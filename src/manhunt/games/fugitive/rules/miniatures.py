"""Fugitive small enough for exact algorithms; the preset `mini` is the next larger one."""

from collections.abc import Mapping
from typing import Any

MINIATURES: Mapping[str, Mapping[str, Any]] = {
    name: {
        "last": last,
        "piles": ((3, last - 1),),
        "dealt": (1,),
        "reach": 2,
        "manhunt_below": last - 1,
        "first_draws": 1,
        "max_rounds": 3,
    }
    for name, last in (("tiny", 5), ("small", 6))
}
