"""All starts of a hunt that is too large for the memory: the same sweep in shards, from file to file.

A round is a file in a folder, and shard v is its part for the first pursuer on node v; of interchangeable pursuers, who
are kept as sorted tuples, for the largest pursuer on v. Every shard of a round is worked out from the file of the round
before, by threads here or by the processors of a Ray cluster whose machines all see the folder. A worker that dies
loses the shard it was working on, and another one does it again. `rounds.jsonl` has a line for each finished round: a
sweep that was stopped takes up where it was.
"""

import contextlib
import hashlib
import json
import pickle
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manhunt.core.arrays import Int64s, Words
from manhunt.core.errors import ManhuntError
from manhunt.core.ids import Node
from manhunt.core.ray_cluster import OutputWithoutRay, cause_of, connect, disconnect
from manhunt.core.reading import parse_json, read_text
from manhunt.solvers import retrograde_kernels, sorted_kernels
from manhunt.solvers.bitsets import n_words, nodes_in
from manhunt.solvers.hunt import Hunt
from manhunt.solvers.memory import check_memory, memory_text
from manhunt.solvers.retrograde import AllStarts, Progress, Start, Sweep, new_tally, run_sweep
from manhunt.solvers.retrograde_kernels import FIRST_ALIVE, merge_tally
from manhunt.solvers.sorted_sweep import full_sets, sort_hunt, sorted_number

RETRIES = 3
"""How often a shard is tried again whose worker or machine died."""


class ShardDone(NamedTuple):
    """What a worker reports about a shard that it has written."""

    tally: Int64s
    quarry: int
    """The first surviving quarry for the first placement that is counted here."""


class Shards(ABC):
    """How a hunt is cut into shards; all that a worker needs, wherever it is."""

    hunt: Hunt
    starts: list[int]
    """Where each shard begins in the file of a round, in words, and where the last one ends."""

    def __init__(self, hunt: Hunt, folder: Path) -> None:
        self.hunt, self.folder, self.words = hunt, folder, n_words(hunt.n_nodes)

    @property
    @abstractmethod
    def scratch_bytes(self) -> int:
        """What a worker needs at most."""

    @abstractmethod
    def begin(self, shard: int, out: Words, tally: Int64s) -> None:
        """Zero rounds to go."""

    @abstractmethod
    def go_back(self, before: Words, shard: int, out: Words, tally: Int64s) -> None:
        """One round more than the file `before`."""

    @abstractmethod
    def alive_at(self, shard: int, out: Words, number: int) -> Words:
        """The survivors for the pursuers with this number, in a shard."""

    @abstractmethod
    def finish(self, shard: int, out: Words) -> None:
        """What the next round wants to read."""

    def path(self, number: int) -> Path:
        return self.folder / f"round-{number:03}.sets"

    def key(self) -> str:
        """A digest of the hunt and of the way it is cut."""
        digest = hashlib.sha256(type(self).__name__.encode())
        for part in self.hunt:
            digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
        return digest.hexdigest()

    def work_out(self, number: int, shard: int) -> ShardDone:
        """One shard of one round: read, worked out, written."""
        out, tally = np.empty(self.starts[shard + 1] - self.starts[shard], np.uint64), new_tally()
        if number == 0:
            self.begin(shard, out, tally)
        else:
            self.go_back(np.memmap(self.path(number - 1), np.uint64, "c").view(np.ndarray), shard, out, tally)
        first = int(tally[FIRST_ALIVE])
        quarry = 0 if first == retrograde_kernels.NOWHERE else nodes_in(self.alive_at(shard, out, first))[0]
        self.finish(shard, out)
        with self.path(number).open("r+b") as file:
            file.seek(self.starts[shard] * 8)
            file.write(out.data)
        return ShardDone(tally, quarry)


class OrderedShards(Shards):
    """Shard v: the tuples with p0 on v, after the moves of all others; p0's move joins the shards that it can go to."""

    def __init__(self, hunt: Hunt, folder: Path) -> None:
        super().__init__(hunt, folder)
        n, k = hunt.n_nodes, hunt.n_pursuers
        self.shape: tuple[int, int] = (n ** (k - 2), n * self.words)
        self.starts = [v * self.shape[0] * self.shape[1] for v in range(n + 1)]

    @property
    def scratch_bytes(self) -> int:
        return 3 * self.shape[0] * self.shape[1] * 8

    def begin(self, shard: int, out: Words, tally: Int64s) -> None:
        full_sets(self.hunt, out)
        retrograde_kernels.close_slab(self.hunt, shard, out.reshape(self.shape), False, tally)

    def go_back(self, before: Words, shard: int, out: Words, tally: Int64s) -> None:
        rows = out.reshape(self.shape)
        retrograde_kernels.first_slab(self.hunt, shard, before.reshape(-1, self.shape[1]), rows)
        retrograde_kernels.close_slab(self.hunt, shard, rows, self.hunt.quarry_first, tally)

    def alive_at(self, shard: int, out: Words, number: int) -> Words:
        at = number * self.words - self.starts[shard]
        return out[at : at + self.words]

    def finish(self, shard: int, out: Words) -> None:
        one, two = np.empty(self.shape, np.uint64), np.empty(self.shape, np.uint64)
        spread_first = not self.hunt.quarry_first
        retrograde_kernels.inner_slab(self.hunt, shard, out.reshape(self.shape), spread_first, one, two)


class SortedShards(Shards):
    """Shard v: the sorted tuples with the largest pursuer on v."""

    def __init__(self, hunt: Hunt, folder: Path) -> None:
        super().__init__(hunt, folder)
        self.sorted, k = sort_hunt(hunt), hunt.n_pursuers
        self.starts = [int(size) * self.words for size in self.sorted.counts[k]]
        self.level_words = int(self.sorted.counts[1:k, -1].sum()) * self.words

    @property
    def scratch_bytes(self) -> int:
        return (self.level_words + self.starts[-1] - self.starts[-2]) * 8

    def begin(self, shard: int, out: Words, tally: Int64s) -> None:
        full_sets(self.hunt, out)
        sorted_kernels.close_slab(self.sorted, out, shard, False, tally)

    def go_back(self, before: Words, shard: int, out: Words, tally: Int64s) -> None:
        sorted_kernels.move_slab(self.sorted, before, shard, np.empty(self.level_words, np.uint64), out)
        sorted_kernels.close_slab(self.sorted, out, shard, self.hunt.quarry_first, tally)

    def alive_at(self, shard: int, out: Words, number: int) -> Words:
        at = sorted_number(self.sorted, number) * self.words - self.starts[shard]
        return out[at : at + self.words]

    def finish(self, shard: int, out: Words) -> None:
        if not self.hunt.quarry_first:
            sorted_kernels.close_slab(self.sorted, out, shard, True, new_tally())


def solve_in_shards(
    shards: Shards,
    max_rounds: int | None = None,
    *,
    ray: str | None = None,
    max_memory: int | None = None,
    on_round: Progress | None = None,
    n_threads: int | None = None,
) -> AllStarts:
    """Like `solve_hunt` or `solve_sorted`, for two or more pursuers, working through files; `ray` is the address of a
    cluster."""
    with _ShardedSweep(shards, ray, n_threads, max_memory) as sweep:
        return run_sweep(sweep, max_rounds, on_round)


class _ShardedSweep(Sweep):
    def __init__(self, shards: Shards, ray: str | None, n_threads: int | None, max_memory: int | None) -> None:
        super().__init__(shards.hunt, n_threads)
        self.shards, self.rounds = shards, shards.folder / "rounds.jsonl"
        if ray is None:
            needed = self.n_threads * shards.scratch_bytes
            check_memory(needed, max_memory, f"a shard on each of {self.n_threads} threads", "take fewer pursuers")
        self._make_room()
        self._past = self._read_past()
        self._cluster = None if ray is None else _RayShards(shards, ray)
        self._number, self._quarry = -1, 0
        self.go_back()

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._cluster:
            self._cluster.close()

    def alive_at(self, number: int) -> Words:
        raise NotImplementedError("the sets are in the file; see `example`")

    def example(self, rounds: int | None) -> Start | None:
        number = int(self.tally[FIRST_ALIVE])
        if number == retrograde_kernels.NOWHERE:
            return None
        return Start(Node(self._quarry), self._pursuers(number), rounds)

    def go_back(self) -> None:
        """The next round: as it is written down from an earlier run, or worked out now."""
        self._number += 1
        if self._number < len(self._past):
            line = self._past[self._number]
            self.tally, self._quarry = np.array(line["tally"], dtype=np.int64), line["quarry"]
            return
        path = self.shards.path(self._number)
        with path.open("wb") as file:
            file.truncate(self.shards.starts[-1] * 8)
        self.tally = new_tally()
        for done in self._work_out_all():
            if done.tally[FIRST_ALIVE] < self.tally[FIRST_ALIVE]:
                self._quarry = done.quarry
            merge_tally(self.tally, done.tally.copy(), 0)
        line = {"hunt": self.shards.key(), "tally": self.tally.tolist(), "quarry": self._quarry}
        with self.rounds.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self.shards.path(self._number - 1).unlink(missing_ok=True)

    def _work_out_all(self) -> Iterable[ShardDone]:
        numbers = range(self.hunt.n_nodes)
        if self._cluster:
            return self._cluster.work_out(self._number, numbers)
        return self._pool.map(lambda shard: self.shards.work_out(self._number, shard), numbers)

    def _make_room(self) -> None:
        folder, size = self.shards.folder, 2 * self.shards.starts[-1] * 8
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ManhuntError(f"cannot make the folder {folder}: {error.strerror}") from None
        free = shutil.disk_usage(folder).free + sum(file.stat().st_size for file in folder.glob("round-*.sets"))
        if size > free:
            raise ManhuntError(f"{folder} needs room for {memory_text(size)}, two rounds; {memory_text(free)} are free")

    def _read_past(self) -> list[dict[str, Any]]:
        """The rounds that an earlier run finished in this folder; they must be of the same hunt."""
        if not self.rounds.exists():
            return []
        past = [parse_json(line, str(self.rounds)) for line in read_text(self.rounds).splitlines()]
        if not all(isinstance(line, dict) and line.get("hunt") == self.shards.key() for line in past):
            raise ManhuntError(f"{self.rounds.parent} has the rounds of another hunt; take another folder")
        last = self.shards.path(len(past) - 1)
        if past and not (last.exists() and last.stat().st_size == self.shards.starts[-1] * 8):
            raise ManhuntError(f"{last} is missing or damaged; start again in another folder")
        return past


class _RayShards:
    """Shards worked out on a cluster."""

    def __init__(self, shards: Shards, address: str) -> None:
        self._ray = connect(address)
        self._shards = self._ray.put(pickle.dumps(shards))  # arrays in Ray's store cannot be written to
        self._work = self._ray.remote(num_cpus=1, max_retries=RETRIES)(_work_out)

    def work_out(self, number: int, numbers: Iterable[int]) -> Iterator[ShardDone]:
        ray = self._ray
        with contextlib.redirect_stdout(OutputWithoutRay(sys.stdout)):
            waiting = [self._work.remote(self._shards, number, shard) for shard in numbers]
            while waiting:
                done, waiting = ray.wait(waiting, num_returns=1)
                try:
                    yield from ray.get(done)
                except ray.exceptions.RayTaskError as error:
                    raise ManhuntError(f"a worker of the cluster failed: {cause_of(error)}") from None
                except ray.exceptions.RayError as error:
                    raise ManhuntError(f"a shard was lost {RETRIES + 1} times: {type(error).__name__}") from None

    def close(self) -> None:
        disconnect(self._ray)


def _work_out(pickled: bytes, number: int, shard: int) -> ShardDone:
    shards: Shards = pickle.loads(pickled)
    return shards.work_out(number, shard)
