"""The arrays that the kernels of minimax work on."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Floats, Int8s, Int32s, Int64s
from manhunt.games.scotland_yard.agents.minimax_search.routes import hops_by_holding, weighted_hops
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.packed import pack_fares

MOST_DETECTIVES = 5
_KEY_SEED = 199
MOST_HOPS = 12
"""Distances beyond this count as this."""
MOST_SUPPORT = 64
"""So many of the likeliest nodes are looked at when plans are compared."""


class TicketGraph(NamedTuple):
    """What stays the same during a game: moves by holding (as in the packed table), routes, branching, hash keys."""

    indptr: Int32s
    fares: Int32s
    hops: Int8s
    branching: Floats
    keys: Int64s


@lru_cache(maxsize=32)
def pack_ticket_graph(board: Board, costs: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> TicketGraph:
    """The graph, where a move by taxi, bus and underground counts as much as `costs` says; see `weighted_hops`."""
    table = pack_fares(board)
    hops = np.minimum(hops_by_holding(board) if costs == (1.0, 1.0, 1.0) else weighted_hops(board, costs), MOST_HOPS)
    exits = np.array([len(board.neighbours(node)) for node in board.nodes()], np.float64)
    branching = exits / max(exits.max(initial=1.0), 1.0)
    keys = np.random.default_rng(_KEY_SEED).integers(1, 1 << 60, board.n_nodes)  # five of them fit into 63 bits
    for array in (hops, branching, keys):
        array.setflags(write=False)
    return TicketGraph(table.indptr, table.fares, hops, branching, keys)


class DetectivesTurn(NamedTuple):
    """The detectives' turn as the kernels see it; bit d of `waiting`: detective d still has to move.

    `future` is what the time after this turn is worth at most; `entropy` that of the belief a turn before; `dominance`
    which moves are left out because of a colleague; `size` the number of plans wanted.
    """

    belief: Floats
    places: Int32s
    counts: Int32s
    mrx_counts: Int32s
    waiting: int
    seated: int
    shown_soon: int
    future: float
    entropy: float
    dominance: int
    size: int


COVER, SPEED, NO_DOMINANCE = range(3)


class Outlook(NamedTuple):
    """A belief made ready for comparing plans: its likeliest nodes, Mr X's exits from each, and where he goes on.

    The exits of support[i] are exits[exit_ptr[i] .. exit_ptr[i + 1]]; `price` says how scarce the ticket is that Mr X
    needs for each: 1 / (1 + how many he has), of the most plentiful kind that goes there. `zone` lists all nodes met,
    `slot` is a node's number in it (or -1) and `exit_slot` that of an exit, `spread` how likely Mr X is there after his
    next step, `doubt` that times its logarithm. `near` and `second` are the hops of the two nearest detectives,
    `near_other` and `second_other` those without the detective whose moves are compared; `safe` is how safe that makes
    a node. `facts`: how many of support and zone are in use, the centroid, and whether he must show himself soon.
    """

    support: Int32s
    weight: Floats
    exit_ptr: Int32s
    exits: Int32s
    exit_slot: Int32s
    price: Floats
    zone: Int32s
    slot: Int32s
    spread: Floats
    doubt: Floats
    near: Int32s
    second: Int32s
    near_other: Int32s
    second_other: Int32s
    safe: Floats
    facts: Int32s


N_SUPPORT, N_ZONE, CENTROID, IS_SHOWN_SOON = range(4)


class Beam(NamedTuple):
    """Joint plans, best first: where each detective ends, the ticket he pays (-1: he stays), value, chance of a catch.

    `key` is the same for plans that end on the same nodes, whoever goes where.
    """

    places: Int32s
    tickets: Int32s
    value: Floats
    caught: Floats
    key: Int64s


class MinimaxScratch(NamedTuple):
    """Scratch of the kernels; one per agent."""

    outlook: Outlook
    beam: Beam
    other: Beam
    safety: Floats
    order: Int32s
    moves: Int32s
    replies: Floats
    chances: Floats
    kinds: Int32s
    steps: Floats


MOST_REPLIES = 16
"""By ticket, double moves, or in a shown round the likeliest nodes."""


def new_beam(size: int) -> Beam:
    return Beam(
        np.zeros((size, MOST_DETECTIVES), np.int32),
        np.zeros((size, MOST_DETECTIVES), np.int32),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size, np.int64),
    )


def new_minimax_scratch(config: ScotlandYardConfig, beam: int, safety: Floats) -> MinimaxScratch:
    n = config.board.n_nodes
    table = pack_fares(config.board)
    most_fares = int(np.diff(table.indptr, axis=1).max(initial=1))
    outlook = Outlook(
        np.zeros(MOST_SUPPORT, np.int32),
        np.zeros(MOST_SUPPORT),
        np.zeros(MOST_SUPPORT + 1, np.int32),
        np.zeros(MOST_SUPPORT * most_fares, np.int32),
        np.zeros(MOST_SUPPORT * most_fares, np.int32),
        np.zeros(MOST_SUPPORT * most_fares),
        np.zeros(n, np.int32),
        np.full(n, -1, np.int32),
        np.zeros(n),
        np.zeros(n),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n),
        np.zeros(4, np.int32),
    )
    return MinimaxScratch(
        outlook,
        new_beam(beam + 1),
        new_beam(beam + 1),
        safety,
        np.zeros(MOST_DETECTIVES, np.int32),
        np.zeros(most_fares + 1, np.int32),
        np.zeros((MOST_REPLIES, n)),
        np.zeros(MOST_REPLIES),
        np.zeros(MOST_REPLIES, np.int32),
        np.zeros((2, n)),
    )


@lru_cache(maxsize=16)
def safety_table(reach: float) -> Floats:
    """[hops of the nearest, of the second detective]: how safe a node is, from 0 to 1."""
    fade = reach ** np.maximum(np.arange(MOST_HOPS + 1), 0.0)
    danger = fade[:, None] * (2.0 + fade[None, :]) / 3.0
    table: Floats = 1.0 - danger
    table[0, :] = 0.0
    table.setflags(write=False)
    return table
