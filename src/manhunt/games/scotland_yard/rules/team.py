"""The detectives as a team: each can be somebody's, and a turn can be planned before it is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manhunt.core.errors import IllegalAction
from manhunt.core.ids import Node, Seat
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import DETECTIVES, ScotlandYardAction, Single
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.notation import format_action
from manhunt.games.scotland_yard.rules.state import ScotlandYardState
from manhunt.games.scotland_yard.rules.views import Detective, ScotlandYardView

ANYWHERE = Node(0)
"""Stands for Mr X's node in a plan; nothing that is asked of a plan looks at it."""


def places(config: ScotlandYardConfig) -> tuple[tuple[str, str], ...]:
    """Name and letter of each detective."""
    return tuple((str(piece), piece.letter) for piece in DETECTIVES[: config.n_detectives])


def place_of(config: ScotlandYardConfig, action: ScotlandYardAction) -> int:
    """Whose move it is, counted among the places."""
    return DETECTIVES.index(action.piece)


def planned(view: ScotlandYardView, actions: Sequence[ScotlandYardAction]) -> ScotlandYardView:
    """What the detectives would see after these moves, if they do not meet Mr X; IllegalAction names a wrong one.

    Made from the view alone, so that a step onto Mr X looks like any other.
    """
    for action in actions:
        if action not in view.legal or not isinstance(action, Single):
            raise IllegalAction(f"{format_action(view.config, action)} is not possible after the moves before it")
        view = _after(view, action)
    return view


def _after(view: ScotlandYardView, action: Single) -> ScotlandYardView:
    tickets = (view.mrx_tickets, *(d.tickets for d in view.detectives))
    where = (ANYWHERE, view.pieces, view.pursuers, tickets, view.log, view.waiting, view.free)
    state = rules.detective_moved(ScotlandYardState(view.config, *where), action)
    held = zip(state.pieces, state.pursuers, state.tickets[1:], strict=True)
    return replace(
        view,
        detectives=tuple(Detective(*each) for each in held),
        mrx_tickets=state.tickets[0],
        waiting=state.waiting,
        to_act=Seat.PURSUERS if state.waiting else Seat.EVADER,
        legal=rules.detective_moves(state) if state.waiting else (),
    )
