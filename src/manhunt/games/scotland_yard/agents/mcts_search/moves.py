"""Which moves a search considers: the next detective's in the order of seats, Mr X's less those not worth a look.

Also how a search groups them: by what everybody learns of them, and by what their history is kept under.
"""

from typing import NamedTuple

from manhunt.core.arrays import Bytes, Int32s, Int64s
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.rules.kernels import doubles, doubles_allowed, singles
from manhunt.games.scotland_yard.rules.packed import DOUBLE_BIT, N_LOGGED, PLACES, QUARRY, WAITING, FareTable

SECRET = 3
HISTORY_KINDS = 24 + 16
"""For each node: kinds of single moves by seat and ticket, and of double moves by their two tickets."""


class Filter(NamedTuple):
    """Mr X pays no secret ticket before round `first_secret`, in shown rounds, or where `only_taxis` go.

    He makes a double move only while the mean distance of the detectives is at most `near`. Nothing is filtered if
    `is_on` is 0, nor where all moves would be.
    """

    is_on: int
    first_secret: int
    near: float
    only_taxis: Bytes
    distance: Bytes


@kernel
def list_moves(table: FareTable, state: Int32s, sieve: Filter, out: Int64s) -> int:
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
def list_detective(table: FareTable, state: Int32s, out: Int64s) -> int:
    """The moves of the first detective who has not moved and can."""
    for i in range(table.n_detectives):
        if state[WAITING] >> i & 1:
            n = singles(table, state, i + 1, out, 0)
            if n:
                return n
    return 0


@kernel
def mean_distance(table: FareTable, state: Int32s, distance: Bytes) -> float:
    total = 0
    for i in range(table.n_detectives):
        total += distance[state[PLACES + i], state[QUARRY]]
    return total / table.n_detectives


@kernel
def is_worth(table: FareTable, state: Int32s, sieve: Filter, action: int) -> bool:
    """Whether no step of Mr X's action wastes a secret ticket."""
    slot = state[N_LOGGED]
    if action >> 3 & 3 == SECRET and wastes_secret(table, sieve, slot, state[QUARRY]):
        return False
    if action & DOUBLE_BIT and action >> 6 & 3 == SECRET:
        return not wastes_secret(table, sieve, slot + 1, action >> 8 & 0xFFFF)
    return True


@kernel
def wastes_secret(table: FareTable, sieve: Filter, slot: int, node: int) -> bool:
    return bool((slot + 1 < sieve.first_secret) | (table.shown[slot] != 0) | (sieve.only_taxis[node] != 0))


@kernel
def public_key(table: FareTable, state: Int32s, action: int) -> int:
    """What everybody learns of an action, as a number: all of a detective's, of Mr X's tickets and shown places."""
    if action & 7:
        return action
    key = action & 0xFF
    slot = state[N_LOGGED]
    if table.shown[slot]:
        key |= action & 0xFFFF00
    else:
        key |= 0xFFFF00
    if action & DOUBLE_BIT:
        if table.shown[slot + 1]:
            key |= (action >> 24) << 24
        else:
            key |= 0xFFFF << 24
    return key


@kernel
def history_of(n_nodes: int, action: int) -> int:
    """Where the history keeps an action: by seat, tickets and last destination."""
    if action & DOUBLE_BIT:
        return (24 + (action >> 3 & 3) * 4 + (action >> 6 & 3)) * n_nodes + (action >> 24)
    return ((action & 7) * 4 + (action >> 3 & 3)) * n_nodes + (action >> 8)
