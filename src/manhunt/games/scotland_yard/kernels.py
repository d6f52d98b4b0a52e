"""The rules of Scotland Yard again, compiled; must equal `rules.py`. Nothing here checks its input."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.games.jit import kernel
from manhunt.games.scotland_yard.packed import (
    DOUBLE_BIT,
    HELD,
    LOG,
    N_LOGGED,
    NO_NODE,
    PLACES,
    QUARRY,
    TICKETS,
    WAITING,
    Table,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

GOES_ON, CAPTURED, SURVIVED, EXHAUSTED, STRANDED = range(5)
DOUBLE = 4
TICKET_BITS = 0b11000
U0, U1 = np.uint64(0), np.uint64(1)


@kernel
def is_blocked(state: NDArray[np.int32], node: int) -> bool:
    """Whether a detective stands there; no loop, for speed (absent detectives are on NO_NODE)."""
    one = state[PLACES] == node
    two = (state[PLACES + 1] == node) | (state[PLACES + 2] == node)
    return bool(one | two | (state[PLACES + 3] == node) | (state[PLACES + 4] == node))


@kernel
def can_move(table: Table, state: NDArray[np.int32], seat: int) -> bool:
    node = state[PLACES + seat - 1] if seat else state[QUARRY]
    held = state[HELD + seat]
    for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
        if not is_blocked(state, table.fares[k] >> 8):
            return True
    return False


@kernel
def outcome(table: Table, state: NDArray[np.int32]) -> int:
    """Paragraph 14: the code of the end, 0 while the game goes on."""
    code = EXHAUSTED
    for seat in range(1, table.n_detectives + 1):
        if can_move(table, state, seat):
            code = GOES_ON
            break
    is_mrx_turn = state[WAITING] == 0
    if is_mrx_turn & (code == GOES_ON):
        code = GOES_ON if can_move(table, state, 0) else STRANDED
    if is_mrx_turn & (state[N_LOGGED] == len(table.shown)):
        code = SURVIVED
    if is_blocked(state, state[QUARRY]):
        code = CAPTURED
    return code


@kernel
def doubles_allowed(table: Table, state: NDArray[np.int32]) -> bool:
    return bool((state[TICKETS + DOUBLE] > 0) & (len(table.shown) - state[N_LOGGED] >= 2))


@kernel
def legal(table: Table, state: NDArray[np.int32], out: NDArray[np.int64]) -> int:
    """Write all actions to `out` in the order of the rules; return how many."""
    if outcome(table, state) != GOES_ON:
        return 0
    return offered(table, state, out)


@kernel
def offered(table: Table, state: NDArray[np.int32], out: NDArray[np.int64]) -> int:
    """As `legal`, for a game that is known to go on."""
    if state[WAITING] == 0:
        n = singles(table, state, 0, out, 0)
        return doubles(table, state, out, n) if doubles_allowed(table, state) else n
    n = 0
    for i in range(table.n_detectives):
        if state[WAITING] >> i & 1:
            n = singles(table, state, i + 1, out, n)
            if table.seated and n:
                break
    return n


@kernel
def singles(table: Table, state: NDArray[np.int32], seat: int, out: NDArray[np.int64], n: int) -> int:
    """Paragraph 8: append to the first n actions; return how many there are then."""
    node = state[PLACES + seat - 1] if seat else state[QUARRY]
    held = state[HELD + seat]
    for k in range(table.indptr[held, node], table.indptr[held, node + 1]):
        if not is_blocked(state, table.fares[k] >> 8):
            out[n] = table.fares[k] | seat
            n += 1
    return n


@kernel
def doubles(table: Table, state: NDArray[np.int32], out: NDArray[np.int64], n_singles: int) -> int:
    """Paragraph 9: extend the single moves in `out`."""
    held = state[HELD]
    n = n_singles
    for first in range(n_singles):
        mid = out[first] >> 8
        for k in range(table.indptr[held, mid], table.indptr[held, mid + 1]):
            action = joined(int(out[first]), int(table.fares[k]))
            if may_join(state, action):
                out[n] = action
                n += 1
    return n


@kernel
def joined(first: int, second: int) -> int:
    """The double move of two single moves of Mr X."""
    return first | DOUBLE_BIT | (second & TICKET_BITS) << 3 | (second >> 8) << 24


@kernel
def may_join(state: NDArray[np.int32], action: int) -> bool:
    """Whether the second step of a double move is free and both tickets are there."""
    ticket = action >> 3 & 3
    if ticket == action >> 6 & 3 and state[TICKETS + ticket] < 2:
        return False
    return not is_blocked(state, action >> 24)


@kernel
def advance(table: Table, state: NDArray[np.int32], action: int) -> None:
    """Change the state in place as a legal action does (paragraphs 10, 12 and 13)."""
    if action & 7:
        move_detective(state, action)
        pass_over(table, state)
    else:
        move_mrx(table, state, action)


@kernel
def move_detective(state: NDArray[np.int32], action: int) -> None:
    seat, ticket = action & 7, action >> 3 & 3
    state[PLACES + seat - 1] = action >> 8
    pay(state, seat, ticket)
    state[TICKETS + ticket] += 1
    state[HELD] |= 1 << ticket
    state[WAITING] &= ~(1 << (seat - 1))


@kernel
def move_mrx(table: Table, state: NDArray[np.int32], action: int) -> None:
    log_step(table, state, action >> 3 & 3, action >> 8 & 0xFFFF)
    if action & DOUBLE_BIT:
        state[TICKETS + DOUBLE] -= 1
        log_step(table, state, action >> 6 & 3, action >> 24)
    state[WAITING] = (1 << table.n_detectives) - 1


@kernel
def log_step(table: Table, state: NDArray[np.int32], ticket: int, to: int) -> None:
    slot = state[N_LOGGED]
    state[LOG + 2 * slot] = ticket
    state[LOG + 2 * slot + 1] = to if table.shown[slot] else NO_NODE
    state[N_LOGGED] = slot + 1
    state[QUARRY] = to
    pay(state, 0, ticket)


@kernel
def pay(state: NDArray[np.int32], seat: int, ticket: int) -> None:
    at = TICKETS + 5 * seat + ticket
    state[at] -= 1
    if state[at] == 0:
        state[HELD + seat] &= ~(1 << ticket)


@kernel
def pass_over(table: Table, state: NDArray[np.int32]) -> None:
    for i in range(table.n_detectives):
        if state[WAITING] >> i & 1 and can_move(table, state, i + 1):
            return
    state[WAITING] = 0


@kernel
def apply(table: Table, state: NDArray[np.int32], action: int, out: NDArray[np.int32]) -> None:
    """Write the next state to `out`."""
    out[:] = state
    advance(table, out, action)


@kernel
def perft(
    table: Table,
    state: NDArray[np.int32],
    depth: int,
    states: NDArray[np.int32],
    actions: NDArray[np.int64],
) -> int:
    """The number of action sequences of this length (at least 1); games that end earlier do not count.

    The caller gives one row of `states` and `actions` for each ply.
    """
    todo = np.zeros(depth, np.int64)
    states[0] = state
    todo[0] = legal(table, state, actions[0])
    level, total = 0, 0
    while level >= 0:
        if level == depth - 1:
            total += todo[level]
            todo[level] = 0
        if todo[level] == 0:
            level -= 1
            continue
        todo[level] -= 1
        apply(table, states[level], actions[level, todo[level]], states[level + 1])
        level += 1
        todo[level] = legal(table, states[level], actions[level])
    return total


@kernel
def spread(
    reach: NDArray[np.uint64],
    nodes: NDArray[np.uint64],
    ticket: int,
    blocked: NDArray[np.uint64],
    out: NDArray[np.uint64],
) -> None:
    """Paragraph 17: where one step with this ticket leads from any of `nodes`, around the blocked ones."""
    out[:] = U0
    for node in range(reach.shape[1]):
        if nodes[node >> 6] >> np.uint64(node & 63) & U1:
            for word in range(len(out)):
                out[word] |= reach[ticket, node, word]
    for word in range(len(out)):
        out[word] &= ~blocked[word]


@kernel
def keep_movable(reach: NDArray[np.uint64], nodes: NDArray[np.uint64], held: int, blocked: NDArray[np.uint64]) -> None:
    """Drop the nodes from which Mr X, holding these tickets, could not move: the game would be over."""
    for node in range(reach.shape[1]):
        if nodes[node >> 6] >> np.uint64(node & 63) & U1:
            ways = U0
            for ticket in range(4):
                if held >> ticket & 1:
                    for word in range(len(nodes)):
                        ways |= reach[ticket, node, word] & ~blocked[word]
            if ways == U0:
                nodes[node >> 6] &= ~(U1 << np.uint64(node & 63))
