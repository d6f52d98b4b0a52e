"""The truth of a Pursuit game."""

from __future__ import annotations

from dataclasses import dataclass

from manhunt.games.pursuit.config import Config
from manhunt.ids import Node


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where the detectives last saw the quarry, and in which round."""

    node: Node
    round: int


@dataclass(frozen=True, slots=True)
class State:
    """Pieces on nodes and who still has to move in this round.

    `waiting` lists the detectives that have not moved yet; empty means the quarry moves. While pieces are being
    placed, `quarry` is None, `pursuers` holds those already placed and `waiting` the others. `sighting` stays
    None where the quarry is always visible.
    """

    config: Config
    quarry: Node | None
    pursuers: tuple[Node, ...]
    round: int = 0
    waiting: tuple[int, ...] = ()
    sighting: Sighting | None = None

    @property
    def placing(self) -> bool:
        return self.quarry is None

    def _repr_svg_(self) -> str:
        from manhunt.draw.pursuit import draw_state

        return draw_state(self)
