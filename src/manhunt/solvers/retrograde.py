"""All starts of Pursuit at once, backwards from the end: who survives how many rounds of best play."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol

import numpy as np

from manhunt.errors import BadConfig
from manhunt.games.pursuit.config import Config, Order, Visibility
from manhunt.ids import Node, Side
from manhunt.solvers import retrograde_kernels as kernels
from manhunt.solvers.bitsets import Hunt, build_hunt, n_words, nodes_in
from manhunt.solvers.memory import check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from manhunt.solvers.bitsets import Words

    Tally = NDArray[np.int64]

TASKS_PER_THREAD = 8
Progress = Callable[[int, int, int], None]
"""Called after each round with the round, the states that survive it, and all states."""


@dataclass(frozen=True, slots=True)
class Start:
    """A start, and the rounds that its quarry survives under best play; None means for ever."""

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
    """The first placement of the detectives that loses every quarry, and in how many rounds; `quarry` is any node."""

    @property
    def rounds_to_capture_all(self) -> int | None:
        """After so many rounds every quarry is caught; None if some are not, or not yet."""
        done = self.survivors_by_round[-1] == 0 if self.survivors_by_round else self.states == 0
        return len(self.survivors_by_round) if done else None


class Recorder(Protocol):
    """Keeps what the sweep finds; a table of rounds, for instance."""

    bytes_needed: int

    def begin(self, sets: Words) -> None: ...

    def after_round(self, number: int, sets: Words) -> None: ...


def check_solvable(config: Config) -> None:
    """Refuse configs whose starts cannot be told by places alone."""
    if config.visibility is not Visibility.ALWAYS:
        raise BadConfig(
            f"visibility is {config.visibility.value}; only games with visibility always are solved exactly"
        )
    if not config.may_share and config.order is not Order.IN_ORDER and config.n_detectives > 1:
        order = config.order.value
        raise BadConfig(f"all starts with order {order} need may_share; without sharing only in-order is supported")


def bytes_needed(n_nodes: int, n_detectives: int) -> int:
    return int(n_nodes**n_detectives) * n_words(n_nodes) * 8


def check_all_starts(config: Config, max_memory: int | None = None, *, extra_bytes: int = 0) -> None:
    """Refuse what cannot be solved, or not within the memory."""
    check_solvable(config)
    n, k = config.board.n_nodes, config.n_detectives
    what = f"board {config.board.name} ({n} nodes) with {k} detectives"
    check_memory(bytes_needed(n, k) + extra_bytes, max_memory, what, "take fewer detectives, or raise --max-memory")


def solve_all_starts(
    config: Config,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    recorder: Recorder | None = None,
    on_round: Progress | None = None,
    stop_when_hopeless: bool = False,
    n_threads: int | None = None,
) -> AllStarts:
    """Sweep backwards until nothing changes, `max_rounds` are done, or (if asked) some placement loses everybody."""
    check_all_starts(config, max_memory, extra_bytes=recorder.bytes_needed if recorder else 0)
    with _Sweep(config, n_threads or os.cpu_count() or 1) as sweep:
        return _run(sweep, max_rounds, recorder, on_round, stop_when_hopeless)


def _run(
    sweep: _Sweep,
    max_rounds: int | None,
    recorder: Recorder | None,
    on_round: Progress | None,
    stop_when_hopeless: bool,
) -> AllStarts:
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


@dataclass(slots=True)
class _Scratch:
    """One thread's own: two slabs and a plane."""

    one: Words
    two: Words
    plane: Words


class _Sweep:
    """The sets of survivors and the threads that take them back round by round."""

    def __init__(self, config: Config, n_threads: int) -> None:
        self.config = config
        self.hunt: Hunt = build_hunt(config)
        self.evader_first = config.first is Side.EVADER
        n, k, self.words = config.board.n_nodes, config.n_detectives, n_words(config.board.n_nodes)
        self.n_columns = n if k > 1 else 1
        self.sets: Words = np.empty((n ** max(k - 1, 1), self.n_columns * self.words), dtype=np.uint64)
        self.tally = _new_tally()
        digits = np.empty(max(k - 1, 1), dtype=np.int64)
        kernels.fill_start(self.hunt, self.sets, digits, k > 1, self.tally)
        self.n_threads = n_threads
        self._pool = ThreadPoolExecutor(n_threads)
        self._scratch: SimpleQueue[_Scratch] = SimpleQueue()
        slab = (n ** (k - 2), n * self.words) if k > 1 else (0, 0)
        for _ in range(n_threads):
            one, two = np.empty(slab, np.uint64), np.empty(slab if k > 2 else (0, 0), np.uint64)
            self._scratch.put(_Scratch(one, two, np.empty(n * self.n_columns * self.words, np.uint64)))

    def __enter__(self) -> _Sweep:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    @property
    def n_alive(self) -> int:
        return int(self.tally[kernels.N_ALIVE])

    def example(self, rounds: int | None) -> Start | None:
        """The first state that is still alive."""
        number = int(self.tally[kernels.FIRST_ALIVE])
        if number == kernels.NOWHERE:
            return None
        row, column = divmod(number, self.n_columns)
        quarry = nodes_in(self.sets[row, column * self.words : (column + 1) * self.words])[0]
        return Start(Node(quarry), self._pursuers(number), rounds)

    def hopeless(self, rounds: int) -> Start | None:
        """The first placement of the detectives with nobody alive."""
        number = int(self.tally[kernels.FIRST_HOPELESS])
        return None if number == kernels.NOWHERE else Start(Node(0), self._pursuers(number), rounds)

    def _pursuers(self, number: int) -> tuple[Node, ...]:
        nodes = []
        for _ in range(self.config.n_detectives):
            number, node = divmod(number, self.config.board.n_nodes)
            nodes.append(Node(node))
        return tuple(reversed(nodes))

    def go_back(self) -> None:
        """One round: the moves of d(k-1) ... d1, slab by slab; then d0's and the quarry's, plane by plane."""
        n, k = self.config.board.n_nodes, self.config.n_detectives
        if k > 1:
            self._run(self._inner, self._shares(n))
        if k == 2:
            # All tuples are one plane: split it by the last detective.
            tasks = [(0, 1, left, right) for left, right in self._shares(n)]
        else:
            tasks = [(begin, end, 0, self.n_columns) for begin, end in self._shares(len(self.sets) // n)]
        self.tally = _new_tally()
        for tally in self._run(self._first, tasks):
            kernels.merge_tally(self.tally, tally, 0)

    def _shares(self, size: int) -> list[tuple[int, int]]:
        """0 .. size - 1 in pieces, some for each thread, all of about the same length."""
        n_pieces = min(size, self.n_threads * TASKS_PER_THREAD)
        cuts = [size * i // n_pieces for i in range(n_pieces + 1)]
        return list(pairwise(cuts))

    def _run(self, work: Callable[..., Tally], tasks: Iterable[tuple[int, ...]]) -> list[Tally]:
        return [future.result() for future in [self._pool.submit(work, *task) for task in tasks]]

    def _inner(self, begin: int, end: int) -> Tally:
        scratch = self._scratch.get()
        kernels.inner_detectives(self.hunt, self.sets, begin, end, not self.evader_first, scratch.one, scratch.two)
        self._scratch.put(scratch)
        return _new_tally()

    def _first(self, begin: int, end: int, left: int, right: int) -> Tally:
        scratch = self._scratch.get()
        n, width = self.config.board.n_nodes, (right - left) * self.words
        plane, tally = scratch.plane[: n * width].reshape(n, width), _new_tally()
        kernels.first_detective(self.hunt, self.sets, begin, end, (left, right), self.evader_first, plane, tally)
        self._scratch.put(scratch)
        return tally


def _new_tally() -> Tally:
    tally = np.zeros(kernels.N_TALLY, dtype=np.int64)
    tally[[kernels.FIRST_ALIVE, kernels.FIRST_HOPELESS]] = kernels.NOWHERE
    return tally
