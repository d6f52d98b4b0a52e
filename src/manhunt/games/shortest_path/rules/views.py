"""What each seat may know: everything."""

from dataclasses import dataclass
from typing import ClassVar

from manhunt.core.events import Event
from manhunt.core.ids import Node, Seat
from manhunt.core.outcome import Outcome
from manhunt.core.short_repr import line_repr
from manhunt.games.shortest_path.rules import rules
from manhunt.games.shortest_path.rules.actions import EmptyMove, ShortestPathAction
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import cost_of, edge_index, factors
from manhunt.games.shortest_path.rules.messages import Begun, Moved, Passed, Raised, RaisedEdge, ViewMessage
from manhunt.games.shortest_path.rules.state import ShortestPathState


@dataclass(frozen=True, slots=True)
class ShortestPathView:
    """What a seat sees: the whole state, and its legal moves. `raises` has one count for each edge of the board."""

    config: ShortestPathConfig
    """Board, options and preset of the game."""
    seat: Seat
    """Whose knowledge this is."""
    quarry: Node
    """Where the traveller is."""
    raises: tuple[int, ...]
    """How often each edge of `config.board.edges` was raised."""
    total: float
    """What the traveller has paid so far."""
    ply: int
    """Moves of both sides so far, empty ones included."""
    to_act: Seat | None
    """Who acts now; None when the game is over."""
    legal: tuple[ShortestPathAction, ...]
    """What this seat may do now, in a fixed order; empty when another seat acts."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""
    game: ClassVar[str] = "shortest_path"
    """The game's name in the registry."""

    @property
    def round(self) -> int:
        """The moves the traveller has made."""
        return (self.ply + 1) // 2

    @property
    def state(self) -> ShortestPathState:
        """The whole state: nothing is hidden in this game."""
        return ShortestPathState(self.config, self.quarry, self.raises, self.total, self.ply)

    def __repr__(self) -> str:
        from manhunt.games.shortest_path.rules.notation import format_view

        return line_repr(self, format_view)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view

        return draw_view(self)


def view(state: ShortestPathState, seat: Seat) -> ShortestPathView:
    acting = rules.to_act(state)
    return ShortestPathView(
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


def view_to_json(view: ShortestPathView) -> ViewMessage:
    """Of the edges those that were raised; all others cost 1."""
    board, config = view.config.board, view.config
    raised: list[RaisedEdge] = [
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


def opening_events(state: ShortestPathState) -> tuple[Event, ...]:
    config = state.config
    label = config.board.label
    return (Event("begun", Begun(at=label(config.source), target=label(config.target), rule=config.rule.value)),)


def events(before: ShortestPathState, action: ShortestPathAction, after: ShortestPathState) -> tuple[Event, ...]:
    """One: the traveller moved and paid, the adversary raised an edge, or somebody passed."""
    config, board, seat = before.config, before.config.board, rules.whose_turn(before)
    if isinstance(action, EmptyMove):
        return (Event("passed", Passed(seat=seat.value)),)
    start, to = board.label(action.start), board.label(action.to)
    edge = edge_index(board)[action.start, action.to]
    cost = cost_of(config, after.raises, edge)
    if seat is Seat.EVADER:
        return (Event("moved", Moved({"from": start, "to": to, "cost": cost, "total": after.total})),)
    return (Event("raised", Raised({"from": start, "to": to, "factor": factors(config)[edge], "cost": cost})),)
