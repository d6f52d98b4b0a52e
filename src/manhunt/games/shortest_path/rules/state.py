"""The truth of a game of Adversarial Shortest Path; nothing of it is secret."""

from dataclasses import dataclass

from manhunt.core.ids import Node, Seat
from manhunt.core.short_repr import line_repr
from manhunt.games.shortest_path.rules.config import ShortestPathConfig


@dataclass(frozen=True, slots=True)
class ShortestPathState:
    """Where the traveller is, how often each edge of the board was raised, what was paid, and the number of moves so
    far.
    """

    config: ShortestPathConfig
    quarry: Node
    raises: tuple[int, ...]
    total: float = 0.0
    ply: int = 0

    @property
    def round(self) -> int:
        """The moves the traveller has made."""
        return (self.ply + 1) // 2

    def __repr__(self) -> str:
        from manhunt.games.shortest_path.rules.notation import format_state

        return line_repr(self, format_state)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view
        from manhunt.games.shortest_path.rules.views import view

        return draw_view(view(self, Seat.EVADER))
