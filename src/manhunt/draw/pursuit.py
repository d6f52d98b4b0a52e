"""Pursuit as a picture: which pieces, offers and words a view or a state puts on its board."""

from __future__ import annotations

from collections.abc import Iterable

from manhunt.draw.overlay import Overlay, Piece
from manhunt.draw.scene import Scene, ending_of
from manhunt.draw.svg import draw_board
from manhunt.games.outcome import Outcome
from manhunt.games.pursuit.actions import Action, JointMove
from manhunt.games.pursuit.config import Order
from manhunt.games.pursuit.state import State
from manhunt.games.pursuit.views import View
from manhunt.games.pursuit.views import view as view_of
from manhunt.ids import Node, Seat

WIDTH = 900


def draw_view(view: View, *, theme: str = "light", width: int = WIDTH) -> str:
    """What a seat sees, as SVG."""
    scene = scene_of(view)
    return draw_board(scene.board, theme=theme, width=width, title=scene.title, marks=scene.marks)


def draw_state(state: State, *, theme: str = "light", width: int = WIDTH) -> str:
    """The truth, as SVG."""
    return draw_view(view_of(state, Seat.EVADER), theme=theme, width=width)


def scene_of(view: View, picked: tuple[Node, ...] = ()) -> Scene:
    pieces = [Piece(node, "pursuer", i) for i, node in enumerate(view.pursuers)]
    last_seen = None
    if view.quarry is not None:
        pieces.insert(0, Piece(view.quarry, "quarry"))
    elif view.sighting is not None:
        last_seen = (view.sighting.node, f"round {view.sighting.round}")
    marks = Overlay(
        pieces=tuple(pieces),
        offers=next_picks(view, view.legal, picked),
        last_seen=last_seen,
        arrows=_picked_arrows(view, picked),
    )
    return Scene(view.config.board, marks, title_of(view))


def picks_of(view: View, action: Action) -> tuple[Node, ...]:
    """The destination; in free order the piece's node first, all at once the destinations in turn."""
    if isinstance(action, JointMove):
        return action.to_all
    if action.piece is not None and view.config.order is Order.ANY and not view.placing:
        return view.pursuers[action.piece], action.to
    return (action.to,)


def next_picks(view: View, actions: Iterable[Action], picked: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes that may be picked next."""
    n = len(picked)
    ways = (picks_of(view, action) for action in actions)
    return tuple(sorted({way[n] for way in ways if way[:n] == picked and len(way) > n}))


def title_of(view: View) -> str:
    """`Pursuit, round 3 of 15: Mr X to move`."""
    rounds = "" if view.config.max_rounds is None else f" of {view.config.max_rounds}"
    return f"Pursuit, round {view.round}{rounds}: {turn_of(view)}"


def turn_of(view: View) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view.outcome)
    verb = "choose a place" if view.placing else "move"
    if view.to_act is Seat.EVADER:
        return f"Mr X to {verb}"
    if view.placing:
        return f"detective d{len(view.pursuers)} to {verb}"
    if view.config.order is Order.IN_ORDER and view.waiting:
        return f"detective d{view.waiting[0]} to {verb}"
    return f"detectives to {verb}"


def ending(outcome: Outcome) -> str:
    return ending_of(outcome, survived="Mr X survived all rounds")


def _picked_arrows(view: View, picked: tuple[Node, ...]) -> tuple[tuple[Node, Node], ...]:
    """Where the pieces picked so far will go."""
    if view.config.order is not Order.AT_ONCE or view.placing:
        return ()
    return tuple((a, b) for a, b in zip(view.pursuers, picked, strict=False) if a != b)
