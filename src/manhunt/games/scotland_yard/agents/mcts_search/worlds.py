"""The worlds a search draws from: Mr X's candidates, weighted by how far they are from the detectives."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.arrays import Bytes
from manhunt.core.ids import Node, Transport
from manhunt.games.scotland_yard.beliefs.models import CATEGORY_WEIGHTS
from manhunt.search.worlds import PlaceWeights

FAR = 255


@lru_cache(maxsize=16)
def walking_distances(board: Board) -> Bytes:
    """Hops between nodes for those who take no ferry, 255 without a way; longer ways count as 254."""
    neighbours = [
        sorted({to for to, kind in board.steps(node) if kind is not Transport.FERRY}) for node in board.nodes()
    ]
    table = np.full((board.n_nodes, board.n_nodes), FAR, np.uint8)
    for start in board.nodes():
        ring, seen, hops = [start], {start}, 0
        while ring:
            table[start, ring] = min(hops, FAR - 1)
            ring = sorted({to for node in ring for to in neighbours[node]} - seen)
            seen.update(ring)
            hops += 1
    table.setflags(write=False)
    return table


@lru_cache(maxsize=16)
def only_taxis(board: Board) -> Bytes:
    """1 for the nodes that only taxis serve."""
    kinds = ({kind for _, kind in board.steps(node)} for node in board.nodes())
    return np.array([served <= {Transport.TAXI} for served in kinds], np.uint8)


def categorised_worlds(board: Board, candidates: Iterable[Node], detectives: Sequence[Node]) -> PlaceWeights:
    """A category is drawn by its weight from those that occur, then one of its places evenly.

    `detectives` are the places where they stood when Mr X last moved.
    """
    places = np.array(sorted(candidates), np.int32)
    hops = walking_distances(board)[np.array(detectives)][:, places].min(axis=0)
    category = np.clip(hops.astype(np.int64), 1, len(CATEGORY_WEIGHTS)) - 1
    sizes = np.bincount(category, minlength=len(CATEGORY_WEIGHTS))
    return PlaceWeights(places, np.cumsum(np.array(CATEGORY_WEIGHTS)[category] / sizes[category]))
