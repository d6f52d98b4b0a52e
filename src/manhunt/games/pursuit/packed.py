"""States and actions of Pursuit as numbers, for the kernels; the placing of pieces is left to the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from manhunt.boards.distance import distances
from manhunt.games.outcome import Outcome, Termination
from manhunt.games.pursuit.actions import Action, JointMove, Move
from manhunt.games.pursuit.config import Config, Order, Visibility
from manhunt.games.pursuit.state import Sighting, State
from manhunt.ids import Node, Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUARRY, ROUND, WAITING, SEEN_NODE, SEEN_ROUND, PURSUERS = 0, 1, 2, 3, 4, 5
"""Fields of a packed state; detective i stands in field PURSUERS + i. WAITING is a bit mask."""
NO_NODE = -1
NO_LIMIT = -1
MOST_DETECTIVES = 62

RUNNING, CAPTURED, SURVIVED, STRANDED = 0, 1, 2, 3
OUTCOMES: tuple[Outcome | None, ...] = (
    None,
    Outcome(Side.PURSUERS, Termination.CAPTURE),
    Outcome(Side.EVADER, Termination.SURVIVAL),
    Outcome(Side.PURSUERS, Termination.STRANDED),
)
_ORDERS = (Order.IN_ORDER, Order.ANY, Order.AT_ONCE)
_VISIBILITIES = (Visibility.ALWAYS, Visibility.ROUNDS, Visibility.SIGHT)


class PackedGame(NamedTuple):
    """A config as arrays and numbers. `hops` is empty unless the detectives see by distance."""

    indptr: NDArray[np.int64]
    target: NDArray[np.int64]
    hops: NDArray[np.int16]
    reveal_rounds: NDArray[np.int64]
    n_nodes: int
    n_detectives: int
    max_rounds: int
    order: int
    visibility: int
    sight_hops: int
    reach_hops: int
    evader_first: bool
    quarry_may_stay: bool
    detectives_may_stay: bool
    may_share: bool
    may_step_onto: bool


def pack_game(config: Config) -> PackedGame:
    board = config.board
    sees_by_distance = config.visibility is Visibility.SIGHT
    return PackedGame(
        indptr=board.simple_csr.indptr,
        target=board.simple_csr.target,
        hops=distances(board) if sees_by_distance else np.zeros((0, 0), dtype=np.int16),
        reveal_rounds=np.array(config.reveal_rounds, dtype=np.int64),
        n_nodes=board.n_nodes,
        n_detectives=config.n_detectives,
        max_rounds=NO_LIMIT if config.max_rounds is None else config.max_rounds,
        order=_ORDERS.index(config.order),
        visibility=_VISIBILITIES.index(config.visibility),
        sight_hops=config.sight_hops,
        reach_hops=config.reach_hops,
        evader_first=config.first is Side.EVADER,
        quarry_may_stay=config.quarry_may_stay,
        detectives_may_stay=config.detectives_may_stay,
        may_share=config.may_share,
        may_step_onto=config.may_step_onto,
    )


def width(n_detectives: int) -> int:
    """Numbers in a packed state."""
    return PURSUERS + n_detectives


def most_actions(game: PackedGame) -> int:
    """A bound on the number of legal actions, for the caller's scratch."""
    widest = int(np.max(np.diff(game.indptr), initial=0)) + 1
    if _ORDERS[game.order] is Order.AT_ONCE:
        return int(widest**game.n_detectives)
    return widest * game.n_detectives


def pack(state: State) -> NDArray[np.int64]:
    assert state.quarry is not None, "pieces are still being placed"
    assert len(state.pursuers) <= MOST_DETECTIVES
    seen = state.sighting
    head = [
        state.quarry,
        state.round,
        sum(1 << piece for piece in state.waiting),
        NO_NODE if seen is None else seen.node,
        0 if seen is None else seen.round,
    ]
    return np.array([*head, *state.pursuers], dtype=np.int64)


def unpack(config: Config, packed: NDArray[np.int64]) -> State:
    numbers = [int(number) for number in packed]
    seen = Sighting(Node(numbers[SEEN_NODE]), numbers[SEEN_ROUND]) if numbers[SEEN_NODE] != NO_NODE else None
    waiting = tuple(piece for piece in range(config.n_detectives) if numbers[WAITING] >> piece & 1)
    pursuers = tuple(Node(number) for number in numbers[PURSUERS:])
    return State(config, Node(numbers[QUARRY]), pursuers, numbers[ROUND], waiting, seen)


def encode(config: Config, action: Action) -> int:
    """Code of an action: the quarry's node; n * (piece + 1) + node; above those, joint moves in base n."""
    n = config.board.n_nodes
    if isinstance(action, Move):
        return int(action.to) if action.piece is None else n * (action.piece + 1) + int(action.to)
    code = 0
    for node in action.to_all:
        code = code * n + int(node)
    return code + n * (config.n_detectives + 1)


def decode(config: Config, code: int) -> Action:
    """The inverse of `encode`."""
    n, first_joint = config.board.n_nodes, config.board.n_nodes * (config.n_detectives + 1)
    if code < first_joint:
        piece, to = divmod(code, n)
        return Move(Node(to), None if piece == 0 else piece - 1)
    rest, nodes = code - first_joint, []
    for _ in range(config.n_detectives):
        rest, to = divmod(rest, n)
        nodes.append(Node(to))
    return JointMove(tuple(reversed(nodes)))
