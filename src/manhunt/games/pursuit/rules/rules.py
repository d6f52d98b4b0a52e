"""The rules of Pursuit, to be read; `kernels.py` says the same to be fast. Numbers are rule book paragraphs."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from manhunt.boards.distance import distances
from manhunt.core.errors import IllegalAction, one_of
from manhunt.core.game import Sighting
from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import PursuitOrder, Visibility
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.state import PursuitState


def is_caught(state: PursuitState) -> bool:
    """Paragraphs 2 and 6: a detective is on the quarry's node, or within reach where the switch says so."""
    if state.quarry is None:
        return False
    if state.quarry in state.pursuers:
        return True
    near = state.config.board.neighbours(state.quarry) if state.config.reach_hops else ()
    return any(node in state.pursuers for node in near)


def outcome(state: PursuitState) -> Outcome | None:
    if state.placing:
        return None
    if is_caught(state):
        return Outcome(Side.PURSUERS, Termination.CAPTURE)
    if _rounds_are_over(state):
        return Outcome(Side.EVADER, Termination.SURVIVAL)
    if not state.waiting and not _quarry_targets(state):
        return Outcome(Side.PURSUERS, Termination.STRANDED)
    return None


def _rounds_are_over(state: PursuitState) -> bool:
    """Paragraph 7: everybody had their turn in the last round."""
    limit = state.config.max_rounds
    if limit is None or state.round < limit:
        return False
    if state.config.first is Side.EVADER:
        return not state.waiting
    return len(state.waiting) == state.config.n_detectives


def to_act(state: PursuitState) -> Seat | None:
    if state.placing:
        return Seat.PURSUERS if state.waiting else Seat.EVADER
    if outcome(state) is not None:
        return None
    return Seat.PURSUERS if state.waiting else Seat.EVADER


def legal_actions(state: PursuitState) -> tuple[PursuitAction, ...]:
    """Quarry: by node. Detectives: by piece, then node; joint moves in the order of their node tuples."""
    if state.placing:
        return _placements(state)
    if outcome(state) is not None:
        return ()
    if not state.waiting:
        return tuple(PursuitMove(node) for node in _quarry_targets(state))
    if state.config.order is PursuitOrder.AT_ONCE:
        return tuple(JointMove(targets) for targets in _joint_targets(state))
    return detective_moves(state)


def detective_moves(state: PursuitState) -> tuple[PursuitMove, ...]:
    """What detectives who move one by one may do; where the quarry is does not matter."""
    pieces = state.waiting if state.config.order is PursuitOrder.ANY else state.waiting[:1]
    return tuple(PursuitMove(node, piece) for piece in pieces for node in _detective_targets(state, piece))


def _quarry_targets(state: PursuitState) -> tuple[Node, ...]:
    """Paragraph 4."""
    assert state.quarry is not None
    nodes = _steps(state, state.quarry, state.config.quarry_may_stay)
    if state.config.may_step_onto:
        return nodes
    return tuple(node for node in nodes if node not in state.pursuers)


def _detective_targets(state: PursuitState, piece: int) -> tuple[Node, ...]:
    """Paragraph 5: a detective with nowhere to go stays."""
    here = state.pursuers[piece]
    nodes = _steps(state, here, state.config.detectives_may_stay)
    if not state.config.may_share:
        others = state.pursuers[:piece] + state.pursuers[piece + 1 :]
        nodes = tuple(node for node in nodes if node not in others)
    return nodes or (here,)


def _joint_targets(state: PursuitState) -> Iterator[tuple[Node, ...]]:
    """All at once: everybody leaves before anybody arrives, so only the destinations must differ.

    Where no joint move exists (somebody is walled in), everybody stays.
    """
    choices = [_steps(state, node, state.config.detectives_may_stay) or (node,) for node in state.pursuers]
    found = False
    for targets in product(*choices):
        if state.config.may_share or len(set(targets)) == len(targets):
            found = True
            yield targets
    if not found:
        yield state.pursuers


def _steps(state: PursuitState, node: Node, may_stay: bool) -> tuple[Node, ...]:
    near = state.config.board.neighbours(node)
    return tuple(sorted((*near, node))) if may_stay else near


def _placements(state: PursuitState) -> tuple[PursuitAction, ...]:
    """Detectives first, one after the other, then the quarry on a node where he is not caught at once, if any."""
    config, placed = state.config, state.pursuers
    nodes = tuple(config.board.nodes())
    if state.waiting:
        return tuple(PursuitMove(n, len(placed)) for n in nodes if config.may_share or n not in placed)
    safe = tuple(PursuitMove(n) for n in nodes if not is_caught(replace(state, quarry=n)))
    return safe or tuple(PursuitMove(n) for n in nodes)


def check_action(state: PursuitState, action: PursuitAction) -> None:
    legal = legal_actions(state)
    if action in legal:
        return
    _check_is_action(state.config.board.n_nodes, action)
    board, text = state.config.board, format_action(state.config, action)
    if not legal:
        raise IllegalAction(f"{text} is not legal: the game is over ({outcome(state)})")
    acting = to_act(state)
    speaks = Seat.EVADER if isinstance(action, PursuitMove) and action.piece is None else Seat.PURSUERS
    who = "the quarry" if speaks is Seat.EVADER else "the detectives"
    if speaks is not acting:
        raise IllegalAction(f"{who} cannot play {text}: it is the turn of the other side")
    seen = speaks is Seat.EVADER or is_seen(state)
    place = f"quarry on {board.label(state.quarry)}" if state.quarry is not None and seen else "quarry not seen"
    where = f"round {state.round}, {place}, detectives on {board.text(state.pursuers) or '-'}"
    options = one_of(format_action(state.config, a) for a in legal)
    raise IllegalAction(f"{who} cannot play {text} ({where}); legal: {options}")


def _check_is_action(n_nodes: int, action: object) -> None:
    """Whatever a stranger's agent returns is refused in words."""
    nodes: tuple[object, ...] = ()
    if isinstance(action, PursuitMove) and (action.piece is None or type(action.piece) is int):
        nodes = (action.to,)
    elif isinstance(action, JointMove) and isinstance(action.to_all, tuple):
        nodes = action.to_all
    if not nodes or not all(isinstance(node, int) and 0 <= node < n_nodes for node in nodes):
        known = f"PursuitMove(to, piece) or JointMove(to_all) with nodes 0 to {n_nodes - 1}"
        raise IllegalAction(f"{' '.join(repr(action).split())[:60]} is not an action; give {known}")


def apply_action(state: PursuitState, action: PursuitAction) -> PursuitState:
    check_action(state, action)
    if state.placing:
        return _place(state, action)
    after = _moved(state, action)
    return replace(after, sighting=_sighting(after)) if after.config.visibility is not Visibility.ALWAYS else after


def _moved(state: PursuitState, action: PursuitAction) -> PursuitState:
    everybody = tuple(range(state.config.n_detectives))
    if isinstance(action, JointMove):
        return replace(state, pursuers=action.to_all, waiting=())
    if action.piece is None:
        return replace(state, quarry=action.to, round=state.round + 1, waiting=everybody)
    pursuers = (*state.pursuers[: action.piece], action.to, *state.pursuers[action.piece + 1 :])
    return replace(state, pursuers=pursuers, waiting=tuple(p for p in state.waiting if p != action.piece))


def _place(state: PursuitState, action: PursuitAction) -> PursuitState:
    assert isinstance(action, PursuitMove)
    if action.piece is not None:
        return replace(state, pursuers=(*state.pursuers, action.to), waiting=state.waiting[1:])
    return begun(replace(state, quarry=action.to))


def begun(placed: PursuitState) -> PursuitState:
    """All pieces stand; the first side is to move, and the detectives see what the switch lets them see."""
    config = placed.config
    waiting = () if config.first is Side.EVADER else tuple(range(config.n_detectives))
    state = replace(placed, waiting=waiting)
    return replace(state, sighting=_sighting(state)) if config.visibility is not Visibility.ALWAYS else state


def _sighting(state: PursuitState) -> Sighting | None:
    """The newest sighting; a catch is always seen."""
    assert state.quarry is not None
    if is_seen(state):
        return Sighting(state.quarry, state.round)
    return state.sighting


def is_seen(state: PursuitState) -> bool:
    """Whether the detectives see the quarry now."""
    config = state.config
    if state.quarry is None:
        return False
    if config.visibility is Visibility.ALWAYS or is_caught(state):
        return True
    if config.visibility is Visibility.ROUNDS:
        just_moved = len(state.waiting) == config.n_detectives
        return state.round in config.reveal_rounds and just_moved
    hops = distances(config.board)
    return any(0 <= hops[state.quarry, node] <= config.sight_hops for node in state.pursuers)
