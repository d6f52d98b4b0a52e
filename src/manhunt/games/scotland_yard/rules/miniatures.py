"""Scotland Yard small enough for exact algorithms: a ring of taxis with a bus across."""

from collections.abc import Mapping
from typing import Any

from manhunt.boards.board import Board
from manhunt.boards.build import build_board
from manhunt.core.ids import Transport


def _ring(n: int) -> Board:
    """Taxis around 1 to n, and a bus from 1 to the node across."""
    taxis = [(str(i), str(i % n + 1), Transport.TAXI) for i in range(1, n + 1)]
    return build_board(f"taxi-ring-{n}", [*taxis, ("1", str(n // 2 + 1), Transport.BUS)])


_TICKETS = {"mrx_tickets": {"taxi": 2, "bus": 1, "secret": 1}, "detective_tickets": {"taxi": 3, "bus": 1}}
MINIATURES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"board": _ring(5), "n_detectives": 1, "rounds": 2, "shown": (), **_TICKETS},
    "small": {"board": _ring(6), "n_detectives": 1, "rounds": 3, "shown": (2,), **_TICKETS},
}
