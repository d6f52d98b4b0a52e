"""Epsilon-greedy games to the end: Mr X runs from the nearest detective, detectives run to where he is assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.scotland_yard.kernels import CAPTURED, GOES_ON, log_step, move_detective, outcome
from manhunt.games.scotland_yard.packed import HELD, PLACES, QUARRY, WAITING, Table
from manhunt.games.scotland_yard.playouts import LOW, U32, next_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

SECRET_BIT = 8
FAR = 255


class Habits(NamedTuple):
    """How games are played out: `epsilon` is the chance of a random move, as a fraction of 2**32."""

    distance: NDArray[np.uint8]
    epsilon: int


@kernel
def nearest(distance: NDArray[np.uint8], state: NDArray[np.int32], n: int, node: int) -> int:
    """Hops from a node to the nearest detective; 0 where one stands."""
    least = distance[state[PLACES], node]
    for i in range(1, n):
        least = min(least, distance[state[PLACES + i], node])
    return int(least)


@kernel
def flee(table: Table, state: NDArray[np.int32], habits: Habits, rng: NDArray[np.uint64]) -> int:
    """A single move of Mr X, without a secret ticket if he has another way; NONE is never needed: he can move."""
    bits = next_bits(rng)
    is_random = np.int64(bits & LOW) < habits.epsilon
    spin = bits >> U32
    node = state[QUARRY]
    held = state[HELD] & ~SECRET_BIT
    for _attempt in range(2):
        first = table.indptr[held, node]
        n = table.indptr[held, node + 1] - first
        best, chosen = 0, -1
        turn = np.int64(spin * np.uint64(n) >> U32)
        for _ in range(n):
            at = first + turn
            turn = turn + 1 if turn + 1 < n else 0
            to = table.fares[at] >> 8
            hops = nearest(habits.distance, state, table.n_detectives, to)
            if hops > best:
                best, chosen = hops, int(table.fares[at])
                if is_random:
                    break
        if chosen >= 0:
            return chosen
        held = state[HELD]
    return -1


@kernel
def chase(table: Table, state: NDArray[np.int32], habits: Habits, seat: int, goal: int, rng: NDArray[np.uint64]) -> int:
    """A detective's move, towards the goal; -1 if he has none."""
    bits = next_bits(rng)
    is_random = np.int64(bits & LOW) < habits.epsilon
    node, held = state[PLACES + seat - 1], state[HELD + seat]
    first = table.indptr[held, node]
    n = table.indptr[held, node + 1] - first
    turn = np.int64((bits >> U32) * np.uint64(n) >> U32)
    best, chosen = FAR + 1, -1
    for _ in range(n):
        at = first + turn
        turn = turn + 1 if turn + 1 < n else 0
        to = table.fares[at] >> 8
        hops = 0 if is_random else int(habits.distance[goal, to])
        if hops < best:
            is_free = True
            for i in range(table.n_detectives):
                is_free = is_free & (state[PLACES + i] != to)
            if is_free:
                best, chosen = hops, int(table.fares[at]) | seat
                if hops == 0:
                    break
    return chosen


@kernel
def play_out(table: Table, state: NDArray[np.int32], habits: Habits, rng: NDArray[np.uint64]) -> tuple[int, int]:
    """Play a game that goes on to its end in place; the outcome's code and the seat that caught Mr X, else 0."""
    while True:
        if state[WAITING] == 0:
            action = flee(table, state, habits, rng)
            log_step(table, state, action >> 3 & 3, action >> 8)
            state[WAITING] = (1 << table.n_detectives) - 1
        seat = 1
        while seat <= table.n_detectives:
            if state[WAITING] >> (seat - 1) & 1:
                action = chase(table, state, habits, seat, state[QUARRY], rng)
                if action >= 0:
                    move_detective(state, action)
                    if action >> 8 == state[QUARRY]:
                        return CAPTURED, seat
                    if state[WAITING] & ((1 << seat) - 1):  # a way may have cleared for one who was blocked
                        seat = 0
            seat += 1
        state[WAITING] = 0
        code = outcome(table, state)
        if code != GOES_ON:
            return code, 0
