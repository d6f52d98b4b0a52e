"""Text for Pursuit: `X:8` the quarry goes to 8, `d0:12` detective 0 goes to 12, `all:12,5` all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from manhunt.errors import BadText, one_of
from manhunt.games.pursuit.actions import Action, JointMove, Move
from manhunt.games.pursuit.config import Config
from manhunt.ids import Node

if TYPE_CHECKING:
    from manhunt.games.pursuit.state import State
    from manhunt.games.pursuit.views import View


def format_action(config: Config, action: Action) -> str:
    if isinstance(action, JointMove):
        return "all:" + ",".join(config.board.label(node) for node in action.to_all)
    return f"{'X' if action.piece is None else f'd{action.piece}'}:{config.board.label(action.to)}"


def parse_action(config: Config, text: str) -> Action:
    """The inverse of `format_action`."""
    piece, colon, label = text.partition(":")
    if not colon:
        raise BadText(f"{text!r} is no move; write X:NODE for the quarry, d0:NODE for detective 0")
    if piece == "all":
        nodes = tuple(config.board.node(part) for part in label.split(","))
        if len(nodes) != config.n_detectives:
            raise BadText(f"{text!r} has {len(nodes)} nodes; there are {config.n_detectives} detectives")
        return JointMove(nodes)
    return Move(config.board.node(label), _parse_piece(config, piece, text))


def _parse_piece(config: Config, piece: str, text: str) -> int | None:
    if piece == "X":
        return None
    names = [f"d{i}" for i in range(config.n_detectives)]
    if piece not in names:
        raise BadText(f"{text!r} names no piece; pieces are X, all and {one_of(names)}")
    return names.index(piece)


def format_state(state: State) -> str:
    """`round 3, X 8, d 5 10, to move d1`."""
    return _line(state.config, state.round, state.quarry, state.pursuers, state.waiting, state.placing)


def format_view(view: View) -> str:
    line = _line(view.config, view.round, view.quarry, view.pursuers, view.waiting, view.placing)
    if view.quarry is None and view.sighting is not None:
        line += f", last seen {view.config.board.label(view.sighting.node)} in round {view.sighting.round}"
    return line


def _line(
    config: Config,
    round_: int,
    quarry: Node | None,
    pursuers: tuple[Node, ...],
    waiting: tuple[int, ...],
    placing: bool,
) -> str:
    place = "?" if quarry is None else config.board.label(quarry)
    doing = "to place" if placing else "to move"
    turn = " ".join(f"d{i}" for i in waiting) or "X"
    return f"round {round_}, X {place}, d {config.board.text(pursuers) or '-'}, {doing} {turn}"
