"""The exact value of a position of Adversarial Shortest Path, and a line of best play.

Alpha-beta with null windows over simple paths: the traveller's proofs and the adversary's refutations of
`upper_proof_kernels`, on the whole board, are the transposition table. A best traveller never visits a node twice and
no raise helps him, so that the search is finite and exact.
"""

import math
from dataclasses import dataclass

from manhunt.boards.board import Board
from manhunt.core.ids import Seat
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge, ShortestPathAction
from manhunt.games.shortest_path.rules.rules import whose_turn
from manhunt.games.shortest_path.rules.state import ShortestPathState
from manhunt.games.shortest_path.solvers.upper_arena import all_arcs, build_named_arena, useful_arcs
from manhunt.games.shortest_path.solvers.upper_proof import MOST_STEPS, NO, YES, Prover, place
from manhunt.games.shortest_path.solvers.upper_results_kernels import best_proof
from manhunt.games.shortest_path.solvers.upper_search import path_in, settle
from manhunt.solvers.memory import TooLarge

MOST_NODES = 14
CLOSE = 1e-7
"""Two different values of a position are further apart than this."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is still to be paid when both play best, a line of such play, and how many positions were searched."""

    value: float
    line: tuple[ShortestPathAction, ...]
    n_states: int


def solve(state: ShortestPathState, most_nodes: int = MOST_NODES, most_steps: int = MOST_STEPS) -> Solution:
    """The value of a position, either side to move; TooLarge for boards that are not meant for this."""
    board = state.config.board
    if state.quarry == state.config.target:
        return Solution(0.0, (), 0)
    if board.n_nodes > most_nodes:
        raise TooLarge(f"board {board.name} has {board.n_nodes} nodes; an exact value needs {most_nodes} or fewer")
    useful = useful_arcs(all_arcs(state), state.quarry, state.config.target)
    prover = Prover(build_named_arena(state, useful))
    plan = settle(prover, state, path_in(state, useful), math.inf, most_steps)
    if plan is None:
        raise TooLarge(f"board {board.name}: no exact value in {most_steps:,} steps; allow more steps")
    line = _best_line(prover, state, plan.value, most_steps)
    return Solution(plan.value, line, prover.n_steps)


def _best_line(
    prover: Prover, state: ShortestPathState, value: float, most_steps: int
) -> tuple[ShortestPathAction, ...]:
    """Best moves of both sides one after the other; what is left to pay tells which they are."""
    arena, names, board = prover.arena, prover.named.node_of, state.config.board
    node, raised, line = names.index(state.quarry), dict[int, int](), list[ShortestPathAction]()
    if whose_turn(state) is Seat.PURSUERS:
        line.append(_raise(prover, board, node, raised, value, most_steps))
    while True:
        arc = _best_arc(prover, node, raised, value, most_steps)
        to, edge = int(arena.to[arc]), int(arena.edge[arc])
        line.append(OnEdge(names[node], names[to]))
        value -= float(arena.cost[edge, raised.get(edge, 0)])
        node = to
        if node == arena.target:
            return tuple(line)
        line.append(_raise(prover, board, node, raised, value, most_steps))


def _best_arc(prover: Prover, node: int, raised: dict[int, int], value: float, most_steps: int) -> int:
    """The first arc of a proof that the value is enough."""
    if prover.ask(value + CLOSE, math.inf, most_steps, node, raised) != YES:
        raise TooLarge(f"no line of best play found in {most_steps:,} steps; allow more steps")
    place(prover, [node], raised)
    return int(prover.proofs.move[best_proof(prover.arena, prover.frames, prover.proofs, 0)])


def _raise(
    prover: Prover, board: Board, node: int, raised: dict[int, int], value: float, most_steps: int
) -> ShortestPathAction:
    """A raise after which less than the value is not enough, counted into `raised`; a pass where none is needed."""
    for i, edge in enumerate(prover.named.edge_of):
        more = {**raised, i: raised.get(i, 0) + 1}
        if prover.ask(value - CLOSE, math.inf, most_steps, node, more) == NO:
            raised.update(more)
            return OnEdge(board.edges[edge].a, board.edges[edge].b)
    return EmptyMove()
