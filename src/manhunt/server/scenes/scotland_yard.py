"""Scotland Yard for its page: pieces, travel log, tickets; moves by ticket, double moves in two steps."""

from __future__ import annotations

from typing import Any

from manhunt.draw.scotland_yard import ending, round_of, title_of
from manhunt.games.scotland_yard.actions import Action, Double, Piece, Single, Ticket, Tickets
from manhunt.games.scotland_yard.notation import format_action
from manhunt.games.scotland_yard.views import View
from manhunt.ids import Seat
from manhunt.server.scenes import pieces


def scene(view: View) -> dict[str, Any]:
    label = view.config.board.label
    pursuers = [pieces.pursuer(d.piece - 1, label(d.node), str(d.piece), d.piece.letter) for d in view.detectives]
    to_come = [r for r in view.config.shown_rounds if r > view.round]
    return {
        **pieces.head(view, round_of(view), title_of(view), ending),
        "rounds": view.config.n_rounds,
        "marks": pieces.marks(view, pursuers),
        "log": log_of(view),
        "nextShown": to_come[0] if to_come else None,
        "seen": None if view.sighting is None else {"at": label(view.sighting.node), "round": view.sighting.round},
        "tickets": [_mrx_row(view), *(_detective_row(view, i) for i in range(len(view.detectives)))],
    }


def log_of(view: View) -> list[dict[str, Any]]:
    """Every slot of the travel log; empty ones have no ticket."""
    slots: list[dict[str, Any]] = []
    for i, shown in enumerate(view.config.rounds):
        entry = view.log[i] if i < len(view.log) else None
        place = None if entry is None or entry.node is None else view.config.board.label(entry.node)
        slots.append(
            {"round": i + 1, "shown": shown, "ticket": None if entry is None else str(entry.ticket), "at": place}
        )
    return slots


def _mrx_row(view: View) -> dict[str, Any]:
    place = None if view.quarry is None else view.config.board.label(view.quarry)
    moves = view.to_act is Seat.EVADER
    return {**pieces.quarry(place or ""), "at": place, "held": view.mrx_tickets._asdict(), "moves": moves}


def _detective_row(view: View, i: int) -> dict[str, Any]:
    d = view.detectives[i]
    row = pieces.pursuer(d.piece - 1, view.config.board.label(d.node), str(d.piece), d.piece.letter)
    held = _three(d.tickets)
    return {**row, "held": held, "moves": view.to_act is Seat.PURSUERS and d.piece in view.waiting}


def _three(tickets: Tickets) -> dict[str, int]:
    return {"taxi": tickets.taxi, "bus": tickets.bus, "underground": tickets.underground}


def offers(view: View) -> list[dict[str, Any]]:
    """Single moves one by one; all double moves in one offer: first step, then what may follow it.

    `{"words": "double move", "double": {"T46": {"ticket", "to", "words", "then": {action: [ticket, to]}}}}`.
    """
    singles = [_single(view, action) for action in view.legal if isinstance(action, Single)]
    doubles = [action for action in view.legal if isinstance(action, Double)]
    return [*singles, _doubles(view, doubles)] if doubles else singles


def _single(view: View, action: Single) -> dict[str, Any]:
    to = view.config.board.label(action.to)
    offer: dict[str, Any] = {
        "action": format_action(view.config, action),
        "words": _step_words(action.ticket, to),
        "picks": [to],
        "ticket": str(action.ticket),
        "to": to,
    }
    if action.piece is not Piece.MRX:
        here = next(d.node for d in view.detectives if d.piece is action.piece)
        offer["words"] = f"{action.piece} by {offer['words']}"
        offer |= {"picks": [view.config.board.label(here), to], "piece": str(action.piece)}
        offer["id"] = f"pursuer-{action.piece - 1}"
    return offer


def _doubles(view: View, doubles: list[Double]) -> dict[str, Any]:
    firsts: dict[str, dict[str, Any]] = {}
    label = view.config.board.label
    for action in doubles:
        text = format_action(view.config, action)
        first, mid = text.removeprefix("2:").partition(",")[0], label(action.mid)
        row = firsts.setdefault(
            first,
            {"ticket": str(action.ticket1), "to": mid, "words": _step_words(action.ticket1, mid), "then": {}},
        )
        row["then"][text] = [str(action.ticket2), label(action.to)]
    return {"words": "double move", "double": firsts}


def _step_words(ticket: Ticket, to: str) -> str:
    return f"{'secret ticket' if ticket is Ticket.SECRET else ticket} to {to}"


def words_of(view: View, action: Action) -> str:
    """A move in words: `taxi to 46, then bus to 58`."""
    label = view.config.board.label
    if isinstance(action, Double):
        return f"{_step_words(action.ticket1, label(action.mid))}, then {_step_words(action.ticket2, label(action.to))}"
    words = _step_words(action.ticket, label(action.to))
    return words if action.piece is Piece.MRX else f"{action.piece} by {words}"
