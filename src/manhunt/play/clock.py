"""Thinking time: a bank per seat, an increment per move, a cap per move; for people, all of them per turn."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from manhunt.core.agent import ClockFace
from manhunt.core.errors import BadConfig
from manhunt.core.ids import PLAYERS, Seat


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Limits on thinking time; None means unlimited.

    The grace allows for the time that a move needs on pipes and networks: an overrun within it is taken from the bank,
    but is not a fault.
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
    """Keeps track of the time that each seat has left. `timer` is the time source.

    `charge` takes the time of an agent's move. For a seat without an agent the clock runs from `run` to the next ply,
    whose time `book` takes; a turn of several plies has one cap and one increment.
    """

    control: TimeControl = field(default_factory=TimeControl)
    timer: Callable[[], float] = perf_counter
    left: dict[Seat, float] = field(default_factory=dict)
    turn: Seat | None = None
    """The seat whose turn `run` started last."""
    used: float = 0.0
    """Seconds booked in this turn."""
    _since: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.control.bank_seconds is not None:
            self.left = dict.fromkeys(PLAYERS, self.control.bank_seconds)

    def allowance(self, seat: Seat) -> float | None:
        """Seconds the seat may use for its next move; None means as many as it likes."""
        bounds = [b for b in (self.left.get(seat), self.control.cap_seconds) if b is not None]
        return min(bounds) if bounds else None

    def face(self, seat: Seat) -> ClockFace:
        """What a seat's clock shows."""
        control = self.control
        return ClockFace(self.left.get(seat), control.increment_seconds, control.cap_seconds, control.grace_seconds)

    def charge(self, seat: Seat, used_seconds: float) -> bool:
        """Take the time of a move from the seat's clock; False if it used more than it had."""
        allowed = self.allowance(seat)
        if seat in self.left:
            self.left[seat] = max(0.0, self.left[seat] - used_seconds) + self.control.increment_seconds
        return allowed is None or used_seconds <= allowed + self.control.grace_seconds

    @property
    def is_limited(self) -> bool:
        """Whether anybody can run out of time."""
        return self.control.bank_seconds is not None or self.control.cap_seconds is not None

    def run(self, seat: Seat | None, *, is_charged: bool = True, used_seconds: float = 0.0) -> None:
        """Start or continue the turn of a seat without an agent; its clock runs only if `is_charged`."""
        if seat is not self.turn:
            if self.turn in self.left:
                self.left[self.turn] += self.control.increment_seconds
            self.turn, self.used = seat, 0.0
        self._since = self.timer() - used_seconds if is_charged and seat is not None else None

    @property
    def running(self) -> Seat | None:
        """The seat whose clock is running."""
        return None if self._since is None else self.turn

    def elapsed(self, seat: Seat) -> float | None:
        """How long this seat has been thinking about its ply; None if its clock does not run."""
        return None if self._since is None or self.turn is not seat else max(0.0, self.timer() - self._since)

    def remaining(self, seat: Seat) -> float | None:
        """Seconds left in this turn of a seat without an agent; None means no limit."""
        cap = self.control.cap_seconds
        bounds = [self.left.get(seat), None if cap is None else cap - (self.used if self.turn is seat else 0.0)]
        known = [bound for bound in bounds if bound is not None]
        return min(known) - (self.elapsed(seat) or 0.0) if known else None

    def is_over(self, seat: Seat) -> bool:
        """Whether this seat has run out of time in the current turn."""
        left = self.remaining(seat) if self.running is seat else None
        return left is not None and left < -self.control.grace_seconds

    def book(self, seat: Seat, seconds: float) -> None:
        """Take the time of a ply by a seat without an agent."""
        self.used += seconds
        if seat in self.left:
            self.left[seat] = max(0.0, self.left[seat] - seconds)
