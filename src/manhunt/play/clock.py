"""Thinking time: a bank per seat, an increment per move, a cap per move."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from manhunt.core.agent import ClockFace
from manhunt.core.errors import BadConfig
from manhunt.core.ids import PLAYERS, Seat


@dataclass(frozen=True, slots=True)
class TimeControl:
    """None means unlimited.

    The grace is for the way a move takes over pipes and networks: an overrun within it is taken from the bank but is
    no fault.
    """

    bank_seconds: float | None = None
    increment_seconds: float = 0.0
    cap_seconds: float | None = None
    grace_seconds: float = 0.0

    def __post_init__(self) -> None:
        for name in ("bank_seconds", "cap_seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise BadConfig(f"{name} must be more than 0, not {value}")
        for name in ("increment_seconds", "grace_seconds"):
            if not getattr(self, name) >= 0:
                raise BadConfig(f"{name} must be 0 or more, not {getattr(self, name)}")


@dataclass(slots=True)
class GameClock:
    """Counts what each seat has left. `timer` is the time source."""

    control: TimeControl = field(default_factory=TimeControl)
    timer: Callable[[], float] = perf_counter
    left: dict[Seat, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.control.bank_seconds is not None:
            self.left = dict.fromkeys(PLAYERS, self.control.bank_seconds)

    def allowance(self, seat: Seat) -> float | None:
        """Seconds the seat may use for its next move; None means as many as it likes."""
        bounds = [b for b in (self.left.get(seat), self.control.cap_seconds) if b is not None]
        return min(bounds) if bounds else None

    def face(self, seat: Seat) -> ClockFace:
        control = self.control
        return ClockFace(self.left.get(seat), control.increment_seconds, control.cap_seconds, control.grace_seconds)

    def charge(self, seat: Seat, used_seconds: float) -> bool:
        """Book a move; False when the seat used more than it had."""
        allowed = self.allowance(seat)
        if seat in self.left:
            self.left[seat] = max(0.0, self.left[seat] - used_seconds) + self.control.increment_seconds
        return allowed is None or used_seconds <= allowed + self.control.grace_seconds
