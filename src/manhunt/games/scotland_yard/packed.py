"""Scotland Yard as flat arrays for the kernels: the table, the state, actions as numbers, sets of nodes as bits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.boards.board import Board
from manhunt.games.scotland_yard.actions import DETECTIVES, Action, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.config import Config, Order
from manhunt.games.scotland_yard.rules import CAPTURE, EXHAUSTED, STRANDED, SURVIVAL, fares
from manhunt.games.scotland_yard.state import Entry, State
from manhunt.ids import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from manhunt.games.outcome import Outcome

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


class Table(NamedTuple):
    """What does not change during a game.

    A holding is a bit set of the tickets (taxi, bus, underground, secret) of which a piece has at least one. The
    fares from node v with holding h are the entries indptr[h, v] .. indptr[h, v + 1] of `fares`, in the order of the
    rules, each a single move of Mr X as a number; `n_pairs[h, v]` counts the pairs of fares in a row from v.
    """

    indptr: NDArray[np.int32]
    fares: NDArray[np.int32]
    n_pairs: NDArray[np.int32]
    shown: NDArray[np.uint8]
    n_detectives: int
    seated: int


class Fares(NamedTuple):
    """The part of the table that depends on the board alone."""

    indptr: NDArray[np.int32]
    fares: NDArray[np.int32]
    n_pairs: NDArray[np.int32]


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


def pack_table(config: Config) -> Table:
    shown = np.array(config.rounds, np.uint8)
    shown.setflags(write=False)
    return Table(*pack_fares(config.board), shown, config.n_detectives, int(config.order is Order.SEATED))


def state_size(config: Config) -> int:
    return LOG + 2 * config.n_rounds


def most_actions(config: Config) -> int:
    """No position has more legal actions than this."""
    table = pack_fares(config.board)
    n_fares = np.diff(table.indptr, axis=1).max(initial=0)
    return int(max((np.diff(table.indptr, axis=1) + table.n_pairs).max(), n_fares * config.n_detectives, 1))


def pack(state: State) -> NDArray[np.int32]:
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


def unpack(config: Config, pieces: tuple[Piece, ...], row: NDArray[np.int32], *, free: bool = True) -> State:
    """The inverse of `pack`; the pieces and `free` are not in the array."""
    n = len(pieces)
    counts = row[TICKETS:LOG].reshape(-1, 5)[: n + 1]
    log = row[LOG:].reshape(-1, 2)[: row[N_LOGGED]]
    return State(
        config,
        Node(int(row[QUARRY])),
        pieces,
        tuple(Node(int(node)) for node in row[PLACES : PLACES + n]),
        tuple(Tickets(*map(int, held)) for held in counts),
        tuple(Entry(Ticket(int(t)), None if node == NO_NODE else Node(int(node))) for t, node in log),
        tuple(piece for i, piece in enumerate(pieces) if row[WAITING] >> i & 1),
        free,
    )


# An action as one number: seat (0 is Mr X) in bits 0-2, ticket 3-4, whether double 5, second ticket 6-7, first
# destination 8-23, second 24-39.
DOUBLE_BIT = 1 << 5


def encode(state: State, action: Action) -> int:
    if isinstance(action, Double):
        tickets = action.ticket1 << 3 | DOUBLE_BIT | action.ticket2 << 6
        return tickets | action.mid << 8 | action.to << 24
    return state.seat_of(action.piece) | action.ticket << 3 | action.to << 8


def decode(pieces: tuple[Piece, ...], code: int) -> Action:
    seat, ticket, first = code & 7, Ticket(code >> 3 & 3), Node(code >> 8 & 0xFFFF)
    if code & DOUBLE_BIT:
        return Double(Piece.MRX, ticket, first, Ticket(code >> 6 & 3), Node(code >> 24 & 0xFFFF))
    return Single(pieces[seat - 1] if seat else Piece.MRX, ticket, first)


def n_words(board: Board) -> int:
    return (board.n_nodes + 63) // 64


@lru_cache(maxsize=64)
def reach(board: Board) -> NDArray[np.uint64]:
    """By ticket (taxi, bus, underground, secret) and node: the nodes one step away, as bits."""
    rows = np.zeros((4, board.n_nodes, n_words(board)), np.uint64)
    for node, row in enumerate(fares(board)):
        for ticket, to in row:
            rows[ticket, node, to >> 6] |= np.uint64(1 << (to & 63))
    rows.setflags(write=False)
    return rows


def pack_nodes(board: Board, nodes: Iterable[Node]) -> NDArray[np.uint64]:
    words = [0] * n_words(board)
    for node in nodes:
        words[node >> 6] |= 1 << (node & 63)
    return np.array(words, np.uint64)


def unpack_nodes(words: NDArray[np.uint64]) -> frozenset[Node]:
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
    return frozenset(Node(int(node)) for node in np.flatnonzero(bits))
