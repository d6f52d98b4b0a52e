"""An extensive-form game written down node by node, for small games and as a check of cleverer builders."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from manhunt.core.ids import Side
from manhunt.solvers.equilibrium.game import BilinearGame, DecisionsBuilder, PayoffsBuilder, add_entries

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a play with what the evader gets."""

    payoff: float


@dataclass(frozen=True, slots=True)
class Chance(Generic[T]):
    """What may happen, with probabilities."""

    outcomes: tuple[tuple[float, T], ...]


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """A side chooses; `infoset` is all that it knows, its own past included (perfect recall)."""

    side: Side
    infoset: Hashable
    children: tuple[T, ...]


Point = Leaf | Chance[T] | Decision[T]


@dataclass
class GameTree(Generic[T]):
    """Walks a game from its root; `names` gives the first sequence of each infoset of a side."""

    expand: Callable[[T], Point[T]]
    n_nodes: int = 0
    names: dict[tuple[Side, Hashable], int] = field(default_factory=dict)
    _sides: dict[Side, DecisionsBuilder] = field(default_factory=lambda: {side: DecisionsBuilder() for side in Side})
    _payoffs: PayoffsBuilder = field(default_factory=PayoffsBuilder)
    _shapes: dict[tuple[Side, Hashable], tuple[int, int]] = field(default_factory=dict)

    def build(self, root: T) -> BilinearGame:
        waiting: list[tuple[T, float, int, int]] = [(root, 1.0, 0, 0)]
        while waiting:
            node, chance, evader, pursuers = waiting.pop()
            self.n_nodes += 1
            point = self.expand(node)
            if isinstance(point, Leaf):
                self._end(point.payoff * chance, evader, pursuers)
            elif isinstance(point, Chance):
                waiting.extend((child, chance * p, evader, pursuers) for p, child in point.outcomes)
            else:
                is_evader = point.side is Side.EVADER
                first = self._infoset(point, evader if is_evader else pursuers)
                for sequence, child in enumerate(point.children, first):
                    moved = (sequence, pursuers) if is_evader else (evader, sequence)
                    waiting.append((child, chance, *moved))
        evader_side, pursuer_side = (self._sides[side].finish() for side in (Side.EVADER, Side.PURSUERS))
        return BilinearGame(evader_side, pursuer_side, self._payoffs.finish())

    def _end(self, weight: float, evader: int, pursuers: int) -> None:
        if weight:
            ranges = (
                add_entries(self._payoffs.evader, [evader], [0]),
                add_entries(self._payoffs.pursuers, [pursuers], [0]),
            )
            self._payoffs.add_block(weight, *ranges)

    def _infoset(self, point: Decision[T], parent: int) -> int:
        key, shape = (point.side, point.infoset), (parent, len(point.children))
        if self._shapes.setdefault(key, shape) != shape:
            raise AssertionError(f"infoset {point.infoset!r} forgets its own past or changes its actions")
        if key not in self.names:
            self.names[key] = self._sides[point.side].add_infoset([parent], len(point.children))
        return self.names[key]
