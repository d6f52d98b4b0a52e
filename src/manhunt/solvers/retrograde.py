"""All starts of a hunt at once, backwards from the end: who survives how many rounds of best play."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from queue import SimpleQueue
from typing import Protocol, Self

import numpy as np

from manhunt.core.arrays import Int64s, Words
from manhunt.core.ids import Node
from manhunt.solvers import retrograde_kernels as kernels
from manhunt.solvers.bitsets import n_words, nodes_in
from manhunt.solvers.hunt import Hunt, placement
from manhunt.solvers.memory import check_memory

TASKS_PER_THREAD = 8
Progress = Callable[[int, int, int], None]
"""Called after each round with the round, the states that survive it, and all states."""


@dataclass(frozen=True, slots=True)
class Start:
    """A start, and the rounds that its quarry survives under best play; None means that it is never caught."""

    quarry: Node
    pursuers: tuple[Node, ...]
    rounds: int | None


@dataclass(frozen=True, slots=True)
class AllStarts:
    """What the backward sweep found."""

    states: int
    survivors_by_round: tuple[int, ...]
    """Entry i: states (first side to move, nobody caught) that survive i + 1 more rounds."""
    fixpoint: bool
    """False if `max_rounds` ended the sweep while it was still changing."""
    longest: Start | None
    hopeless: Start | None = field(default=None)
    """The first placement of the pursuers that catches every quarry, and in how many rounds; `quarry` is any node."""

    @property
    def rounds_to_capture_all(self) -> int | None:
        """The number of rounds after which every quarry is caught; None if some are not, or not yet."""
        done = self.survivors_by_round[-1] == 0 if self.survivors_by_round else self.states == 0
        return len(self.survivors_by_round) if done else None


class Recorder(Protocol):
    """Keeps what the sweep finds; a table of rounds, for instance."""

    bytes_needed: int

    def begin(self, sets: Words) -> None: ...

    def after_round(self, number: int, sets: Words) -> None: ...


def bytes_needed(n_nodes: int, n_pursuers: int) -> int:
    return int(n_nodes**n_pursuers) * n_words(n_nodes) * 8


def solve_hunt(
    hunt: Hunt,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    recorder: Recorder | None = None,
    on_round: Progress | None = None,
    stop_when_hopeless: bool = False,
    n_threads: int | None = None,
) -> AllStarts:
    """Sweep backwards until nothing changes, `max_rounds` are done, or (if requested) one placement catches every
    quarry.

    The pursuers move one after the other; if they may share nodes, moving at once gives the same result.

    One pursuer never catches a quarry on a ring of six:

    >>> from manhunt.solvers import make_hunt
    >>> ring = [((node - 1) % 6, (node + 1) % 6) for node in range(6)]
    >>> solve_hunt(make_hunt(ring, ring, [[node] for node in range(6)], n_pursuers=1)).rounds_to_capture_all is None
    True
    """
    n, k = hunt.n_nodes, hunt.n_pursuers
    needed = bytes_needed(n, k) + (recorder.bytes_needed if recorder else 0)
    check_memory(needed, max_memory, f"a sweep over {n} nodes with {k} pursuers", "take fewer pursuers or more memory")
    with OrderedSweep(hunt, n_threads) as sweep:
        return run_sweep(sweep, max_rounds, on_round, recorder=recorder, stop_when_hopeless=stop_when_hopeless)


def run_sweep(
    sweep: "Sweep",
    max_rounds: int | None,
    on_round: Progress | None = None,
    *,
    recorder: Recorder | None = None,
    stop_when_hopeless: bool = False,
) -> AllStarts:
    """Take a sweep back round by round until one of the reasons to stop."""
    states = sweep.n_alive
    counts: list[int] = []
    longest, hopeless = sweep.example(0), sweep.hopeless(0)
    if recorder:
        recorder.begin(sweep.sets)
    fixpoint = states == 0
    before = states
    while not fixpoint and (max_rounds is None or len(counts) < max_rounds):
        if stop_when_hopeless and hopeless:
            break
        sweep.go_back()
        number = len(counts) + 1
        if recorder:
            recorder.after_round(number, sweep.sets)
        if on_round:
            on_round(number, sweep.n_alive, states)
        if sweep.n_alive == before:
            fixpoint = True
            counts += [before] if not counts else []
            longest = sweep.example(None)
        else:
            counts.append(sweep.n_alive)
            longest = sweep.example(number) or longest
            hopeless = hopeless or sweep.hopeless(number)
            fixpoint = sweep.n_alive == 0
        before = sweep.n_alive
    return AllStarts(states, tuple(counts), fixpoint, longest, hopeless)


class Sweep(ABC):
    """The sets of survivors and the threads that take them back round by round."""

    sets: Words

    def __init__(self, hunt: Hunt, n_threads: int | None) -> None:
        self.hunt, self.words = hunt, n_words(hunt.n_nodes)
        self.tally = new_tally()
        self.n_threads = n_threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.n_threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    @abstractmethod
    def go_back(self) -> None:
        """One round."""

    @abstractmethod
    def alive_at(self, number: int) -> Words:
        """The set of survivors for the pursuers with this number."""

    @property
    def n_alive(self) -> int:
        return int(self.tally[kernels.N_ALIVE])

    def example(self, rounds: int | None) -> Start | None:
        """The first state that is still alive."""
        number = int(self.tally[kernels.FIRST_ALIVE])
        if number == kernels.NOWHERE:
            return None
        return Start(Node(nodes_in(self.alive_at(number))[0]), self._pursuers(number), rounds)

    def hopeless(self, rounds: int) -> Start | None:
        """The first placement of the pursuers with nobody alive."""
        number = int(self.tally[kernels.FIRST_HOPELESS])
        return None if number == kernels.NOWHERE else Start(Node(0), self._pursuers(number), rounds)

    def _pursuers(self, number: int) -> tuple[Node, ...]:
        return placement(number, self.hunt.n_nodes, self.hunt.n_pursuers)

    def run(self, work: Callable[..., Int64s], tasks: Iterable[tuple[int, ...]]) -> Int64s:
        """All tasks on the threads; returns their tallies in one."""
        tally = new_tally()
        for future in [self._pool.submit(work, *task) for task in tasks]:
            kernels.merge_tally(tally, future.result(), 0)
        return tally


@dataclass(slots=True)
class _SweepScratch:
    """One thread's own: two slabs and a plane."""

    one: Words
    two: Words
    plane: Words


class OrderedSweep(Sweep):
    """All ordered tuples in one array, taken back in place."""

    def __init__(self, hunt: Hunt, n_threads: int | None) -> None:
        super().__init__(hunt, n_threads)
        n, k = hunt.n_nodes, hunt.n_pursuers
        self.n_columns = n if k > 1 else 1
        self.sets = np.empty((n ** max(k - 1, 1), self.n_columns * self.words), dtype=np.uint64)
        digits = np.empty(max(k - 1, 1), dtype=np.int64)
        kernels.fill_start(self.hunt, self.sets, digits, k > 1, self.tally)
        self._scratch: SimpleQueue[_SweepScratch] = SimpleQueue()
        slab = (n ** (k - 2), n * self.words) if k > 1 else (0, 0)
        for _ in range(self.n_threads):
            one, two = np.empty(slab, np.uint64), np.empty(slab if k > 2 else (0, 0), np.uint64)
            self._scratch.put(_SweepScratch(one, two, np.empty(n * self.n_columns * self.words, np.uint64)))

    def alive_at(self, number: int) -> Words:
        row, column = divmod(number, self.n_columns)
        return self.sets[row, column * self.words : (column + 1) * self.words]

    def go_back(self) -> None:
        """One round: the moves of p(k-1) ... p1, slab by slab; then p0's and the quarry's, plane by plane."""
        n, k = self.hunt.n_nodes, self.hunt.n_pursuers
        if k > 1:
            self.run(self._inner, self._shares(n))
        if k == 2:
            # All tuples are one plane: split it by the last pursuer.
            tasks = [(0, 1, left, right) for left, right in self._shares(n)]
        else:
            tasks = [(begin, end, 0, self.n_columns) for begin, end in self._shares(len(self.sets) // n)]
        self.tally = self.run(self._first, tasks)

    def _shares(self, size: int) -> list[tuple[int, int]]:
        """0 .. size - 1 in pieces, some for each thread, all of about the same length."""
        n_pieces = min(size, self.n_threads * TASKS_PER_THREAD)
        cuts = [size * i // n_pieces for i in range(n_pieces + 1)]
        return list(pairwise(cuts))

    def _inner(self, begin: int, end: int) -> Int64s:
        scratch = self._scratch.get()
        kernels.inner_pursuers(self.hunt, self.sets, begin, end, not self.hunt.quarry_first, scratch.one, scratch.two)
        self._scratch.put(scratch)
        return new_tally()

    def _first(self, begin: int, end: int, left: int, right: int) -> Int64s:
        scratch = self._scratch.get()
        n, width = self.hunt.n_nodes, (right - left) * self.words
        plane, tally = scratch.plane[: n * width].reshape(n, width), new_tally()
        kernels.first_pursuer(self.hunt, self.sets, begin, end, (left, right), self.hunt.quarry_first, plane, tally)
        self._scratch.put(scratch)
        return tally


def new_tally() -> Int64s:
    tally = np.zeros(kernels.N_TALLY, dtype=np.int64)
    tally[[kernels.FIRST_ALIVE, kernels.FIRST_HOPELESS]] = kernels.NOWHERE
    return tally
