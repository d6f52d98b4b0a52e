"""How many moves a detective needs from node to node with the tickets he has."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Int8s, Int32s
from manhunt.core.errors import BadAgent
from manhunt.core.jit import kernel
from manhunt.games.scotland_yard.rules.packed import pack_fares

NO_WAY_HOPS = 99
N_HOLDINGS = 8  # bit t: at least one ticket of taxi, bus, underground
ALL_HELD = 7
MOST_BUSES, MOST_UNDERGROUNDS = 11, 4
_MOST_NODES = 1500
BUS_STEP, UNDERGROUND_STEP = np.uint64(1), np.uint64(MOST_BUSES + 1)
U0, U1 = np.uint64(0), np.uint64(1)


class DetectiveWays(NamedTuple):
    """The moves of detectives: entries indptr[v] .. indptr[v + 1], with the ticket each costs."""

    indptr: Int32s
    target: Int32s
    ticket: Int32s


@lru_cache(maxsize=32)
def pack_ways(board: Board) -> DetectiveWays:
    table = pack_fares(board)
    first, last = int(table.indptr[ALL_HELD, 0]), int(table.indptr[ALL_HELD, -1])
    codes = table.fares[first:last]
    ways = DetectiveWays(
        (table.indptr[ALL_HELD] - first).astype(np.int32),
        (codes >> 8).astype(np.int32),
        (codes >> 3 & 3).astype(np.int32),
    )
    for array in ways:
        array.setflags(write=False)
    return ways


@lru_cache(maxsize=32)
def hops_by_holding(board: Board) -> Int8s:
    """[holding, from, to]: moves needed if the kinds held never run out; never more than `count_hops` says."""
    n = board.n_nodes
    if n > _MOST_NODES:
        raise BadAgent(f"board {board.name} has {n} nodes; routes by ticket are kept for at most {_MOST_NODES}")
    table = np.full((N_HOLDINGS, n, n), NO_WAY_HOPS, np.int8)
    _fill_by_holding(pack_ways(board), table, np.zeros(n, np.int32))
    table.setflags(write=False)
    return table


def scarcity_costs(counts: Sequence[int], scarcity: float) -> tuple[float, float, float]:
    """What a move by taxi, bus and underground counts: 1 for the most plentiful ticket, more the scarcer it is."""
    most = max(counts[:3])
    taxi, bus, underground = (1.0 + scarcity * (most / max(count, 1) - 1.0) for count in counts[:3])
    return taxi, bus, underground


def weighted_hops(board: Board, costs: tuple[float, float, float]) -> Int8s:
    """[holding, from, to]: the cheapest way by these costs of a move (1 or more each), rounded to whole moves.

    What is one move away stays one move away, so that a detective covers the same nodes at once as in
    `hops_by_holding`.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    ways, hops = pack_ways(board), hops_by_holding(board)
    sources = np.repeat(np.arange(board.n_nodes), np.diff(ways.indptr))
    table = np.full(hops.shape, NO_WAY_HOPS, np.int8)
    for held in range(N_HOLDINGS):
        matrix = np.full(hops.shape[1:], np.inf)
        usable = held >> ways.ticket & 1 == 1
        np.minimum.at(matrix, (sources[usable], ways.target[usable]), np.array(costs)[ways.ticket[usable]])
        rows, columns = np.nonzero(np.isfinite(matrix))
        graph = csr_array((matrix[rows, columns], (rows, columns)), shape=matrix.shape)
        far = np.minimum(np.rint(dijkstra(graph)), NO_WAY_HOPS)
        table[held] = np.where(hops[held] <= 1, hops[held], far)
    table.setflags(write=False)
    return table


@kernel
def _fill_by_holding(ways: DetectiveWays, table: Int8s, queue: Int32s) -> None:
    for held in range(table.shape[0]):
        for start in range(table.shape[1]):
            row = table[held, start]
            row[start] = 0
            queue[0] = start
            head, tail = 0, 1
            while head < tail:
                node = queue[head]
                head += 1
                for k in range(ways.indptr[node], ways.indptr[node + 1]):
                    to = ways.target[k]
                    if held >> ways.ticket[k] & 1 and row[to] == NO_WAY_HOPS and row[node] < NO_WAY_HOPS - 1:
                        row[to] = row[node] + 1
                        queue[tail] = to
                        tail += 1


@kernel
def count_hops(ways: DetectiveWays, start: int, counts: Int32s, out: Int8s) -> None:
    """Moves needed to every node with exactly these tickets (taxi, bus, underground).

    Breadth first over (node, bus tickets used, underground tickets used): the used pairs of a node are the bits of
    one word, the taxi tickets are what is left of the moves made. Exact for routes of at most 11 buses and 4
    undergrounds, which is more than a detective of either preset can use.
    """
    n = len(out)
    out[:] = NO_WAY_HOPS
    out[start] = 0
    here, there, seen = np.zeros(n, np.uint64), np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    here[start] = U1
    seen[start] = U1
    buses, undergrounds = min(counts[1], MOST_BUSES), min(counts[2], MOST_UNDERGROUNDS)
    for hops in range(1, min(counts[0] + buses + undergrounds, NO_WAY_HOPS - 1) + 1):
        allowed = _allowed_pairs(hops, counts[0], buses, undergrounds)
        there[:] = U0
        for node in range(n):
            if here[node] == U0:
                continue
            for k in range(ways.indptr[node], ways.indptr[node + 1]):
                used = here[node]
                if ways.ticket[k] == 1:
                    used = (used & _BELOW_LAST_BUS) << BUS_STEP
                elif ways.ticket[k] == 2:
                    used = (used & _BELOW_LAST_UNDERGROUND) << UNDERGROUND_STEP
                there[ways.target[k]] |= used & allowed
        any_new = False
        for node in range(n):
            fresh = there[node] & ~seen[node]
            here[node] = fresh
            if fresh != U0:
                any_new = True
                seen[node] |= fresh
                out[node] = min(out[node], hops)
        if not any_new:
            return


_PAIRS = [(buses, undergrounds) for undergrounds in range(MOST_UNDERGROUNDS + 1) for buses in range(MOST_BUSES + 1)]
_BELOW_LAST_BUS = np.uint64(sum(1 << i for i, (b, _) in enumerate(_PAIRS) if b < MOST_BUSES))
_BELOW_LAST_UNDERGROUND = np.uint64(sum(1 << i for i, (_, u) in enumerate(_PAIRS) if u < MOST_UNDERGROUNDS))


@kernel
def _allowed_pairs(hops: int, taxis: int, buses: int, undergrounds: int) -> np.uint64:
    """The pairs (buses used, undergrounds used) with which so many moves can be paid."""
    bits = U0
    for u in range(undergrounds + 1):
        for b in range(buses + 1):
            if b + u <= hops and hops - b - u <= taxis:
                bits |= U1 << np.uint64(u * (MOST_BUSES + 1) + b)
    return np.uint64(bits)
