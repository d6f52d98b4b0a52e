"""The kernels of Scotland Yard as the tests use them: legal moves, next states, counted trees; states from rows."""

import numpy as np

from manhunt.core.arrays import Int32s, Int64s
from manhunt.core.ids import Node
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.rules.actions import Double, Piece, ScotlandYardAction, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.kernels import GOES_ON, advance, offered, outcome
from manhunt.games.scotland_yard.rules.packed import (
    DOUBLE_BIT,
    LOG,
    N_LOGGED,
    NO_NODE,
    PLACES,
    QUARRY,
    TICKETS,
    WAITING,
    FareTable,
)
from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState


@kernel
def legal(table: FareTable, state: Int32s, out: Int64s) -> int:
    """Write all actions to `out` in the order of the rules; return how many."""
    if outcome(table, state) != GOES_ON:
        return 0
    return offered(table, state, out)


@kernel
def apply(table: FareTable, state: Int32s, action: int, out: Int32s) -> None:
    """Write the next state to `out`."""
    out[:] = state
    advance(table, out, action)


@kernel
def packed_perft(table: FareTable, state: Int32s, depth: int, states: Int32s, actions: Int64s) -> int:
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


def unpack(
    config: ScotlandYardConfig, pieces: tuple[Piece, ...], row: Int32s, *, free: bool = True
) -> ScotlandYardState:
    """The inverse of `pack`; the pieces and `free` are not in the array."""
    n = len(pieces)
    counts = row[TICKETS:LOG].reshape(-1, 5)[: n + 1]
    log = row[LOG:].reshape(-1, 2)[: row[N_LOGGED]]
    return ScotlandYardState(
        config,
        Node(int(row[QUARRY])),
        pieces,
        tuple(Node(int(node)) for node in row[PLACES : PLACES + n]),
        tuple(Tickets(*map(int, held)) for held in counts),
        tuple(LogEntry(Ticket(int(t)), None if node == NO_NODE else Node(int(node))) for t, node in log),
        tuple(piece for i, piece in enumerate(pieces) if row[WAITING] >> i & 1),
        free,
    )


def encode(state: ScotlandYardState, action: ScotlandYardAction) -> int:
    if isinstance(action, Double):
        tickets = action.ticket1 << 3 | DOUBLE_BIT | action.ticket2 << 6
        return tickets | action.mid << 8 | action.to << 24
    return state.seat_of(action.piece) | action.ticket << 3 | action.to << 8
