"""The truth of a game of Adversarial Shortest Path; nothing of it is secret."""

from __future__ import annotations

from dataclasses import dataclass

from manhunt.games.shortest_path.config import Config
from manhunt.ids import Node


@dataclass(frozen=True, slots=True)
class State:
    """Where the traveller is, how often each edge of the board was raised, what was paid, and the moves so far."""

    config: Config
    quarry: Node
    raises: tuple[int, ...]
    total: float = 0.0
    ply: int = 0

    @property
    def round(self) -> int:
        """The moves the traveller has made."""
        return (self.ply + 1) // 2

    def _repr_svg_(self) -> str:
        from manhunt.draw.shortest_path import draw_state

        return draw_state(self)
