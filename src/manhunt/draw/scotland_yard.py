"""Scotland Yard as a picture: pieces, last sighting, candidates, offers, travel log and tickets of a view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from manhunt.draw.overlay import Chip, Overlay, Piece
from manhunt.draw.scene import Scene, ending_of
from manhunt.draw.svg import draw_board
from manhunt.games.outcome import Outcome
from manhunt.games.scotland_yard.actions import Tickets
from manhunt.games.scotland_yard.config import Order
from manhunt.games.scotland_yard.rules import steps_of
from manhunt.games.scotland_yard.state import State
from manhunt.games.scotland_yard.views import View
from manhunt.games.scotland_yard.views import view as view_of
from manhunt.ids import Node, Seat

WIDTH = 1200


def draw_view(
    view: View,
    candidates: Iterable[Node] | None = None,
    belief: Mapping[Node, float] | None = None,
    *,
    theme: str = "light",
    width: int = WIDTH,
) -> str:
    """What a seat sees, as SVG; `candidates` and `belief` glow under the nodes."""
    scene = scene_of(view, candidates=candidates or (), belief=belief)
    return draw_board(scene.board, theme=theme, width=width, title=scene.title, marks=scene.marks)


def draw_state(state: State, seat: Seat = Seat.SPECTATOR, *, theme: str = "light", width: int = WIDTH) -> str:
    """A state as one seat sees it, as SVG; the evader's seat sees the whole truth."""
    return draw_view(view_of(state, seat), theme=theme, width=width)


def scene_of(
    view: View,
    picked: tuple[Node, ...] = (),
    candidates: Iterable[Node] = (),
    belief: Mapping[Node, float] | None = None,
) -> Scene:
    pieces = [Piece(d.node, "pursuer", d.piece - 1, d.piece.letter, name=str(d.piece)) for d in view.detectives]
    last_seen = None
    if view.quarry is not None:
        pieces.insert(0, Piece(view.quarry, "quarry", name="Mr X"))
    elif view.sighting is not None:
        last_seen = (view.sighting.node, f"round {view.sighting.round}")
    marks = Overlay(
        pieces=tuple(pieces),
        offers=tuple(sorted({steps_of(action)[0][1] for action in view.legal})),
        candidates=tuple(sorted(candidates)),
        belief=dict(belief or {}),
        last_seen=last_seen,
        strip=log_chips(view),
        caption=ticket_lines(view),
    )
    return Scene(view.config.board, marks, title_of(view))


def log_chips(view: View) -> tuple[Chip, ...]:
    """All slots of the travel log; shown rounds have a strong rim, and the node below once it is known."""
    chips = []
    for i, shown in enumerate(view.config.rounds):
        if i < len(view.log):
            entry = view.log[i]
            below = "" if entry.node is None else view.config.board.label(entry.node)
            chips.append(Chip(str(i + 1), entry.ticket.letter, below, str(entry.ticket), shown))
        else:
            chips.append(Chip(str(i + 1), marked=shown))
    return tuple(chips)


def ticket_lines(view: View) -> tuple[str, ...]:
    mrx = ", ".join(f"{name} {count}" for name, count in view.mrx_tickets._asdict().items())
    detectives = " \u00b7 ".join(f"{d.piece} {_counts(d.tickets)}" for d in view.detectives)
    return (
        "Travel log: T taxi, B bus, U underground, S secret; a strong rim marks a round in which Mr X shows himself.",
        f"Mr X's tickets: {mrx}.",
        f"Detectives' tickets (taxi, bus, underground): {detectives}.",
    )


def _counts(tickets: Tickets) -> str:
    return f"{tickets.taxi} {tickets.bus} {tickets.underground}"


def round_of(view: View) -> int:
    """The round that is being played: on Mr X's turn the slot that he is about to fill."""
    return view.round + (view.to_act is Seat.EVADER)


def title_of(view: View) -> str:
    """`Scotland Yard, round 3 of 24 (shown): Mr X to move`."""
    number = round_of(view)
    shown = " (shown)" if view.outcome is None and number and view.config.rounds[number - 1] else ""
    return f"Scotland Yard, round {number} of {view.config.n_rounds}{shown}: {turn_of(view)}"


def turn_of(view: View) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view.outcome)
    if view.to_act is Seat.EVADER:
        return "Mr X to move"
    if len(view.waiting) == 1:
        return f"{view.waiting[0]} to move"
    if view.config.order is Order.SEATED and view.legal:
        return f"{view.legal[0].piece} to move"
    return f"detectives to move ({' '.join(piece.letter for piece in view.waiting)})"


def ending(outcome: Outcome) -> str:
    return ending_of(outcome, survived="Mr X was not caught in time")
