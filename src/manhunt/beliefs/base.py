"""The contract of a belief: what a seat thinks of the quarry's place, event by event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from manhunt.games.base import View
from manhunt.ids import Node


class Belief(ABC):
    """Where the quarry may be, for somebody who does not see it.

    It is fed with a view and with events as `Event.seen_by` gives them to a seat that hunts or watches, never with
    the state. The truth is among the candidates after every ply.
    """

    @abstractmethod
    def start(self, view: View) -> None:
        """Forget everything; this is what the seat knows now."""

    @abstractmethod
    def update(self, event: Mapping[str, Any]) -> None:
        """One event happened; hidden ones (numbers alone) and unknown kinds change nothing."""

    def observe(self, events: Iterable[Mapping[str, Any]]) -> None:
        for event in events:
            self.update(event)

    @property
    @abstractmethod
    def candidates(self) -> frozenset[Node]:
        """All nodes the quarry can be on."""

    @property
    @abstractmethod
    def probabilities(self) -> Mapping[Node, float]:
        """The candidates with their weights, which add up to 1."""

    def sample_node(self, rng: Random) -> Node:
        """One candidate, drawn by its weight; the same seed gives the same node."""
        weights = sorted(self.probabilities.items())
        return rng.choices([node for node, _ in weights], [weight for _, weight in weights])[0]

    @abstractmethod
    def sample(self, rng: Random) -> Any:
        """A whole state that the seat cannot tell from the true one, drawn with the belief's probabilities.

        Never reads the truth; the same seed gives the same state. A seat that sees the quarry itself (Mr X) has
        nothing to guess but the future, so that its sample is the one state there is.
        """
