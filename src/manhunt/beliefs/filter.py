"""The probability of every node of a hidden piece, given a model of how it moves and what was seen: a forward filter.

A move multiplies the probability of the node it leaves with the model's probability of each step that would look like
what was seen; evidence multiplies every node with how likely it makes what was seen. What remains, made to add up to
1, is Bayes' posterior over all hidden histories.
"""

import math
from collections.abc import Callable, Iterable, Mapping

from manhunt.core.ids import Node

Steps = Callable[[Node], Iterable[tuple[Node, float]]]
"""For a node: where a move leads that would look like what was seen, with the model's probability of it."""


class ForwardFilter:
    """A Bayes filter that starts from a prior of any scale. `log_evidence` is the log-probability of everything seen so
    far.

    An impossible observation has probability 0; it sets the evidence to minus infinity and changes nothing else.
    """

    def __init__(self, weights: Mapping[Node, float]) -> None:
        self.log_evidence = 0.0
        self._weights = _scaled(weights)

    @property
    def probabilities(self) -> Mapping[Node, float]:
        """Nodes the piece can be on, each with its probability."""
        return self._weights

    def move(self, steps: Steps) -> float:
        """Take in a move of the piece; returns how likely it was to look like this."""
        after: dict[Node, float] = {}
        for node, weight in self._weights.items():
            for to, chance in steps(node):
                after[to] = after.get(to, 0.0) + weight * chance
        return self._condition(after)

    def see(self, likelihood: Callable[[Node], float]) -> float:
        """Take in an observation with these probabilities by node; returns its probability over all nodes."""
        seen = {node: weight * likelihood(node) for node, weight in self._weights.items()}
        return self._condition({node: weight for node, weight in seen.items() if weight > 0})

    def _condition(self, weights: Mapping[Node, float]) -> float:
        total = sum(weights.values())
        self.log_evidence += math.log(total) if total > 0 else -math.inf
        if total > 0:
            self._weights = _scaled(weights)
        return total


def _scaled(weights: Mapping[Node, float]) -> dict[Node, float]:
    total = sum(weights.values())
    return {node: weight / total for node, weight in sorted(weights.items())}
