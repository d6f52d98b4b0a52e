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

    Where several things are hidden at once, such as numbers that lie face down, the candidates are all values that one
    of them can have. It is fed with a view and with events as `Event.seen_by` gives them to a seat that hunts or
    watches, never with the state. The truth is among the candidates after every ply: all of it, where it is several.
    """

    @abstractmethod
    def start(self, view: View) -> None:
        """Forget everything; this is what the seat knows now."""

    @abstractmethod
    def update(self, event: Mapping[str, Any]) -> None:
        """One event happened. Pass on all, hidden ones too (their numbers alone); unknown kinds change nothing."""

    def observe(self, events: Iterable[Mapping[str, Any]]) -> None:
        """All events of a ply, in order."""
        for event in events:
            self.update(event)

    @property
    @abstractmethod
    def candidates(self) -> frozenset[Hidden]:
        """All nodes the quarry can be on, or all values that something hidden can have."""

    @property
    @abstractmethod
    def probabilities(self) -> Mapping[Hidden, float]:
        """The candidates, each with the chance that it is hidden now.

        They add up to the number of hidden things: to 1 on a board.
        """

    def sample_candidate(self, rng: Random) -> Hidden:
        """One candidate, drawn by its weight; the same seed gives the same one."""
        weights = sorted(self.probabilities.items())
        return rng.choices([value for value, _ in weights], [weight for _, weight in weights])[0]

    @abstractmethod
    def sample(self, rng: Random) -> Any:
        """A whole state that the seat cannot tell from the true one, drawn with the belief's probabilities.

        Never reads the truth; the same seed gives the same state. A seat that sees the quarry itself has
        nothing to guess but the future, so that its sample is the one state there is.
        """
