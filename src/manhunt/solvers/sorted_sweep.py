"""All starts of a hunt with interchangeable pursuers: the backward sweep over sorted tuples of their nodes."""

from itertools import pairwise
from math import comb
from queue import SimpleQueue

import numpy as np

from manhunt.core.arrays import Int64s, Words
from manhunt.solvers import sorted_kernels as kernels
from manhunt.solvers.bitsets import n_words
from manhunt.solvers.hunt import Hunt, placement
from manhunt.solvers.memory import check_memory
from manhunt.solvers.retrograde import AllStarts, Progress, Sweep, new_tally, run_sweep


def n_sorted(n_nodes: int, n_pursuers: int) -> int:
    """How many sorted tuples there are; pursuers may stand on one node in them."""
    return comb(n_nodes + n_pursuers - 1, n_pursuers)


def sorted_bytes_needed(n_nodes: int, n_pursuers: int) -> int:
    """Two tables: the round before, and the one that is worked out from it."""
    return 2 * n_sorted(n_nodes, n_pursuers) * n_words(n_nodes) * 8


def solve_sorted(
    hunt: Hunt,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    on_round: Progress | None = None,
    stop_when_hopeless: bool = False,
    n_threads: int | None = None,
) -> AllStarts:
    """As `solve_hunt` for two or more pursuers who all move at once: each may go wherever it can, and without sharing
    only their destinations must differ (where that is not possible, all stay).

    Counts are those of ordered tuples. Where the pursuers may share nodes, every order of moving gives the same.
    """
    n, k = hunt.n_nodes, hunt.n_pursuers
    what = f"a sweep over sorted tuples of {k} of {n} nodes"
    check_memory(sorted_bytes_needed(n, k), max_memory, what, "take fewer pursuers or more memory")
    with SortedSweep(hunt, n_threads) as sweep:
        return run_sweep(sweep, max_rounds, on_round, stop_when_hopeless=stop_when_hopeless)


def sort_hunt(hunt: Hunt) -> kernels.SortedHunt:
    """A hunt with the numbers of its sorted tuples."""
    n, k = hunt.n_nodes, hunt.n_pursuers
    rows = [hunt.moves[a:b] if a < b else [v] for v, (a, b) in enumerate(pairwise(hunt.indptr))]
    counts = [[comb(v + j - 1, j) if v or j else 1 for v in range(n + 1)] for j in range(k + 1)]
    return kernels.SortedHunt(
        hunt._replace(indptr=np.cumsum([0, *map(len, rows)], dtype=np.int64), moves=np.concatenate(rows)),
        np.array(counts, dtype=np.int64),
        np.maximum.accumulate([max(row) for row in rows]).astype(np.int64),
    )


def sorted_number(sorted_hunt: kernels.SortedHunt, number: int) -> int:
    """The number among sorted tuples of a sorted tuple with this number among all."""
    nodes = placement(number, sorted_hunt.hunt.n_nodes, sorted_hunt.hunt.n_pursuers)
    return sum(int(sorted_hunt.counts[j, node]) for j, node in enumerate(nodes, 1))


def full_sets(hunt: Hunt, out: Words) -> None:
    """Everybody is in every set of `out`."""
    words = n_words(hunt.n_nodes)
    nodes = np.arange(words * 64) < hunt.n_nodes
    out.reshape(-1, words)[:] = np.packbits(nodes, bitorder="little").view("<u8").astype(np.uint64)


class SortedSweep(Sweep):
    """Two tables over sorted tuples: a round is worked out from one into the other, slab by slab of largest nodes."""

    def __init__(self, hunt: Hunt, n_threads: int | None) -> None:
        super().__init__(hunt, n_threads)
        self._sorted, k = sort_hunt(hunt), hunt.n_pursuers
        self._counts, size = self._sorted.counts * self.words, n_sorted(hunt.n_nodes, k) * self.words
        self.sets, self._old = np.empty(size, np.uint64), np.empty(size, np.uint64)
        self._scratch: SimpleQueue[Words] = SimpleQueue()
        for _ in range(self.n_threads):
            self._scratch.put(np.empty(self._counts[1:k, -1].sum(), np.uint64))
        self._slabs = [(v,) for v in reversed(range(hunt.n_nodes))]  # the largest first
        self.tally = self.run(self._fill, self._slabs)

    def alive_at(self, number: int) -> Words:
        start = sorted_number(self._sorted, number) * self.words
        return self.sets[start : start + self.words]

    def go_back(self) -> None:
        if not self.hunt.quarry_first:
            self.run(self._step, self._slabs)
        self.sets, self._old = self._old, self.sets
        self.tally = self.run(self._move, self._slabs)

    def _slab(self, largest: int) -> Words:
        k = self.hunt.n_pursuers
        return self.sets[self._counts[k, largest] : self._counts[k, largest + 1]]

    def _fill(self, largest: int) -> Int64s:
        """Zero rounds to go: everybody who is not caught survives."""
        slab = self._slab(largest)
        full_sets(self.hunt, slab)
        return self._close(slab, largest, steps=False)

    def _step(self, largest: int) -> Int64s:
        """The quarry's step where it moves last."""
        return self._close(self._slab(largest), largest, steps=True)

    def _move(self, largest: int) -> Int64s:
        scratch, slab = self._scratch.get(), self._slab(largest)
        kernels.move_slab(self._sorted, self._old, largest, scratch, slab)
        self._scratch.put(scratch)
        return self._close(slab, largest, steps=self.hunt.quarry_first)

    def _close(self, slab: Words, largest: int, *, steps: bool) -> Int64s:
        tally = new_tally()
        kernels.close_slab(self._sorted, slab, largest, steps, tally)
        return tally
