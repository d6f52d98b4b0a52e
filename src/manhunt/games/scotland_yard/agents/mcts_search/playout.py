"""Epsilon-greedy games to the end: Mr X runs from the nearest detective, detectives run to where he is assumed."""

from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Bytes, Int32s, Words
from manhunt.core.jit import kernel
from manhunt.core.kernel_random import LOW, U32, next_bits
from manhunt.games.scotland_yard.rules import packed
from manhunt.games.scotland_yard.rules.kernels import CAPTURED, GOES_ON, outcome
from manhunt.games.scotland_yard.rules.packed import FareTable

SECRET_BIT = 8
FAR = 255


class Habits(NamedTuple):
    """How games are played out: `epsilon` is the chance of a random move, as a fraction of 2**32."""

    distance: Bytes
    epsilon: int


@kernel
def flee(table: FareTable, state: Int32s, habits: Habits, bits: np.uint64) -> int:
    """A single move of Mr X that leads far from the nearest detective, for one who can move.

    Secret tickets are for want of others. Equally good moves are told apart by where the random bits begin to look;
    a random move is the first free one from there.
    """
    is_random = np.int64(bits & LOW) < habits.epsilon
    node, held = state[packed.QUARRY], state[packed.HELD] & ~SECRET_BIT
    best, chosen = 0, -1
    for _attempt in range(2):
        first = table.indptr[held, node]
        n = table.indptr[held, node + 1] - first
        turn = int(np.int64((bits >> U32) * np.uint64(n) >> U32))
        for _ in range(n):
            fare = int(table.fares[first + turn])
            turn = turn + 1 if turn + 1 < n else 0
            hops = FAR
            for i in range(table.n_detectives):
                hops = min(hops, int(habits.distance[fare >> 8, state[packed.PLACES + i]]))
            if hops > best:
                best, chosen = hops, fare
                if is_random:
                    break
        if chosen >= 0:
            break
        held = state[packed.HELD]
    return chosen


@kernel
def chase(table: FareTable, state: Int32s, habits: Habits, seat: int, goal: int, bits: np.uint64) -> int:
    """A detective's move towards the goal; -1 if he has none."""
    is_random = np.int64(bits & LOW) < habits.epsilon
    node, held = state[packed.PLACES + seat - 1], state[packed.HELD + seat]
    first = table.indptr[held, node]
    n = table.indptr[held, node + 1] - first
    turn = int(np.int64((bits >> U32) * np.uint64(n) >> U32))
    best, chosen = FAR + 1, -1
    for _ in range(n):
        fare = int(table.fares[first + turn])
        turn = turn + 1 if turn + 1 < n else 0
        to = fare >> 8
        hops = 0 if is_random else int(habits.distance[goal, to])
        if hops < best:
            taken = (state[packed.PLACES] == to) | (state[packed.PLACES + 1] == to) | (state[packed.PLACES + 2] == to)
            if not (taken | (state[packed.PLACES + 3] == to) | (state[packed.PLACES + 4] == to)):
                best, chosen = hops, fare | seat
                if hops == 0:
                    break
    return chosen


@kernel
def stray(table: FareTable, state: Int32s, node: int, bits: np.uint64) -> int:
    """A random step from where the detectives assume Mr X; the same node if there is none."""
    held = state[packed.HELD] & ~SECRET_BIT
    first = table.indptr[held, node]
    n = table.indptr[held, node + 1] - first
    if n == 0:
        return node
    return int(table.fares[first + np.int64((bits >> U32) * np.uint64(n) >> U32)]) >> 8


@kernel
def run_mrx(table: FareTable, state: Int32s, action: int) -> None:
    """Must equal `kernels.advance` for a single move of Mr X."""
    slot, ticket = state[packed.N_LOGGED], action >> 3 & 3
    state[packed.LOG + 2 * slot] = ticket
    state[packed.LOG + 2 * slot + 1] = action >> 8 if table.shown[slot] else packed.NO_NODE
    state[packed.N_LOGGED] = slot + 1
    state[packed.QUARRY] = action >> 8
    state[packed.TICKETS + ticket] -= 1
    if state[packed.TICKETS + ticket] == 0:
        state[packed.HELD] &= ~(1 << ticket)
    state[packed.WAITING] = (1 << table.n_detectives) - 1


@kernel
def run_detective(state: Int32s, action: int) -> None:
    """Must equal `kernels.move_detective`."""
    seat, ticket = action & 7, action >> 3 & 3
    state[packed.PLACES + seat - 1] = action >> 8
    at = packed.TICKETS + 5 * seat + ticket
    state[at] -= 1
    if state[at] == 0:
        state[packed.HELD + seat] &= ~(1 << ticket)
    state[packed.TICKETS + ticket] += 1
    state[packed.HELD] |= 1 << ticket
    state[packed.WAITING] &= ~(1 << (seat - 1))


@kernel
def play_out(table: FareTable, state: Int32s, habits: Habits, assumed: int, rng: Words) -> tuple[int, int]:
    """Play a game that goes on to its end in place; the outcome's code and the seat that caught Mr X, else 0.

    The detectives run to the `assumed` node, which strays as Mr X moves and is his own in shown rounds; if it is
    NO_NODE they know where he is. Calls kernels that call none themselves, save once a turn: a call within a call
    costs a reference count for each array.
    """
    knows = assumed == packed.NO_NODE
    while True:
        if state[packed.WAITING] == 0:
            action = flee(table, state, habits, next_bits(rng))
            is_shown = table.shown[state[packed.N_LOGGED]]
            run_mrx(table, state, action)
            if not knows:
                assumed = state[packed.QUARRY] if is_shown else stray(table, state, assumed, next_bits(rng))
        goal = state[packed.QUARRY] if knows else assumed
        seat = 1
        while seat <= table.n_detectives:
            if state[packed.WAITING] >> (seat - 1) & 1:
                action = chase(table, state, habits, seat, goal, next_bits(rng))
                if action >= 0:
                    run_detective(state, action)
                    if action >> 8 == state[packed.QUARRY]:
                        return CAPTURED, seat
                    if state[packed.WAITING] & ((1 << seat) - 1):  # a way may have cleared for one who was blocked
                        seat = 0
            seat += 1
        state[packed.WAITING] = 0
        code = outcome(table, state)
        if code != GOES_ON:
            return code, 0
