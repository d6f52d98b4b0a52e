"""The contract of a stepper: one game played by compiled code, for environments that are to be fast."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from manhunt.core.arrays import Float32s, Int8s
from manhunt.core.ids import Seat
from manhunt.core.outcome import Outcome


class Stepper(ABC):
    """Plays a game without chance moves by the numbers of its encoder; it must agree with the rules byte for byte.

    Every array that it returns is new.
    """

    to_act: Seat | None = None
    """Who acts now; None when the game is over."""
    mask: Int8s
    """By number: 1 if that action is legal for the seat to act. Do not write to it."""

    @abstractmethod
    def begin(self, state: Any) -> None:
        """Continue from this state."""

    @abstractmethod
    def play(self, number: int) -> None:
        """The seat to act takes this action, which must be legal."""

    @abstractmethod
    def observe(self, seat: Seat) -> Float32s:
        """What `Encoder.observe` returns for the view of this seat."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def copy(self) -> Stepper:
        """An independent stepper in the same position."""
