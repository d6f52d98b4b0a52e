"""The worlds a search draws from, where only the place of one piece is hidden: its possible places by weight."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s, Words
from manhunt.core.ids import Node
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import next_bits

U11 = np.uint64(11)
UNIT = 1.0 / (1 << 53)


class PlaceWeights(NamedTuple):
    """Where the piece may be, and the sums of the weights so far; the last sum is the total."""

    places: Int32s
    sums: Floats


def known_place(node: Node) -> PlaceWeights:
    return PlaceWeights(np.array([node], np.int32), np.ones(1))


def no_place() -> PlaceWeights:
    return PlaceWeights(np.zeros(0, np.int32), np.zeros(0))


def even_worlds(candidates: Iterable[Node]) -> PlaceWeights:
    places = np.array(sorted(candidates), np.int32)
    return PlaceWeights(places, np.arange(1.0, len(places) + 1.0))


@kernel
def draw_place(worlds: PlaceWeights, rng: Words) -> int:
    """A place by its weight."""
    last = len(worlds.places) - 1
    if last == 0:
        return int(worlds.places[0])
    x = np.float64(next_bits(rng) >> U11) * UNIT * worlds.sums[last]
    low, high = 0, last
    while low < high:
        mid = (low + high) >> 1
        if worlds.sums[mid] > x:
            high = mid
        else:
            low = mid + 1
    return int(worlds.places[low])
