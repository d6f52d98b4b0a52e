"""Text for moves, positions and events: `R:12` the runner goes to 12, `h0:7` the first hunter to 7."""

from collections.abc import Mapping
from typing import Any

from manhunt.core import BadText
from manhunt.draw import pursuer_look
from night_chase.config import Config
from night_chase.rules import Move, State
from night_chase.views import View


def format_action(config: Config, action: Move) -> str:
    return f"{'R' if action.piece is None else f'h{action.piece}'}:{config.board.label(action.to)}"


def parse_action(config: Config, text: str) -> Move:
    pieces = {"R": None, **{f"h{number}": number for number in range(config.hunters)}}
    piece, colon, label = text.partition(":")
    if not colon or piece not in pieces:
        raise BadText(f"could not parse {text!r}; write R:NODE for the runner, h0:NODE for the first hunter")
    return Move(config.board.node(label), pieces[piece])


def format_state(state: State) -> str:
    return _line(state, state.config.board.label(state.quarry))


def format_view(view: View) -> str:
    return _line(view, "?" if view.quarry is None else view.config.board.label(view.quarry))


def _line(seen: State | View, runner: str) -> str:
    turn = "R" if seen.moved == seen.config.hunters else f"h{seen.moved}"
    return f"round {seen.round}, R {runner}, h {seen.config.board.text(seen.pursuers)}, to move {turn}"


def tell(event: Mapping[str, Any]) -> str | None:
    """An event in words; None if there is nothing to say."""
    kind, at = event["t"], event.get("at")
    if kind == "hunters":
        return f"hunters on {' '.join(at or ())}"
    if kind == "moved":
        who = event["piece"]
        return "the runner moves" if who is None else f"{pursuer_look(who).name} goes to {event['to']}"
    return at and f"the runner is {'seen ' if kind == 'seen' else ''}on {at}"
