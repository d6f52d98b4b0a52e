"""Scotland Yard as flat arrays for the kernels: the table, the state, actions as numbers, sets of nodes as bits."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Bytes, Int32s
from manhunt.core.ids import Node
from manhunt.core.outcome import Outcome
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, Double, Piece, ScotlandYardAction, Single, Ticket
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig, ScotlandYardOrder
from manhunt.games.scotland_yard.rules.rules import CAPTURE, EXHAUSTED, STRANDED, SURVIVAL, fares
from manhunt.games.scotland_yard.rules.state import ScotlandYardState

# A packed state is one int32 row: these offsets, then for each round the ticket and the node of its log entry.
QUARRY = 0
N_LOGGED = 1
WAITING = 2  # bit i: detective i has not moved this turn
PLACES = 3
HELD = PLACES + len(DETECTIVES)  # by seat (Mr X is 0): bit t is set if the piece has a ticket t
TICKETS = HELD + 1 + len(DETECTIVES)  # five counts for Mr X, then for each detective
LOG = TICKETS + 5 * (1 + len(DETECTIVES))
NO_NODE = -1

OUTCOMES: tuple[Outcome | None, ...] = (None, CAPTURE, SURVIVAL, EXHAUSTED, STRANDED)
"""The outcome for each code that a kernel returns."""
N_HOLDINGS = 16


class FareTable(NamedTuple):
    """What does not change during a game.

    A holding is a bit set of the tickets (taxi, bus, underground, secret) of which a piece has at least one. The
    fares from node v with holding h are the entries indptr[h, v] .. indptr[h, v + 1] of `fares`, in the order of the
    rules, each a single move of Mr X as a number; `n_pairs[h, v]` counts the pairs of fares in a row from v.
    """

    indptr: Int32s
    fares: Int32s
    n_pairs: Int32s
    shown: Bytes
    n_detectives: int
    seated: int


class Fares(NamedTuple):
    """The part of the table that depends on the board alone."""

    indptr: Int32s
    fares: Int32s
    n_pairs: Int32s


@lru_cache(maxsize=64)
def pack_fares(board: Board) -> Fares:
    every = fares(board)
    indptr = np.zeros((N_HOLDINGS, board.n_nodes + 1), np.int32)
    n_pairs = np.zeros((N_HOLDINGS, board.n_nodes), np.int32)
    codes: list[int] = []
    for held in range(N_HOLDINGS):
        rows = [[(ticket, to) for ticket, to in row if held >> ticket & 1] for row in every]
        for node, row in enumerate(rows):
            indptr[held, node] = len(codes)
            n_pairs[held, node] = sum(len(rows[to]) for _, to in row)
            codes += [ticket << 3 | to << 8 for ticket, to in row]
        indptr[held, -1] = len(codes)
    packed = Fares(indptr, np.array(codes, np.int32), n_pairs)
    for array in packed:
        array.setflags(write=False)
    return packed


def pack_table(config: ScotlandYardConfig) -> FareTable:
    shown = np.array(config.rounds, np.uint8)
    shown.setflags(write=False)
    return FareTable(
        *pack_fares(config.board), shown, config.n_detectives, int(config.order is ScotlandYardOrder.SEATED)
    )


def state_size(config: ScotlandYardConfig) -> int:
    return LOG + 2 * config.n_rounds


def most_actions(config: ScotlandYardConfig) -> int:
    """No position has more legal actions than this."""
    table = pack_fares(config.board)
    n_fares = np.diff(table.indptr, axis=1).max(initial=0)
    return int(max((np.diff(table.indptr, axis=1) + table.n_pairs).max(), n_fares * config.n_detectives, 1))


def pack(state: ScotlandYardState) -> Int32s:
    row = np.zeros(state_size(state.config), np.int32)
    row[QUARRY] = state.quarry
    row[N_LOGGED] = len(state.log)
    row[WAITING] = sum(1 << state.pieces.index(piece) for piece in state.waiting)
    row[PLACES:HELD] = NO_NODE
    row[PLACES : PLACES + len(state.pursuers)] = state.pursuers
    counts = [count for held in state.tickets for count in held]
    row[TICKETS : TICKETS + len(counts)] = counts
    for seat, held in enumerate(state.tickets):
        row[HELD + seat] = sum(1 << ticket for ticket in range(4) if held[ticket])
    log = row[LOG:].reshape(-1, 2)
    log[:] = NO_NODE
    for slot, entry in zip(log, state.log, strict=False):
        slot[:] = entry.ticket, NO_NODE if entry.node is None else entry.node
    return row


# An action as one number: seat (0 is Mr X) in bits 0-2, ticket 3-4, whether double 5, second ticket 6-7, first
# destination 8-23, second 24-39.
DOUBLE_BIT = 1 << 5


def decode(pieces: tuple[Piece, ...], code: int) -> ScotlandYardAction:
    seat, ticket, first = code & 7, Ticket(code >> 3 & 3), Node(code >> 8 & 0xFFFF)
    if code & DOUBLE_BIT:
        return Double(Piece.MRX, ticket, first, Ticket(code >> 6 & 3), Node(code >> 24 & 0xFFFF))
    return Single(pieces[seat - 1] if seat else Piece.MRX, ticket, first)
