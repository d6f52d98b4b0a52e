"""The cop number of a board: the fewest detectives that always win the textbook game, and how fast they win."""

from collections.abc import Callable
from dataclasses import dataclass

from manhunt.boards.board import Board
from manhunt.core.ids import Node
from manhunt.games.pursuit.rules.config import make_config
from manhunt.games.pursuit.solvers.all_starts import solve_all_starts


@dataclass(frozen=True, slots=True)
class CopNumber:
    """What `find_cop_number` found; all fields are None if more detectives are needed than were tried."""

    cop_number: int | None
    capture_time: int | None
    """Moves of the detectives until the catch, from the best placement, against the best robber."""
    placement: tuple[Node, ...] | None


def find_cop_number(
    board: Board, limit: int, *, max_memory: int | None = None, on_try: Callable[[int], None] | None = None
) -> CopNumber:
    """The least number of cops that catch the robber, up to `limit`.

    Examples:
        >>> from manhunt import load_board
        >>> find_cop_number(load_board("petersen"), limit=4).cop_number
        3
    """
    for k in range(1, limit + 1):
        if on_try:
            on_try(k)
        config = make_config("cops-and-robbers", board, n_detectives=k)
        found = solve_all_starts(config, max_memory=max_memory, stop_when_hopeless=True)
        if found.hopeless is not None:
            return CopNumber(k, found.hopeless.rounds, found.hopeless.pursuers)
    return CopNumber(None, None, None)
