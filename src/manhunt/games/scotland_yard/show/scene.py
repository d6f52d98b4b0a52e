"""What a seat of Scotland Yard sees: pieces, travel log, tickets; moves by ticket, double moves in two steps."""

from __future__ import annotations

from typing import Any

from manhunt.core.ids import Node, Seat, Side
from manhunt.core.outcome import Outcome, Termination, forfeit_words
from manhunt.core.scene import Scene, SceneOffer, ScenePiece, StripField
from manhunt.draw.board_scene import quarry_piece
from manhunt.draw.scene_json import piece_json
from manhunt.games.scotland_yard.rules.actions import Double, Piece, ScotlandYardAction, Single, Ticket, Tickets
from manhunt.games.scotland_yard.rules.config import ScotlandYardOrder
from manhunt.games.scotland_yard.rules.notation import format_action
from manhunt.games.scotland_yard.rules.views import ScotlandYardView


def scene(view: ScotlandYardView) -> Scene:
    number, label = round_of(view), view.config.board.label
    shown = " (shown)" if view.outcome is None and number and view.config.rounds[number - 1] else ""
    to_come = [r for r in view.config.shown_rounds if r > view.round]
    pursuers = [ScenePiece(d.node, "pursuer", d.piece - 1, d.piece.letter, str(d.piece)) for d in view.detectives]
    return Scene(
        title=f"Scotland Yard, round {number} of {view.config.n_rounds}{shown}: {turn_of(view)}",
        round=number,
        turn=view.to_act,
        outcome=view.outcome,
        turn_words=turn_of(view),
        ending="" if view.outcome is None else ending(view.outcome),
        board=view.config.board,
        pieces=(*quarry_piece(view.quarry, view.sighting, "Mr X", "X"), *pursuers),
        offers=offers(view),
        strip=log_fields(view),
        caption=ticket_lines(view),
        page={
            "rounds": view.config.n_rounds,
            "log": _log(view),
            "nextShown": to_come[0] if to_come else None,
            "seen": view.sighting and {"at": label(view.sighting.node), "round": view.sighting.round},
            "tickets": [_mrx_row(view), *(_detective_row(view, piece) for piece in pursuers)],
        },
    )


# -- words ---------------------------------------------------------------------------------------------


def round_of(view: ScotlandYardView) -> int:
    """The round that is being played: on Mr X's turn the slot that he is about to fill.

    After the last one only a planned turn says that he is to move.
    """
    return min(view.round + (view.to_act is Seat.EVADER), view.config.n_rounds)


def turn_of(view: ScotlandYardView) -> str:
    """Who acts now, or how the game ended."""
    if view.outcome is not None:
        return ending(view.outcome)
    if view.to_act is Seat.EVADER:
        return "Mr X to move"
    if len(view.waiting) == 1:
        return f"{view.waiting[0]} to move"
    if view.config.order is ScotlandYardOrder.SEATED and view.legal:
        return f"{view.legal[0].piece} to move"
    return f"detectives to move ({' '.join(piece.letter for piece in view.waiting)})"


def ending(outcome: Outcome) -> str:
    loser = "the detectives" if outcome.winner is Side.EVADER else "Mr X"
    how = {
        Termination.CAPTURE: "Mr X is caught",
        Termination.STRANDED: "Mr X cannot move",
        Termination.EXHAUSTED: "no detective can move",
        Termination.SURVIVAL: "Mr X escaped",
        Termination.FORFEIT: forfeit_words(outcome, loser),
    }
    who = "Mr X wins" if outcome.winner is Side.EVADER else "the detectives win"
    return f"{who} ({how.get(outcome.termination, outcome.termination.value)})"


def words_of(view: ScotlandYardView, action: ScotlandYardAction) -> str:
    """A move in words: `taxi to 46, then bus to 58`."""
    label = view.config.board.label
    if isinstance(action, Double):
        return f"{_step_words(action.ticket1, label(action.mid))}, then {_step_words(action.ticket2, label(action.to))}"
    words = _step_words(action.ticket, label(action.to))
    return words if action.piece is Piece.MRX else f"{action.piece} by {words}"


def _step_words(ticket: Ticket, to: str) -> str:
    return f"{'secret ticket' if ticket is Ticket.SECRET else ticket} to {to}"


# -- log and tickets -------------------------------------------------------------------------------------


def log_fields(view: ScotlandYardView) -> tuple[StripField, ...]:
    """All slots of the travel log; shown rounds have a strong rim, and the node below once it is known."""
    fields = []
    for slot in _log(view):
        ticket = slot["ticket"] or ""
        fields.append(
            StripField(str(slot["round"]), ticket[:1].upper(), slot["at"] or "", kind=ticket, marked=slot["shown"])
        )
    return tuple(fields)


def _log(view: ScotlandYardView) -> list[dict[str, Any]]:
    """Every slot of the travel log; empty ones have no ticket."""
    slots: list[dict[str, Any]] = []
    for i, shown in enumerate(view.config.rounds):
        entry = view.log[i] if i < len(view.log) else None
        place = None if entry is None or entry.node is None else view.config.board.label(entry.node)
        slots.append(
            {"round": i + 1, "shown": shown, "ticket": None if entry is None else str(entry.ticket), "at": place}
        )
    return slots


def ticket_lines(view: ScotlandYardView) -> tuple[str, ...]:
    mrx = ", ".join(f"{name} {count}" for name, count in view.mrx_tickets._asdict().items())
    held = " · ".join(f"{d.piece} {' '.join(map(str, _three(d.tickets).values()))}" for d in view.detectives)
    return (
        "Travel log: T taxi, B bus, U underground, S secret; a strong rim marks a round in which Mr X shows himself.",
        f"Mr X's tickets: {mrx}.",
        f"Detectives' tickets (taxi, bus, underground): {held}.",
    )


def _mrx_row(view: ScotlandYardView) -> dict[str, Any]:
    place = None if view.quarry is None else view.config.board.label(view.quarry)
    row = piece_json(ScenePiece(view.quarry or Node(0), "quarry", name="Mr X"), place)
    return {**row, "held": view.mrx_tickets._asdict(), "moves": view.to_act is Seat.EVADER}


def _detective_row(view: ScotlandYardView, piece: ScenePiece) -> dict[str, Any]:
    d = next(d for d in view.detectives if d.piece - 1 == piece.index)
    row = piece_json(piece, view.config.board.label(d.node))
    return {**row, "held": _three(d.tickets), "moves": view.to_act is Seat.PURSUERS and d.piece in view.waiting}


def _three(tickets: Tickets) -> dict[str, int]:
    return {"taxi": tickets.taxi, "bus": tickets.bus, "underground": tickets.underground}


# -- offers ------------------------------------------------------------------------------------------------


def offers(view: ScotlandYardView) -> tuple[SceneOffer, ...]:
    """Single moves one by one; all double moves in one offer: first step, then what may follow it.

    `{"words": "double move", "double": {"T46": {"ticket", "to", "words", "then": {action: [ticket, to]}}}}`.
    """
    singles = tuple(_single(view, action) for action in view.legal if isinstance(action, Single))
    doubles = [action for action in view.legal if isinstance(action, Double)]
    return (*singles, _doubles(view, doubles)) if doubles else singles


def _single(view: ScotlandYardView, action: Single) -> SceneOffer:
    label = view.config.board.label
    to = label(action.to)
    picks: tuple[str, ...] = (to,)
    more = {"ticket": str(action.ticket), "to": to}
    if action.piece is not Piece.MRX:
        here = next(d.node for d in view.detectives if d.piece is action.piece)
        picks = (label(here), to)
        more |= {"piece": str(action.piece), "id": f"pursuer-{action.piece - 1}"}
    return SceneOffer(format_action(view.config, action), words_of(view, action), picks, (action.to,), more)


def _doubles(view: ScotlandYardView, doubles: list[Double]) -> SceneOffer:
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
    to = tuple({action.mid for action in doubles})
    return SceneOffer("", "double move", to=to, more={"double": firsts})
