"""What each seat of Scotland Yard may know, now and event by event (paragraph 17)."""

from dataclasses import dataclass
from typing import ClassVar

from manhunt.core.events import Event
from manhunt.core.game import Sighting
from manhunt.core.ids import Node, Seat
from manhunt.core.outcome import Outcome
from manhunt.core.short_repr import line_repr
from manhunt.games.scotland_yard.rules import rules
from manhunt.games.scotland_yard.rules.actions import Double, Piece, ScotlandYardAction, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardConfig
from manhunt.games.scotland_yard.rules.messages import (
    DetectiveMoved,
    DetectivePiece,
    DetectivesPlaced,
    DoubleMove,
    Logged,
    MrXPlaced,
    QuarryAt,
    TicketCounts,
    Turn,
    ViewMessage,
)
from manhunt.games.scotland_yard.rules.state import LogEntry, ScotlandYardState, last_sighting

MRX_ALONE = frozenset({Seat.EVADER})


@dataclass(frozen=True, slots=True)
class Detective:
    """One detective as everybody sees them."""

    piece: Piece
    """The colour."""
    node: Node
    """Where they are."""
    tickets: Tickets
    """What they have left."""


@dataclass(frozen=True, slots=True)
class ScotlandYardView:
    """What a seat sees. `quarry` is None for everybody but Mr X until the game is over."""

    config: ScotlandYardConfig
    """Board, options and preset of the game."""
    seat: Seat
    """Whose knowledge this is."""
    quarry: Node | None
    """Where Mr X is; None for everybody but him until the game is over."""
    detectives: tuple[Detective, ...]
    """The detectives in the order of their seats, with place and tickets."""
    mrx_tickets: Tickets
    """The tickets that Mr X has left; everybody may count them."""
    log: tuple[LogEntry, ...]
    """Mr X's travel log: the ticket of every move, with his place where he was shown."""
    waiting: tuple[Piece, ...]
    """The detectives who still have to move before Mr X does."""
    free: bool
    """Whether Mr X was placed by hand, so he may have started anywhere."""
    to_act: Seat | None
    """Who acts now; None when the game is over."""
    legal: tuple[ScotlandYardAction, ...]
    """What this seat may do now, in a fixed order; empty when another seat acts."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""
    game: ClassVar[str] = "scotland_yard"
    """The game's name in the registry."""

    @property
    def round(self) -> int:
        """Moves of Mr X so far; a double move counts as two."""
        return len(self.log)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The detectives' pieces in the order of `pursuers`."""
        return tuple(detective.piece for detective in self.detectives)

    @property
    def rounds_left(self) -> int:
        """Rounds that are still to come."""
        return len(self.config.rounds) - len(self.log)

    @property
    def moves_left(self) -> int:
        """Roughly how many more decisions this seat has to make."""
        return (self.rounds_left + 1) * (1 if self.seat is Seat.EVADER else len(self.pursuers))

    @property
    def sighting(self) -> Sighting | None:
        """The latest place in the log, and its round; None before the first one."""
        return last_sighting(self.log)

    @property
    def pursuers(self) -> tuple[Node, ...]:
        """Where the detectives are, in the order of `detectives`."""
        return tuple(d.node for d in self.detectives)

    def __repr__(self) -> str:
        from manhunt.games.scotland_yard.rules.notation import format_view

        return line_repr(self, format_view)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view

        return draw_view(self)


def view(state: ScotlandYardState, seat: Seat) -> ScotlandYardView:
    end = rules.outcome(state)
    acting = rules.to_act(state)
    held = zip(state.pieces, state.pursuers, state.tickets[1:], strict=True)
    return ScotlandYardView(
        config=state.config,
        seat=seat,
        quarry=state.quarry if seat in MRX_ALONE or end is not None else None,
        detectives=tuple(Detective(*each) for each in held),
        mrx_tickets=state.tickets[0],
        log=state.log,
        waiting=state.waiting,
        free=state.free,
        to_act=acting,
        legal=rules.legal_actions(state) if acting is seat else (),
        outcome=end,
    )


def view_to_json(view: ScotlandYardView) -> ViewMessage:
    label = view.config.board.label
    seen = view.sighting
    return {
        "seat": view.seat.value,
        "round": view.round,
        "to_act": view.to_act.value if view.to_act else None,
        "quarry": None if view.quarry is None else label(view.quarry),
        "sighting": None if seen is None else {"at": label(seen.node), "round": seen.round},
        "detectives": [
            {"piece": str(d.piece), "at": label(d.node), "tickets": _counts(d.tickets)} for d in view.detectives
        ],
        "mrx_tickets": _counts(view.mrx_tickets),
        "log": [
            {"ticket": str(entry.ticket), "at": None if entry.node is None else label(entry.node)} for entry in view.log
        ],
        "waiting": [str(piece) for piece in view.waiting],
        "free": view.free,
        "outcome": str(view.outcome) if view.outcome else None,
    }


def opening_events(state: ScotlandYardState) -> tuple[Event, ...]:
    """Always four: detectives, Mr X's tickets, his place for himself, and who moves."""
    label = state.config.board.label
    detectives = [
        DetectivePiece(piece=str(piece), at=label(node), tickets=_counts(held))
        for piece, node, held in zip(state.pieces, state.pursuers, state.tickets[1:], strict=True)
    ]
    starts = None if state.free else list(state.config.mrx_starts)
    return (
        Event("detectives", DetectivesPlaced(detectives=detectives)),
        Event("mrx", MrXPlaced(tickets=_counts(state.tickets[0]), starts=starts)),
        Event("quarry", QuarryAt(at=label(state.quarry)), MRX_ALONE),
        _turn(state),
    )


def events(before: ScotlandYardState, action: ScotlandYardAction, after: ScotlandYardState) -> tuple[Event, ...]:
    """A detective's move makes two events, a single move of Mr X three, his double move six.

    Each step of Mr X is told twice: as the log shows it to all, and with its node to himself.
    """
    label = before.config.board.label
    if action.piece.is_detective:
        ticket, node = rules.steps_of(action)[0]
        moved = Event("moved", DetectiveMoved(piece=str(action.piece), ticket=str(ticket), to=label(node)))
        return (moved, _turn(after))
    happened = [Event("double", DoubleMove())] if isinstance(action, Double) else []
    for i, (ticket, node) in enumerate(rules.steps_of(action)):
        entry = after.log[before.round + i]
        shown = None if entry.node is None else label(entry.node)
        happened.append(Event("logged", Logged(round=before.round + i + 1, ticket=str(ticket), at=shown)))
        happened.append(Event("quarry", QuarryAt(at=label(node)), MRX_ALONE))
    return (*happened, _turn(after))


def _turn(state: ScotlandYardState) -> Event:
    """Mr X or the detectives who have not moved this turn; after the end, how it ended and where Mr X is."""
    end = rules.outcome(state)
    if end is None:
        movers = [piece.name.lower() for piece in state.waiting] or ["mrx"]
        return Event("turn", Turn(movers=movers, outcome=None, quarry=None))
    return Event("turn", Turn(movers=[], outcome=str(end), quarry=state.config.board.label(state.quarry)))


def _counts(tickets: Tickets) -> TicketCounts:
    taxi, bus, underground, secret, double = tickets
    return {"taxi": taxi, "bus": bus, "underground": underground, "secret": secret, "double": double}
