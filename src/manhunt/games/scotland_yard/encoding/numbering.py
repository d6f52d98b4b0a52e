"""Numbers for all moves of a table of Scotland Yard: single moves of Mr X, of each detective, then double moves.

A fare is a ticket with the node it leads to; those that some edge of the board has are counted by ticket, then node.

    0 ...                       Mr X pays fare f: number f
    n_fares ...                 detective i (counted from 0) pays fare f: n_fares + i * n_public + f; no secret tickets
    n_fares + n * n_public ...  Mr X pays fare f, then a fare of the node it leads to, in the order of the rules
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Int32s, Int64s
from manhunt.games.scotland_yard.rules.actions import Ticket
from manhunt.games.scotland_yard.rules.packed import DOUBLE_BIT, N_HOLDINGS, pack_fares
from manhunt.games.scotland_yard.rules.rules import fares


class Numbering(NamedTuple):
    """Tables between moves and numbers, for the kernels."""

    fare: Int32s
    """By ticket and node: the fare's number; -1 where no edge has it."""
    first_double: Int32s
    """By fare: the number of the first double move that begins with it."""
    rank: Int32s
    """For every entry of `FareTable.fares`: its place among all fares of the same node."""
    code: Int64s
    """By number: the move as `packed` writes it."""
    n_nodes: int
    n_fares: int
    n_public: int
    """Fares without a secret ticket, which detectives can pay."""

    @property
    def n_actions(self) -> int:
        return len(self.code)


@lru_cache(maxsize=16)
def build_numbering(board: Board, n_detectives: int) -> Numbering:
    rows = fares(board)
    every = sorted({fare for row in rows for fare in row})
    n_public = sum(ticket is not Ticket.SECRET for ticket, _ in every)
    number = np.full((len(Ticket) - 1, board.n_nodes), -1, np.int32)
    singles = [ticket << 3 | node << 8 for ticket, node in every]
    codes = singles + [code | seat for seat in range(1, n_detectives + 1) for code in singles[:n_public]]
    first_double = np.zeros(len(every), np.int32)
    for i, (ticket, mid) in enumerate(every):
        number[ticket, mid] = i
        first_double[i] = len(codes)
        codes += [singles[i] | DOUBLE_BIT | second << 6 | to << 24 for second, to in rows[mid]]
    found = Numbering(
        number, first_double, _ranks(board), np.array(codes, np.int64), board.n_nodes, len(every), n_public
    )
    for array in found[:4]:
        array.setflags(write=False)
    return found


def _ranks(board: Board) -> Int32s:
    table, ranks = pack_fares(board), list[int]()
    for held in range(N_HOLDINGS):
        for row in fares(board):
            ranks += [rank for rank, (ticket, _) in enumerate(row) if held >> ticket & 1]
    assert len(ranks) == len(table.fares)
    return np.array(ranks, np.int32)
