"""The rules, to be read; `kernels.py` says the same to be fast. Numbers are rule book paragraphs."""

from dataclasses import replace
from functools import lru_cache
from operator import index
from typing import SupportsIndex

from manhunt.boards.board import Board
from manhunt.core.errors import IllegalAction, one_of
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge, ShortestPathAction
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import MOST_COST, cost_of, edge_index
from manhunt.games.shortest_path.rules.notation import format_action
from manhunt.games.shortest_path.rules.state import ShortestPathState

OUT_OF_MOVES = {
    Seat.EVADER: Outcome(Side.PURSUERS, Termination.FORFEIT),
    Seat.PURSUERS: Outcome(Side.EVADER, Termination.FORFEIT),
}


def start(config: ShortestPathConfig) -> ShortestPathState:
    """Paragraphs 1 and 2: the traveller on the source, every edge at 1.0."""
    return ShortestPathState(config, config.source, (0,) * len(config.board.edges))


def whose_turn(state: ShortestPathState) -> Seat:
    """Paragraph 2: in turn, the traveller first."""
    return Seat.PURSUERS if state.ply % 2 else Seat.EVADER


def moves_left(state: ShortestPathState, seat: Seat) -> int:
    """Paragraph 5."""
    made = (state.ply + 1) // 2 if seat is Seat.EVADER else state.ply // 2
    return state.config.move_limit - made


def outcome(state: ShortestPathState) -> Outcome | None:
    """Paragraphs 3 and 5. A traveller who has not arrived has no cost: it counts as infinite."""
    if state.quarry == state.config.target:
        return Outcome(Side.EVADER, Termination.ARRIVAL, state.total)
    seat = whose_turn(state)
    return OUT_OF_MOVES[seat] if moves_left(state, seat) == 0 else None


def to_act(state: ShortestPathState) -> Seat | None:
    return None if outcome(state) is not None else whose_turn(state)


def legal_actions(state: ShortestPathState) -> tuple[ShortestPathAction, ...]:
    """The traveller's edges by the node they lead to, the adversary's in the board's order; a pass comes last."""
    seat = to_act(state)
    if seat is None:
        return ()
    return _steps(state.config.board, state.quarry) if seat is Seat.EVADER else _raises(state.config.board)


@lru_cache(maxsize=4096)
def _steps(board: Board, node: Node) -> tuple[ShortestPathAction, ...]:
    return (*(OnEdge(node, to) for to in board.neighbours(node)), EmptyMove())


@lru_cache(maxsize=32)
def _raises(board: Board) -> tuple[ShortestPathAction, ...]:
    return (*(OnEdge(edge.a, edge.b) for edge in board.edges), EmptyMove())


def check_action(state: ShortestPathState, action: ShortestPathAction) -> None:
    """Paragraph 4 says what the referee makes of a bad action: a pass."""
    end, board = outcome(state), state.config.board
    _check_is_action(board, action)
    text = format_action(state.config, action)
    if end is not None:
        raise IllegalAction(f"{text} is not legal: the game is over ({end})")
    if isinstance(action, EmptyMove):
        return
    exists = (action.start, action.to) in edge_index(board)
    if whose_turn(state) is Seat.PURSUERS:
        if not exists:
            raise IllegalAction(f"the adversary cannot raise {text} (round {state.round}): there is no such edge")
    elif not exists or action.start != state.quarry:
        why = f"it does not start at {board.label(state.quarry)}" if exists else "there is no such edge"
        options = one_of(format_action(state.config, a) for a in legal_actions(state))
        raise IllegalAction(f"the traveller cannot take {text} (round {state.round + 1}): {why}; legal: {options}")


def _check_is_action(board: Board, action: object) -> None:
    """Whatever a stranger's agent returns is refused in words."""
    if isinstance(action, EmptyMove):
        return
    nodes = (action.start, action.to) if isinstance(action, OnEdge) else ()
    if not nodes or not all(isinstance(node, SupportsIndex) and 0 <= index(node) < board.n_nodes for node in nodes):
        known = f"OnEdge(start, to) with nodes 0 to {board.n_nodes - 1}, or EmptyMove()"
        raise IllegalAction(f"{' '.join(repr(action).split())[:60]} is not an action; give {known}")


def apply_action(state: ShortestPathState, action: ShortestPathAction) -> ShortestPathState:
    check_action(state, action)
    if isinstance(action, EmptyMove):
        return replace(state, ply=state.ply + 1)
    edge = edge_index(state.config.board)[action.start, action.to]
    if whose_turn(state) is Seat.EVADER:
        total = min(state.total + cost_of(state.config, state.raises, edge), MOST_COST)
        return replace(state, quarry=action.to, total=total, ply=state.ply + 1)
    # Sums of slices: on 10,000 edges several times as quick as unpacking.
    raises = state.raises[:edge] + (state.raises[edge] + 1,) + state.raises[edge + 1 :]  # noqa: RUF005
    return replace(state, raises=raises, ply=state.ply + 1)
