"""Text for the game: `257-134` is an edge, taken by the traveller or raised by the adversary; `-` is a pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from manhunt.games.shortest_path.rules.actions import EmptyMove, OnEdge, ShortestPathAction
from manhunt.games.shortest_path.rules.config import ShortestPathConfig
from manhunt.games.shortest_path.rules.costs import cost_of
from manhunt.games.shortest_path.rules.labels import DASH, edge_text, parse_edge

if TYPE_CHECKING:
    from manhunt.games.shortest_path.rules.state import ShortestPathState
    from manhunt.games.shortest_path.rules.views import ShortestPathView


def format_action(config: ShortestPathConfig, action: ShortestPathAction) -> str:
    return DASH if isinstance(action, EmptyMove) else edge_text(config.board, action.start, action.to)


def parse_action(config: ShortestPathConfig, text: str) -> ShortestPathAction:
    """The inverse of `format_action`."""
    return EmptyMove() if text == DASH else OnEdge(*parse_edge(config.board, text))


def format_state(state: ShortestPathState) -> str:
    """`round 3, at 12, paid 4.41421, to move A, raised 3-7 to 5.82843 (2)`."""
    return _line(state)


def format_view(view: ShortestPathView) -> str:
    return _line(view)


def _line(seen: ShortestPathState | ShortestPathView) -> str:
    config, board = seen.config, seen.config.board
    texts = [
        f"{edge_text(board, board.edges[i].a, board.edges[i].b)} to {cost_of(config, seen.raises, i):g} ({n})"
        for i, n in enumerate(seen.raises)
        if n
    ]
    turn = "A" if seen.ply % 2 else "P"
    return (
        f"round {seen.round}, at {board.label(seen.quarry)}, paid {seen.total:g}, to move {turn}"
        f", raised {', '.join(texts) or '-'}"
    )
