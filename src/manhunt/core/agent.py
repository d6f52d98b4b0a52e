"""The agent contract: what a decision may cost, and what it returns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, NamedTuple

from manhunt.core import thinking_time
from manhunt.core.errors import BadAgent
from manhunt.core.game import View
from manhunt.core.ids import Seat


@dataclass(frozen=True, slots=True)
class ClockFace:
    """What a seat reads on its clock before a move; None means unlimited."""

    bank_seconds: float | None = None
    increment_seconds: float = 0.0
    cap_seconds: float | None = None
    grace_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Limit:
    """The budget for one decision; None means no limit of that kind. `clock` shows the clock that it comes from."""

    seconds: float | None = None
    iterations: int | None = None
    clock: ClockFace = ClockFace()

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise BadAgent(f"a limit of {self.seconds} seconds leaves no time; give more than 0")
        if self.iterations is not None and self.iterations < 1:
            raise BadAgent(f"a limit of {self.iterations} iterations is too small; the minimum is 1")

    def deadline(self) -> float:
        """The moment of `thinking_time.now` at which thinking must end."""
        return float("inf") if self.seconds is None else thinking_time.now() + self.seconds


class Alternative(NamedTuple):
    """Another line that the agent looked at, with its value for the evader."""

    line: tuple[Any, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Advice:
    """An agent's decision: the action, and what the agent thinks of it. `value` is the evader's.

    `alternatives` are the next best lines, best first. `belief` gives the likeliest candidates for what is hidden from
    the pursuers, likeliest first, with the probabilities that good pursuers would give them, as the agent sees it.
    """

    action: Any
    value: float | None = None
    confidence: float | None = None
    line: tuple[Any, ...] = ()
    counters: Mapping[str, float] = field(default_factory=dict)
    alternatives: tuple[Alternative, ...] = ()
    belief: Mapping[Any, float] = field(default_factory=dict)


class Agent(ABC):
    """Plays one seat of one game at a time. It gets views and its seat's events, never the state."""

    games: ClassVar[tuple[str, ...]] = ()
    """Names of the games it can play; empty means all."""
    seats: ClassVar[tuple[Seat, ...]] = (Seat.EVADER, Seat.PURSUERS)
    options_class: ClassVar[type | None] = None
    """A frozen dataclass with the agent's options. Without one, the options are the parameters of `__init__`."""

    def start(self, view: View) -> None:
        """A new game begins; this is what the seat knows."""

    def observe(self, events: Sequence[Mapping[str, Any]]) -> None:
        """What has happened, as this seat may see it; a hidden event has only its number."""

    @abstractmethod
    def act(self, view: View, limit: Limit, rng: Random) -> Advice:
        """Choose one of `view.legal`, within the limit; all chance comes from `rng`."""

    def probabilities(self, view: View, limit: Limit) -> Mapping[Any, float] | None:
        """The probability of each action that `act` might choose now; None if the agent cannot say."""
        return None

    def stop(self) -> None:
        """The game is over or was abandoned: release what you hold."""


def check_seat(agent: Agent, game: str, seat: Seat) -> None:
    """Refuse an agent that does not know the game or the seat."""
    name = type(agent).__name__
    if agent.games and game not in agent.games:
        raise BadAgent(f"agent {name} does not play {game}; it plays {', '.join(agent.games)}")
    if seat not in agent.seats:
        known = ", ".join(s.value for s in agent.seats)
        raise BadAgent(f"agent {name} does not play the seat {seat.value}; it plays {known}")
