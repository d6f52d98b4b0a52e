"""The contract of a belief: what a seat thinks of what is hidden from it, event by event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Generic, TypeVar

from manhunt.core.game import View

Hidden = TypeVar("Hidden", bound=int)
"""What is hidden: the node of a piece on a board, or any number that only some seats see."""


class Belief(ABC, Generic[Hidden]):
    """Where the quarry may be, for somebody who does not see it: `Belief[Node]` on a board.

    If several things are hidden at once, such as face-down numbers, the candidates are all values that any of them can
    have. A belief gets a view, and events as `Event.seen_by` gives them to a hunter or spectator, never the state.
    After every ply the candidates contain the truth, all of it if several things are hidden.
    """

    @abstractmethod
    def start(self, view: View) -> None:
        """Start afresh from what the seat knows now."""

    @abstractmethod
    def update(self, event: Mapping[str, Any]) -> None:
        """Take in one event. Pass on all of them, hidden ones too (a number alone); unknown kinds change nothing."""

    def observe(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Take in all events of a ply, in order."""
        for event in events:
            self.update(event)

    @property
    @abstractmethod
    def candidates(self) -> frozenset[Hidden]:
        """All nodes the quarry can be on, or all values that something hidden can have."""

    @property
    @abstractmethod
    def probabilities(self) -> Mapping[Hidden, float]:
        """The probability of each candidate.

        The probabilities add up to the number of hidden things: to 1 on a board.
        """

    def sample_candidate(self, rng: Random) -> Hidden:
        """One candidate, drawn by its weight; the same seed gives the same one."""
        weights = sorted(self.probabilities.items())
        return rng.choices([value for value, _ in weights], [weight for _, weight in weights])[0]

    @abstractmethod
    def sample(self, rng: Random) -> Any:
        """A whole state that the seat cannot tell from the true one, drawn with the belief's probabilities.

        It never reads the truth, and the same seed gives the same state. For a seat that sees the quarry only the
        future is unknown, so its sample is the present state.
        """
