"""How people agreed to play: help, take-backs, confirmed turns, clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from manhunt.analysis.insights import Help
from manhunt.core.errors import BadConfig
from manhunt.play.clock import TimeControl


class OnTimeout(Enum):
    """What happens to a seat of people whose time is over."""

    LOSE = "lose"
    RANDOM = "random"
    """A random legal move is made for it."""
    AGENT = "agent"
    """An agent makes the move."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The same for both sides. A game without a table has those of before: all help, nothing taken back, no clock."""

    help: Help = Help.ALL
    confirm: bool = False
    """The moves of a team of pieces are provisional until the team confirms its turn."""
    take_backs: bool = False
    """At once where nobody sits on the other side, else when somebody there agrees."""
    turn_seconds: float | None = None
    game_seconds: float | None = None
    increment_seconds: float = 0.0
    on_timeout: OnTimeout = OnTimeout.LOSE

    @property
    def time_control(self) -> TimeControl:
        """BadConfig if the numbers make no clock."""
        return TimeControl(self.game_seconds, self.increment_seconds, self.turn_seconds)

    def to_json(self) -> dict[str, Any]:
        return {
            "help": self.help.value,
            "confirm": self.confirm,
            "take_backs": self.take_backs,
            "turn_seconds": self.turn_seconds,
            "game_seconds": self.game_seconds,
            "increment_seconds": self.increment_seconds,
            "on_timeout": self.on_timeout.value,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`; what is missing is as usual. BadConfig names what is wrong."""
        values = dict(data)
        try:
            values |= {name: kind(values[name]) for name, kind in _ENUMS.items() if name in values}
            return cls(**values)
        except (TypeError, ValueError) as error:
            raise BadConfig(f"options of the table: {error}") from None


_ENUMS: Mapping[str, type[Enum]] = {"help": Help, "on_timeout": OnTimeout}
