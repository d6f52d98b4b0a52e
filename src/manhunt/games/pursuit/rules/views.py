"""What each seat of Pursuit may know, now and event by event."""

from dataclasses import dataclass
from typing import ClassVar

from manhunt.core.events import Event
from manhunt.core.game import Sighting
from manhunt.core.ids import EVERYBODY, Node, Seat
from manhunt.core.outcome import Outcome
from manhunt.core.short_repr import line_repr
from manhunt.games.pursuit.rules import rules
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction
from manhunt.games.pursuit.rules.config import PursuitConfig, Visibility
from manhunt.games.pursuit.rules.messages import (
    AllMoved,
    DetectiveMoved,
    DetectivesPlaced,
    QuarryMoved,
    QuarryPlaced,
    SightingReport,
    ViewMessage,
)
from manhunt.games.pursuit.rules.state import PursuitState

SEES_QUARRY = frozenset({Seat.EVADER})


@dataclass(frozen=True, slots=True)
class PursuitView:
    """What a seat sees. `quarry` is None if the seat does not see it; `sighting` is then where it was seen last."""

    config: PursuitConfig
    """Board, options and preset of the game."""
    seat: Seat
    """Whose knowledge this is."""
    quarry: Node | None
    """Where Mr X is; None if the seat does not see him, or before he is placed."""
    sighting: Sighting | None
    """Where and when Mr X was seen last; None if that never happened, or if he is always seen."""
    pursuers: tuple[Node, ...]
    """Where the detectives are, the first detective first; those not placed yet are missing."""
    round: int
    """Rounds that have begun; 0 before the first move."""
    waiting: tuple[int, ...]
    """The detectives, counted from 0, who move before Mr X does."""
    placing: bool
    """Whether the pieces are still choosing their places."""
    to_act: Seat | None
    """Who acts now; None when the game is over."""
    legal: tuple[PursuitAction, ...]
    """What this seat may do now, in a fixed order; empty when another seat acts."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""
    game: ClassVar[str] = "pursuit"
    """The game's name in the registry."""

    @property
    def state(self) -> PursuitState:
        """The whole state, for a seat that sees the quarry or while the pieces are being placed."""
        return PursuitState(self.config, self.quarry, self.pursuers, self.round, self.waiting, self.sighting)

    def __repr__(self) -> str:
        from manhunt.games.pursuit.rules.notation import format_view

        return line_repr(self, format_view)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view

        return draw_view(self)


def view(state: PursuitState, seat: Seat) -> PursuitView:
    acting = rules.to_act(state)
    visible = seat in SEES_QUARRY or rules.is_seen(state)
    return PursuitView(
        config=state.config,
        seat=seat,
        quarry=state.quarry if visible else None,
        sighting=state.sighting,
        pursuers=state.pursuers,
        round=state.round,
        waiting=state.waiting,
        placing=state.placing,
        to_act=acting,
        legal=rules.legal_actions(state) if acting is seat else (),
        outcome=rules.outcome(state),
    )


def view_to_json(view: PursuitView) -> ViewMessage:
    label = view.config.board.label
    seen = view.sighting
    return {
        "seat": view.seat.value,
        "round": view.round,
        "to_act": view.to_act.value if view.to_act else None,
        "quarry": None if view.quarry is None else label(view.quarry),
        "sighting": None if seen is None else {"at": label(seen.node), "round": seen.round},
        "detectives": [label(node) for node in view.pursuers],
        "waiting": list(view.waiting),
        "placing": view.placing,
        "outcome": str(view.outcome) if view.outcome else None,
    }


def opening_events(state: PursuitState) -> tuple[Event, ...]:
    """Always two: the detectives' places for all, the quarry's for those who see it."""
    board = state.config.board
    quarry = None if state.quarry is None else board.label(state.quarry)
    audience = EVERYBODY if quarry is None or rules.is_seen(state) else SEES_QUARRY
    return (
        Event("detectives", DetectivesPlaced(at=[board.label(n) for n in state.pursuers])),
        Event("quarry", QuarryPlaced(at=quarry), audience),
    )


def events(before: PursuitState, action: PursuitAction, after: PursuitState) -> tuple[Event, ...]:
    """One for the move and, where the quarry can be hidden, one that tells whether it is seen now."""
    board = before.config.board
    if isinstance(action, JointMove):
        moved = Event("moved", AllMoved(pieces="all", to=[board.label(n) for n in action.to_all]))
    elif action.piece is not None:
        moved = Event("moved", DetectiveMoved(piece=action.piece, to=board.label(action.to)))
    else:
        audience = EVERYBODY if rules.is_seen(after) else SEES_QUARRY
        moved = Event("moved", QuarryMoved(piece="quarry", to=board.label(action.to)), audience)
    if before.config.visibility is Visibility.ALWAYS:
        return (moved,)
    seen = board.label(after.quarry) if after.quarry is not None and rules.is_seen(after) else None
    return (moved, Event("sighting", SightingReport(at=seen, round=after.round)))
