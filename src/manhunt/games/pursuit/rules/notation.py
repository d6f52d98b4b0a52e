"""Text for Pursuit: `X:8` the quarry goes to 8, `d0:12` detective 0 goes to 12, `all:12,5` all at once."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from manhunt.core.errors import BadText, one_of
from manhunt.games.pursuit.rules.actions import JointMove, PursuitAction, PursuitMove
from manhunt.games.pursuit.rules.config import PursuitConfig
from manhunt.games.pursuit.rules.words import detective_letter

if TYPE_CHECKING:
    from manhunt.games.pursuit.rules.state import PursuitState
    from manhunt.games.pursuit.rules.views import PursuitView


def format_action(config: PursuitConfig, action: PursuitAction) -> str:
    if isinstance(action, JointMove):
        return "all:" + ",".join(config.board.label(node) for node in action.to_all)
    return f"{'X' if action.piece is None else f'd{action.piece}'}:{config.board.label(action.to)}"


def by_letters(text: str) -> str:
    """An action's text with the detectives by the letters on their pieces: `R:12` for `d0:12`, `R:12 G:5` for both."""
    piece, _, nodes = text.partition(":")
    if piece == "X":
        return text
    numbers = count() if piece == "all" else [int(piece[1:])]
    return " ".join(f"{detective_letter(i)}:{node}" for i, node in zip(numbers, nodes.split(","), strict=False))


def parse_action(config: PursuitConfig, text: str) -> PursuitAction:
    """The inverse of `format_action`."""
    piece, colon, label = text.partition(":")
    if not colon:
        raise BadText(f"{text!r} is not a move; write X:NODE for the quarry, d0:NODE for detective 0")
    if piece == "all":
        nodes = tuple(config.board.node(part) for part in label.split(","))
        if len(nodes) != config.n_detectives:
            raise BadText(f"{text!r} has {len(nodes)} nodes; there are {config.n_detectives} detectives")
        return JointMove(nodes)
    return PursuitMove(config.board.node(label), _parse_piece(config, piece, text))


def _parse_piece(config: PursuitConfig, piece: str, text: str) -> int | None:
    if piece == "X":
        return None
    names = [f"d{i}" for i in range(config.n_detectives)]
    if piece not in names:
        raise BadText(f"{text!r} names no piece; pieces are X, all and {one_of(names)}")
    return names.index(piece)


def format_state(state: PursuitState) -> str:
    """`round 3, X 8, d 5 10, to move d1`."""
    return _line(state)


def format_view(view: PursuitView) -> str:
    line = _line(view)
    if view.quarry is None and view.sighting is not None:
        line += f", last seen {view.config.board.label(view.sighting.node)} in round {view.sighting.round}"
    return line


def _line(seen: PursuitState | PursuitView) -> str:
    board = seen.config.board
    place = "?" if seen.quarry is None else board.label(seen.quarry)
    doing = "to place" if seen.placing else "to move"
    turn = " ".join(f"d{i}" for i in seen.waiting) or "X"
    return f"round {seen.round}, X {place}, d {board.text(seen.pursuers) or '-'}, {doing} {turn}"
