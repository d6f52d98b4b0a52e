"""The rules of Night Chase; numbers are paragraphs of the README."""

from dataclasses import dataclass, replace

from manhunt import Node, Seat, Side
from manhunt.boards import distances
from manhunt.core import IllegalAction, Outcome, Sighting, Termination, one_of
from night_chase.config import Config


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A piece goes to a node; `piece` is None for the runner, else the hunter's number."""

    to: Node
    piece: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """`moved` counts the hunters that have moved in this round; all of them means that the runner is to move."""

    config: Config
    quarry: Node
    pursuers: tuple[Node, ...]
    round: int
    moved: int
    sighting: Sighting | None = None


def outcome(state: State) -> Outcome | None:
    if state.quarry in state.pursuers:  # 5
        return Outcome(Side.PURSUERS, Termination.CAPTURE)
    if state.moved < state.config.hunters:
        return None
    if state.round >= state.config.rounds:  # 6
        return Outcome(Side.EVADER, Termination.SURVIVAL)
    return None if _ways(state, state.quarry) else Outcome(Side.PURSUERS, Termination.STRANDED)  # 3


def to_act(state: State) -> Seat | None:
    if outcome(state) is not None:
        return None
    return Seat.EVADER if state.moved == state.config.hunters else Seat.PURSUERS


def legal_actions(state: State) -> tuple[Move, ...]:
    """By node."""
    if outcome(state) is not None:
        return ()
    if state.moved == state.config.hunters:
        return tuple(Move(node) for node in _ways(state, state.quarry))
    here = state.pursuers[state.moved]
    return tuple(Move(node, state.moved) for node in _ways(state, here) or (here,))  # 4


def _ways(state: State, node: Node) -> tuple[Node, ...]:
    """Neighbours without a hunter, paragraphs 3 and 4."""
    return tuple(to for to in state.config.board.neighbours(node) if to not in state.pursuers)


def check_action(state: State, action: Move) -> None:
    """An error lists the legal nodes only for the side to move: the runner's would give its place away."""
    if action in (legal := legal_actions(state)):
        return
    if to_act(state) is not (Seat.EVADER if getattr(action, "piece", 0) is None else Seat.PURSUERS):
        raise IllegalAction(f"{action!r}: it is not this side's turn")
    options = one_of(state.config.board.label(move.to) for move in legal)
    raise IllegalAction(f"{action!r} is not legal in round {state.round}; legal nodes: {options}")


def apply_action(state: State, action: Move) -> State:
    check_action(state, action)
    if action.piece is None:
        return seen(replace(state, quarry=action.to, round=state.round + 1, moved=0))
    pursuers = (*state.pursuers[: action.piece], action.to, *state.pursuers[action.piece + 1 :])
    return seen(replace(state, pursuers=pursuers, moved=state.moved + 1))


def is_seen(state: State) -> bool:
    """Paragraph 7."""
    hops = distances(state.config.board)
    return any(0 <= hops[state.quarry, node] <= state.config.sight for node in state.pursuers)


def seen(state: State) -> State:
    """The same state with the newest sighting."""
    return replace(state, sighting=Sighting(state.quarry, state.round)) if is_seen(state) else state
