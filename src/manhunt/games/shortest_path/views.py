"""What each seat may know: everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from manhunt.games.events import Event
from manhunt.games.outcome import Outcome
from manhunt.games.shortest_path import rules
from manhunt.games.shortest_path.actions import Action, Pass
from manhunt.games.shortest_path.config import Config
from manhunt.games.shortest_path.costs import cost_of, edge_index, factors
from manhunt.games.shortest_path.state import State
from manhunt.ids import Node, Seat


@dataclass(frozen=True, slots=True)
class View:
    """The state, and what the seat may do. `raises` has one count for each edge of the board."""

    config: Config
    seat: Seat
    quarry: Node
    raises: tuple[int, ...]
    total: float
    ply: int
    to_act: Seat | None
    legal: tuple[Action, ...]
    outcome: Outcome | None
    game: ClassVar[str] = "shortest_path"

    @property
    def round(self) -> int:
        """The moves the traveller has made."""
        return (self.ply + 1) // 2

    @property
    def state(self) -> State:
        """The truth: nothing is hidden here."""
        return State(self.config, self.quarry, self.raises, self.total, self.ply)

    def _repr_svg_(self) -> str:
        from manhunt.draw.shortest_path import draw_view

        return draw_view(self)


def view(state: State, seat: Seat) -> View:
    acting = rules.to_act(state)
    return View(
        config=state.config,
        seat=seat,
        quarry=state.quarry,
        raises=state.raises,
        total=state.total,
        ply=state.ply,
        to_act=acting,
        legal=rules.legal_actions(state) if acting is seat else (),
        outcome=rules.outcome(state),
    )


def view_to_json(view: View) -> dict[str, Any]:
    """Of the edges those that were raised; all others cost 1."""
    board, config = view.config.board, view.config
    raised = [
        {
            "from": board.label(board.edges[i].a),
            "to": board.label(board.edges[i].b),
            "raises": n_raises,
            "cost": cost_of(config, view.raises, i),
        }
        for i, n_raises in enumerate(view.raises)
        if n_raises
    ]
    return {
        "seat": view.seat.value,
        "round": view.round,
        "to_act": view.to_act.value if view.to_act else None,
        "at": board.label(view.quarry),
        "target": board.label(config.target),
        "total": view.total,
        "raised": raised,
        "outcome": str(view.outcome) if view.outcome else None,
    }


def opening_events(state: State) -> tuple[Event, ...]:
    config = state.config
    ends = {"at": config.board.label(config.source), "target": config.board.label(config.target)}
    return (Event("begun", {**ends, "rule": config.rule.value}),)


def events(before: State, action: Action, after: State) -> tuple[Event, ...]:
    """One: the traveller moved and paid, the adversary raised an edge, or somebody passed."""
    config, board, seat = before.config, before.config.board, rules.whose_turn(before)
    if isinstance(action, Pass):
        return (Event("passed", {"seat": seat.value}),)
    ends = {"from": board.label(action.start), "to": board.label(action.to)}
    edge = edge_index(board)[action.start, action.to]
    cost = cost_of(config, after.raises, edge)
    if seat is Seat.EVADER:
        return (Event("moved", {**ends, "cost": cost, "total": after.total}),)
    return (Event("raised", {**ends, "factor": factors(config)[edge], "cost": cost}),)
