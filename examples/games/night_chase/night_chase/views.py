"""What each seat may know, now and event by event: paragraph 7."""

from dataclasses import dataclass
from typing import Any, ClassVar

from manhunt import Node, Seat
from manhunt.core import Event, Outcome, Sighting
from night_chase import rules
from night_chase.config import Config
from night_chase.rules import Move, State


@dataclass(frozen=True, slots=True)
class View:
    """`quarry` is None where the seat does not see the runner; `sighting` is where it was seen last."""

    config: Config
    seat: Seat
    quarry: Node | None
    pursuers: tuple[Node, ...]
    round: int
    moved: int
    sighting: Sighting | None
    to_act: Seat | None
    legal: tuple[Move, ...]
    outcome: Outcome | None
    game: ClassVar[str] = "night_chase"


def view(state: State, seat: Seat) -> View:
    acting = rules.to_act(state)
    return View(
        state.config,
        seat,
        state.quarry if seat is Seat.EVADER or rules.is_seen(state) else None,
        state.pursuers,
        state.round,
        state.moved,
        state.sighting,
        acting,
        rules.legal_actions(state) if acting is seat else (),
        rules.outcome(state),
    )


def view_to_json(view: View) -> dict[str, Any]:
    label, last = view.config.board.label, view.sighting
    return {
        "seat": view.seat.value,
        "round": view.round,
        "to_act": view.to_act and view.to_act.value,
        "runner": None if view.quarry is None else label(view.quarry),
        "sighting": last and {"at": label(last.node), "round": last.round},
        "hunters": [label(node) for node in view.pursuers],
        "outcome": view.outcome and str(view.outcome),
    }


def opening_events(state: State) -> tuple[Event, ...]:
    hunters = Event("hunters", {"at": [state.config.board.label(node) for node in state.pursuers]})
    return (hunters, *_runner(state, moved=True, seen=state.sighting is not None))


def events(before: State, action: Move, after: State) -> tuple[Event, ...]:
    """Always three, so counting them tells nobody anything: who moved, the runner's node, a new sighting."""
    runs = action.piece is None
    moved = Event("moved", {"piece": action.piece, "to": None if runs else before.config.board.label(action.to)})
    return (moved, *_runner(after, moved=runs, seen=after.sighting != before.sighting))


def _runner(state: State, *, moved: bool, seen: bool) -> tuple[Event, Event]:
    place = state.config.board.label(state.quarry)
    secret = Event("runner", {"at": place}, frozenset({Seat.EVADER})) if moved else Event("runner", {"at": None})
    return secret, Event("seen", {"at": place if seen else None})
