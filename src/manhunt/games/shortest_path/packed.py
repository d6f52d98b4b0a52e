"""States and actions of the game as numbers, for the kernels."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.games.shortest_path.actions import Action, OnEdge, Pass
from manhunt.games.shortest_path.config import Config
from manhunt.games.shortest_path.costs import MOST_COST, edge_index, factors, hops_to, raised_cost
from manhunt.games.shortest_path.state import State
from manhunt.ids import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUARRY, PLY = 0, 1
"""Fields of `PackedState.place`."""
UNREACHABLE = -1
RUNNING, ARRIVED, OUT_OF_MOVES = 0, 1, 2


class PackedGame(NamedTuple):
    """A config as arrays. Edges of node v: entries indptr[v] .. indptr[v + 1] of `to` and `edge`."""

    indptr: NDArray[np.int64]
    to: NDArray[np.int64]
    edge: NDArray[np.int64]
    hops: NDArray[np.int64]
    factors: NDArray[np.float64]
    n_nodes: int
    n_edges: int
    target: int
    move_limit: int
    most_cost: float


class PackedState(NamedTuple):
    """`place` is QUARRY and PLY, `paid` holds the total; `raises` and `costs` have one entry an edge."""

    place: NDArray[np.int64]
    raises: NDArray[np.int64]
    costs: NDArray[np.float64]
    paid: NDArray[np.float64]


class Scratch(NamedTuple):
    """Room for one search of cheapest ways: a heap of keys and nodes."""

    keys: NDArray[np.float64]
    nodes: NDArray[np.int64]


@lru_cache(maxsize=32)
def pack_game(config: Config) -> PackedGame:
    board, index = config.board, edge_index(config.board)
    indptr, to = board.simple_csr
    edges = [index[node, other] for node in board.nodes() for other in board.neighbours(node)]
    hops = [UNREACHABLE if h is None else h for h in hops_to(board, config.target)]
    return PackedGame(
        indptr=indptr,
        to=to,
        edge=np.array(edges, dtype=np.int64),
        hops=np.array(hops, dtype=np.int64),
        factors=np.array(factors(config), dtype=np.float64),
        n_nodes=board.n_nodes,
        n_edges=len(board.edges),
        target=int(config.target),
        move_limit=config.move_limit,
        most_cost=MOST_COST,
    )


def new_scratch(game: PackedGame) -> Scratch:
    size = len(game.to) + 2
    return Scratch(np.empty(size, dtype=np.float64), np.empty(size, dtype=np.int64))


def most_actions(game: PackedGame) -> int:
    """A bound on the number of legal actions, for the caller's scratch."""
    return max(int(np.max(np.diff(game.indptr), initial=0)), game.n_edges) + 1


def pack_costs(config: Config, raises: tuple[int, ...]) -> NDArray[np.float64]:
    """The present cost of every edge."""
    costs = np.ones(len(raises), dtype=np.float64)
    every = factors(config)
    for edge, n in enumerate(raises):
        if n:
            costs[edge] = raised_cost(every[edge], n)
    return costs


def pack(state: State) -> PackedState:
    return PackedState(
        np.array([state.quarry, state.ply], dtype=np.int64),
        np.array(state.raises, dtype=np.int64),
        pack_costs(state.config, state.raises),
        np.array([state.total], dtype=np.float64),
    )


def unpack(config: Config, packed: PackedState) -> State:
    quarry, ply = (int(number) for number in packed.place)
    return State(config, Node(quarry), tuple(int(n) for n in packed.raises), float(packed.paid[0]), ply)


def empty_like(packed: PackedState) -> PackedState:
    """Room for another state of the same game."""
    return PackedState(
        np.empty_like(packed.place),
        np.empty_like(packed.raises),
        np.empty_like(packed.costs),
        np.empty_like(packed.paid),
    )


def encode(state: State, action: Action) -> int:
    """Code of an action: the traveller's next node, n + edge for a raise, n + number of edges for a pass."""
    board = state.config.board
    if isinstance(action, Pass):
        return board.n_nodes + len(board.edges)
    if state.ply % 2:
        return board.n_nodes + edge_index(board)[action.start, action.to]
    return int(action.to)


def decode(state: State, code: int) -> Action:
    """The inverse of `encode`."""
    board = state.config.board
    if code < board.n_nodes:
        return OnEdge(state.quarry, Node(code))
    edge = code - board.n_nodes
    return Pass() if edge == len(board.edges) else OnEdge(board.edges[edge].a, board.edges[edge].b)
