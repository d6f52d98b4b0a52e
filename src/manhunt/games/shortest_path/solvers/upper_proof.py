"""Questions about one arena: does the traveller pay at most so much? Answers are kept for later questions."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from manhunt.core import thinking_time
from manhunt.core.arrays import Words
from manhunt.games.shortest_path.solvers.upper_arena import NamedArena, depth_of
from manhunt.games.shortest_path.solvers.upper_frames_kernels import (
    FULL,
    LONGEST_SCAN,
    N_FIELDS,
    N_RAISED,
    N_STEPS,
    VECTOR,
    Frames,
    place_way,
    raise_edge,
)
from manhunt.games.shortest_path.solvers.upper_proof_kernels import NO, OPEN, YES, search, start_search
from manhunt.games.shortest_path.solvers.upper_results_kernels import KnownResults

MOST_RAISED = 24
MEMORY_BYTES = 60_000_000
STEPS_AT_ONCE, SECONDS_A_STEP = 1_000, 3e-6
SCAN = 300
NOTHING: Mapping[int, int] = {}
MOST_STEPS, CHECK_SECONDS = 20_000_000, 60.0
"""For a value that is worked out to the end."""


class Prover:
    """Proofs and refutations on one ground, from the position for which it was built."""

    def __init__(self, named: NamedArena, memory_bytes: int = MEMORY_BYTES) -> None:
        self.named = named
        self.arena = named.arena
        entry_bytes = 8 * (self.arena.n_words + 4) + 4 * MOST_RAISED
        n_entries = max(1_000, memory_bytes // (2 * entry_bytes))
        self.proofs = _new_results(named, n_entries)
        self.refutations = _new_results(named, n_entries)
        self.frames = _new_frames(named)
        self.frames.control[LONGEST_SCAN] = SCAN

    @property
    def floor(self) -> float:
        """What surely is to be paid from the start, known without any search."""
        return float(max(self.arena.floor[0, self.named.start], self.arena.distance[self.named.start]))

    @property
    def n_steps(self) -> int:
        return int(self.frames.control[N_STEPS])

    @property
    def bound(self) -> float:
        """After YES what is surely enough, after NO what surely is to be paid."""
        return float(self.frames.result[0])

    @property
    def is_full(self) -> bool:
        """No room for more proofs: every answer but NO will be OPEN."""
        return bool(self.proofs.used[0] >= len(self.proofs.bound))

    def zone(self) -> tuple[int, ...]:
        """After YES the board's edges that the proof walks on."""
        return self._named(self.frames.result_zone)

    def refuting_edges(self) -> tuple[int, ...]:
        """The board's edges whose raises are enough for all that was answered with NO so far, the floors included."""
        return self._named(self.frames.refuting | self.arena.watched_mask)

    def _named(self, bits: Words) -> tuple[int, ...]:
        words = [int(word) for word in bits]
        return tuple(edge for i, edge in enumerate(self.named.edge_of) if words[i // 64] >> (i % 64) & 1)

    def ask(
        self,
        budget: float,
        deadline: float,
        most_steps: int,
        node: int | None = None,
        raised: Mapping[int, int] = NOTHING,
    ) -> int:
        """Whether `budget` is enough: YES, NO, or OPEN when time or steps end.

        From the start, or from another node (the arena's number) after more raises (by the arena's edges).
        """
        place(self, [self.named.start if node is None else node], raised)
        start_search(self.frames, budget)
        slack, until = tolerance(budget), self.n_steps + most_steps
        while True:
            steps, before = min(STEPS_AT_ONCE, until - self.n_steps), self.n_steps
            answer = search(self.arena, self.frames, self.proofs, self.refutations, steps, slack)
            thinking_time.add_work(SECONDS_A_STEP * (self.n_steps - before))
            if answer != OPEN:
                return int(answer)
            if self.n_steps >= until or thinking_time.now() >= deadline or self.frames.control[FULL]:
                return OPEN


def place(prover: Prover, way: list[int], raised: Mapping[int, int]) -> None:
    """Put the frames to a position: the arena's nodes walked so far, the last one included, and its edges' raises."""
    frames, arena = prover.frames, prover.arena
    frames.n_raises[:] = 0
    frames.control[N_RAISED] = frames.control[VECTOR] = frames.control[FULL] = 0
    for edge, n in raised.items():
        for _ in range(n):
            raise_edge(arena, frames, edge)
    place_way(arena, frames, np.array(way, dtype=np.int64))


def tolerance(budget: float) -> float:
    """Sums of costs in another order differ by less than this."""
    return 1e-9 * (1.0 + abs(budget))


def _new_results(named: NamedArena, n: int) -> KnownResults:
    return KnownResults(
        zone=np.empty((n, named.arena.n_words), dtype=np.uint64),
        bound=np.empty(n, dtype=np.float64),
        move=np.empty(n, dtype=np.int64),
        is_path=np.empty(n, dtype=np.bool_),
        raised=np.empty((n, MOST_RAISED), dtype=np.int32),
        n_raised=np.empty(n, dtype=np.int64),
        following=np.empty(n, dtype=np.int64),
        first=np.full(named.arena.n_nodes, -1, dtype=np.int64),
        used=np.zeros(1, dtype=np.int64),
    )


def _new_frames(named: NamedArena) -> Frames:
    arena = named.arena
    n, words, edges = depth_of(arena.n_nodes), arena.n_words, arena.n_edges
    degree = int(np.max(np.diff(arena.indptr), initial=1))

    def numbers(*shape: int) -> Any:
        return np.zeros(shape, dtype=np.int64)

    def costs(*shape: int) -> Any:
        return np.zeros(shape, dtype=np.float64)

    def masks(*shape: int) -> Any:
        return np.zeros(shape, dtype=np.uint64)

    return Frames(
        node=numbers(n), budget=costs(n), moves=numbers(n, degree), keys=costs(n, degree), n_moves=numbers(n),
        move=numbers(n), raised=numbers(n), vector=numbers(n), before=numbers(n), back_to=numbers(n), worst=costs(n),
        least=costs(n), untried=masks(n, words), zone=masks(n, words), reason=masks(n, words), behind=masks(n, words),
        result_zone=masks(words), result=costs(1), n_raises=numbers(edges), order=numbers(edges),
        path_arcs=numbers(n), path_rest=costs(n + 2),
        history=costs(arena.n_nodes, edges), killer=np.full(arena.n_nodes, edges - 1, dtype=np.int64),
        refuting=masks(words), control=numbers(N_FIELDS),
    )  # fmt: skip


__all__ = ["CHECK_SECONDS", "MOST_STEPS", "NO", "OPEN", "YES", "Prover", "place", "tolerance"]
