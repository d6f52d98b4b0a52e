"""A game as two decision processes that meet in payoffs.

Each side has infosets and sequences. A sequence is an infoset with one of its actions; sequence 0 is the empty one.
The weight of a sequence is the product of the side's own probabilities on the way to it (summed over the ways, where
an infoset forgets the order of own draws). The evader's expected payoff is linear in the weights of either side.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from manhunt.core.arrays import Floats, Int32s, Int64s


class Decisions(NamedTuple):
    """One side's infosets, parents before children."""

    first: Int64s
    """The sequences of infoset i are first[i] to first[i + 1] - 1."""
    parent_first: Int64s
    parents: Int32s
    """The sequences that lead to infoset i are parents[parent_first[i]:parent_first[i + 1]]."""

    @property
    def n_infosets(self) -> int:
        return len(self.first) - 1

    @property
    def n_sequences(self) -> int:
        return int(self.first[-1])


class PayoffEntries(NamedTuple):
    """One side's part of the blocks: block b has entries first[b] to end[b] - 1, each a sequence and its cards.

    Without cards every block has one entry of each side: `sequence[b]`.
    """

    first: Int64s
    end: Int64s
    sequence: Int32s
    cards: Int64s


class Payoffs(NamedTuple):
    """Blocks: every evader entry meets every pursuer entry that has no card in common with it, for `weight`."""

    weight: Floats
    evader: PayoffEntries
    pursuers: PayoffEntries


class BilinearGame(NamedTuple):
    """`payoffs` are the evader's; the pursuers get the negative."""

    evader: Decisions
    pursuers: Decisions
    payoffs: Payoffs


@dataclass
class DecisionsBuilder:
    """Infosets in order of creation; each hands out its sequences."""

    first: array[int] = field(default_factory=lambda: array("q", [1]))
    parent_first: array[int] = field(default_factory=lambda: array("q", [0]))
    parents: array[int] = field(default_factory=lambda: array("i"))

    @property
    def n_infosets(self) -> int:
        return len(self.first) - 1

    def add_infoset(self, parents: Sequence[int], n_actions: int) -> int:
        """The first of its sequences; the others follow."""
        sequence = self.first[-1]
        self.first.append(sequence + n_actions)
        self.parents.extend(parents)
        self.parent_first.append(len(self.parents))
        return sequence

    def finish(self) -> Decisions:
        return Decisions(_ints(self.first), _ints(self.parent_first), np.array(self.parents, dtype=np.int32))


@dataclass
class PayoffsBuilder:
    """Blocks of payoffs, and the lists of entries that they share."""

    weight: array[float] = field(default_factory=lambda: array("d"))
    ranges: array[int] = field(default_factory=lambda: array("q"))
    evader: tuple[array[int], array[int]] = field(default_factory=lambda: (array("i"), array("q")))
    pursuers: tuple[array[int], array[int]] = field(default_factory=lambda: (array("i"), array("q")))

    def add_block(self, weight: float, evader: tuple[int, int], pursuers: tuple[int, int]) -> None:
        self.weight.append(weight)
        self.ranges.extend((*evader, *pursuers))

    def finish(self) -> Payoffs:
        ranges = _ints(self.ranges).reshape(-1, 4)
        evader, pursuers = (
            PayoffEntries(
                ranges[:, k].copy(), ranges[:, k + 1].copy(), np.array(lists[0], dtype=np.int32), _ints(lists[1])
            )
            for k, lists in ((0, self.evader), (2, self.pursuers))
        )
        return Payoffs(np.array(self.weight, dtype=np.float64), evader, pursuers)


def sparse_payoffs(evader: Int32s, pursuers: Int32s, weight: Floats) -> Payoffs:
    """Blocks of one entry each: what every pair of sequences earns, all ends of games with it together."""
    pairs, where = np.unique(np.stack((evader, pursuers)), axis=1, return_inverse=True)
    sums = np.bincount(where.reshape(-1), weight, pairs.shape[1])
    kept = sums != 0.0
    places, none = np.arange(kept.sum() + 1), np.empty(0, np.int64)
    sides = (PayoffEntries(places[:-1], places[1:], row[kept].astype(np.int32), none) for row in pairs)
    return Payoffs(sums[kept], *sides)


def add_entries(
    lists: tuple[array[int], array[int]], sequences: Sequence[int], cards: Sequence[int]
) -> tuple[int, int]:
    """Append one side's entries of a block; the range where they lie."""
    begin = len(lists[0])
    lists[0].extend(sequences)
    lists[1].extend(cards)
    return begin, len(lists[0])


def _ints(values: array[int]) -> Int64s:
    return np.array(values, dtype=np.int64)
