"""The detectives as a team, where they move one by one: a turn can be planned before it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Seat
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import PursuitConfig, PursuitOrder
from manhunt.games.pursuit.rules.notation import format_action
from manhunt.games.pursuit.rules.views import PursuitView
from manhunt.games.pursuit.rules.words import detective_letter, detective_name


def places(config: PursuitConfig) -> tuple[tuple[str, str], ...]:
    """Name and letter of each detective; none where all move at once."""
    if config.order is PursuitOrder.AT_ONCE:
        return ()
    return tuple((detective_name(i), detective_letter(i)) for i in range(config.n_detectives))


def place_of(config: PursuitConfig, action: PursuitAction) -> int:
    """Whose move it is, counted among the places."""
    assert isinstance(action, PursuitMove)
    assert action.piece is not None
    return action.piece


def planned(view: PursuitView, actions: Sequence[PursuitAction]) -> PursuitView:
    """What the detectives would see after these moves, if they neither catch nor newly see the quarry.

    Made from the view alone, so that a step onto a hidden quarry looks like any other; IllegalAction names a wrong one.
    """
    for action in actions:
        if action not in view.legal or not isinstance(action, PursuitMove):
            raise IllegalAction(f"{format_action(view.config, action)} is not possible after the moves before it")
        view = _after(view, action)
    return view


def _after(view: PursuitView, action: PursuitMove) -> PursuitView:
    waiting = tuple(piece for piece in view.waiting if piece != action.piece)
    pursuers = list(view.pursuers)
    pursuers[action.piece : (action.piece or 0) + 1] = [action.to]
    after = replace(view, pursuers=tuple(pursuers), waiting=waiting, to_act=Seat.PURSUERS if waiting else Seat.EVADER)
    state = after.state
    if view.quarry is not None and not rules.is_seen(state):
        after = replace(after, quarry=None)
    if not waiting:
        return replace(after, legal=())
    moves = rules.legal_actions(state) if view.placing else rules.detective_moves(state)
    return replace(after, legal=moves)
