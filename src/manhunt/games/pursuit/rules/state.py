"""The truth of a Pursuit game."""

from dataclasses import dataclass

from manhunt.core.game import Sighting
from manhunt.core.ids import Node, Seat
from manhunt.core.short_repr import line_repr
from manhunt.games.pursuit.rules.config import PursuitConfig


@dataclass(frozen=True, slots=True)
class PursuitState:
    """Where the pieces are, and who still has to move in this round.

    `waiting` lists the detectives that have not moved yet; if it is empty, the quarry moves. While pieces are being
    placed, `quarry` is None, `pursuers` holds those already placed and `waiting` the others. `sighting` stays None if
    the quarry is always visible.
    """

    config: PursuitConfig
    quarry: Node | None
    pursuers: tuple[Node, ...]
    round: int = 0
    waiting: tuple[int, ...] = ()
    sighting: Sighting | None = None

    @property
    def placing(self) -> bool:
        """Whether the pieces are still choosing their places."""
        return self.quarry is None

    def __repr__(self) -> str:
        from manhunt.games.pursuit.rules.notation import format_state

        return line_repr(self, format_state)

    def _repr_svg_(self) -> str:
        from manhunt.draw.scenes import draw_view
        from manhunt.games.pursuit.rules.views import view

        return draw_view(view(self, Seat.EVADER))
