"""The adversary who guards a cut."""

from collections import deque
from random import Random
from typing import Any, ClassVar

import numpy as np

from manhunt.boards.board import Board
from manhunt.core.agent import Advice, Agent, Limit
from manhunt.core.game import View
from manhunt.core.ids import Node, Seat
from manhunt.games.shortest_path.rules.actions import OnEdge
from manhunt.games.shortest_path.rules.costs import edge_index


class MinCutAgent(Agent):
    """Raises the edges of a smallest cut between traveller and target in turn; of several cuts, the one nearest the
    target.

    Once the traveller is past it, the agent looks for the next cut.
    """

    games: ClassVar[tuple[str, ...]] = ("shortest_path",)
    seats: ClassVar[tuple[Seat, ...]] = (Seat.PURSUERS,)

    def start(self, view: Any) -> None:
        self._guard(view.config.board, view.quarry, view.config.target)

    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        seen: Any = view
        board = seen.config.board
        if seen.quarry in self.inside:
            self._guard(board, seen.quarry, seen.config.target)
        edge = board.edges[self.cut[0]]
        self.cut.rotate(-1)
        return Advice(OnEdge(edge.a, edge.b), counters={"cut": float(len(self.cut))})

    def _guard(self, board: Board, quarry: Node, target: Node) -> None:
        self.inside = target_side(board, quarry, target)
        index = edge_index(board)
        crossing = {index[a, b] for a in self.inside for b in board.neighbours(a) if b not in self.inside}
        self.cut = deque(sorted(crossing))


def target_side(board: Board, source: Node, target: Node) -> frozenset[Node]:
    """The nodes behind the smallest cut nearest to the target (every edge has capacity 1)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    indptr, to = (array.astype(np.int32) for array in board.simple_csr)
    n = board.n_nodes
    capacity = csr_array((np.ones(len(to), dtype=np.int32), to, indptr), shape=(n, n))
    flow = maximum_flow(capacity, int(source), int(target)).flow
    full = {(int(a), int(b)) for a, b, used in zip(*_entries(flow), strict=True) if used >= 1}
    inside, waiting = {target}, [target]
    while waiting:
        node = waiting.pop()
        for other in board.neighbours(node):
            if other not in inside and (other, node) not in full:  # more could flow from there to here
                inside.add(other)
                waiting.append(other)
    return frozenset(inside)


def _entries(flow: Any) -> tuple[Any, Any, Any]:
    entries = flow.tocoo()
    return entries.row, entries.col, entries.data
