"""Which moves a search considers: the next detective's in the order of seats, Mr X's less those not worth a look."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.scotland_yard.kernels import doubles, doubles_allowed, singles
from manhunt.games.scotland_yard.packed import DOUBLE_BIT, N_LOGGED, PLACES, QUARRY, WAITING, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

SECRET = 3


class Filter(NamedTuple):
    """Mr X pays no secret ticket before round `first_secret`, in shown rounds, or where `only_taxis` go.

    He makes a double move only while the mean distance of the detectives is at most `near`. Nothing is filtered if
    `is_on` is 0, nor where all moves would be.
    """

    is_on: int
    first_secret: int
    near: float
    only_taxis: NDArray[np.uint8]
    distance: NDArray[np.uint8]


@kernel
def list_moves(table: Table, state: NDArray[np.int32], sieve: Filter, out: NDArray[np.int64]) -> int:
    """Write the moves to be considered in a game that goes on; return how many, at least one."""
    if state[WAITING]:
        return list_detective(table, state, out)
    n = singles(table, state, 0, out, 0)
    if doubles_allowed(table, state) and (not sieve.is_on or mean_distance(table, state, sieve.distance) <= sieve.near):
        n = doubles(table, state, out, n)
    if not sieve.is_on:
        return n
    kept = 0
    for k in range(n):
        if is_worth(table, state, sieve, out[k]):
            out[kept] = out[k]
            kept += 1
    return kept if kept else singles(table, state, 0, out, 0)


@kernel
def list_detective(table: Table, state: NDArray[np.int32], out: NDArray[np.int64]) -> int:
    """The moves of the first detective who has not moved and can."""
    for i in range(table.n_detectives):
        if state[WAITING] >> i & 1:
            n = singles(table, state, i + 1, out, 0)
            if n:
                return n
    return 0


@kernel
def mean_distance(table: Table, state: NDArray[np.int32], distance: NDArray[np.uint8]) -> float:
    total = 0
    for i in range(table.n_detectives):
        total += distance[state[PLACES + i], state[QUARRY]]
    return total / table.n_detectives


@kernel
def is_worth(table: Table, state: NDArray[np.int32], sieve: Filter, action: int) -> bool:
    """Whether no step of Mr X's action wastes a secret ticket."""
    slot = state[N_LOGGED]
    if action >> 3 & 3 == SECRET and wastes_secret(table, sieve, slot, state[QUARRY]):
        return False
    if action & DOUBLE_BIT and action >> 6 & 3 == SECRET:
        return not wastes_secret(table, sieve, slot + 1, action >> 8 & 0xFFFF)
    return True


@kernel
def wastes_secret(table: Table, sieve: Filter, slot: int, node: int) -> bool:
    return bool((slot + 1 < sieve.first_secret) | (table.shown[slot] != 0) | (sieve.only_taxis[node] != 0))
