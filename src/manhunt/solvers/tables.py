"""Table files: for every start of a game the rounds its quarry survives under best play.

Layout: magic, length and checksum of the header, the header (JSON), padding; one number for each state, row by row
of detective tuples; a checksum for each block of the numbers, and one for these.
"""

from __future__ import annotations

import json
import shutil
import struct
import tempfile
import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from manhunt.errors import BadText, ManhuntError
from manhunt.files import atomic_path
from manhunt.games.pursuit.config import Config, Order, config_from_json, config_to_json
from manhunt.ids import Node
from manhunt.solvers import table_kernels as kernels
from manhunt.solvers.bitsets import build_hunt
from manhunt.solvers.retrograde import AllStarts, Progress, bytes_needed, solve_all_starts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from manhunt.solvers.bitsets import Words

MAGIC = b"MHTABLE1"
PAGE = 4096
BLOCK = 1 << 20
"""Bytes of states under one checksum."""
CHECK_ALL_BELOW = 64 << 20
"""Tables up to this size are checked wholly when opened, larger ones block by block when read."""
FOREVER = 1 << 30
"""Rounds survived by a quarry that is never caught."""
_HEAD = struct.Struct("<8sII")
_TOP = {"uint8": 255, "uint16": 65535}
_SIZE = {"uint8": 1, "uint16": 2}


class BadTable(BadText):
    """A table file that is damaged, or is not for this game."""


def rules_of(config: Config) -> dict[str, Any]:
    """The switches that matter to a table. Who shares nodes may as well move in any order."""
    return {
        "first": config.first.value,
        "quarry_may_stay": config.quarry_may_stay,
        "detectives_may_stay": config.detectives_may_stay,
        "may_share": config.may_share,
        "order": Order.IN_ORDER.value if config.may_share or config.n_detectives == 1 else config.order.value,
        "reach_hops": config.reach_hops,
        "n_detectives": config.n_detectives,
    }


def table_bytes(config: Config) -> int:
    """The size of a table's numbers as long as each takes a byte."""
    return int(config.board.n_nodes**config.n_detectives) * _stride(config)


def _stride(config: Config) -> int:
    """Places for the quarry in the row of a tuple: its nodes and padding."""
    return (config.board.n_nodes + 7) // 8 * 8


def solve_table(config: Config) -> Table:
    """Solve all starts for use in this process; the file is only the way from the solver to the reader."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "starts.table"
        solve_to_table(config, path)
        return open_table(path)


def solved_table(config: Config) -> Table:
    """`solve_table`, kept in this process; a table does not depend on how many rounds are played."""
    return _kept_table(replace(config, max_rounds=None))


@lru_cache(maxsize=4)
def _kept_table(config: Config) -> Table:
    return solve_table(config)


def solve_to_table(
    config: Config,
    path: Path,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    on_round: Progress | None = None,
) -> AllStarts:
    """Solve all starts and write their table; an interrupted run leaves no half file."""
    with atomic_path(path) as temporary:
        recorder = _Recorder(config, temporary, path)
        found = solve_all_starts(config, max_rounds, max_memory=max_memory, recorder=recorder, on_round=on_round)
        recorder.finish(found)
    return found


class _Recorder:
    """Writes down, round by round, who was caught."""

    def __init__(self, config: Config, temporary: Path, path: Path) -> None:
        n, k = config.board.n_nodes, config.n_detectives
        self.config = replace(config, max_rounds=None)
        self.path = temporary
        self.n_tuples, self.stride = n**k, _stride(config)
        self.dtype = "uint8"
        self.bytes_needed = bytes_needed(n, k)
        size = table_bytes(config)
        if size > shutil.disk_usage(temporary.parent).free:
            raise ManhuntError(f"cannot write {path}: the table takes {size / 1e9:.1f} GB, the disk has less")
        bits = np.arange(256, dtype=np.uint64)
        self.masks = np.zeros(256, dtype=np.uint64)
        for i in range(8):
            self.masks |= (bits >> np.uint64(i) & np.uint64(1)) << np.uint64(8 * i)
        self.offset = (len(self._header(None)) // PAGE + 2) * PAGE

    def begin(self, sets: Words) -> None:
        with self.path.open("r+b") as file:
            file.truncate(self.offset + self.n_tuples * self.stride)
        self.before = sets.copy().reshape(self.n_tuples, -1)

    def after_round(self, number: int, sets: Words) -> None:
        if number > _TOP[self.dtype] and self.dtype == "uint8":
            self._widen()
        self._mark(sets.reshape(self.n_tuples, -1), number - 1)

    def _mark(self, after: Words, value: int) -> None:
        if value == 0:
            self.before[:] = after
        elif self.dtype == "uint8":
            depths = self._depths().view(np.uint64)
            kernels.mark_bytes(self.before, after, self.masks, np.uint64(value), depths)
        else:
            kernels.mark_wide(self.before, after, np.uint16(value), self._depths())

    def _depths(self) -> NDArray[Any]:
        shape = (self.n_tuples, self.stride)
        return np.memmap(self.path, dtype=self.dtype, mode="r+", offset=self.offset, shape=shape).view(np.ndarray)

    def _widen(self) -> None:
        """Two bytes for each state from now on; converted from the end, so that nothing is overwritten unread."""
        narrow, self.dtype = self.n_tuples * self.stride, "uint16"
        with self.path.open("r+b") as file:
            file.truncate(self.offset + 2 * narrow)
        whole = np.memmap(self.path, dtype=np.uint8, mode="r+", offset=self.offset, shape=(2 * narrow,))
        for end in range(narrow, 0, -BLOCK):
            begin = max(0, end - BLOCK)
            whole[2 * begin : 2 * end] = whole[begin:end].astype("<u2").view(np.uint8)

    def finish(self, found: AllStarts) -> None:
        hunt, k = build_hunt(self.config), self.config.n_detectives
        kernels.clear_forbidden(hunt, self.before, max(k - 1, 1), self.config.board.n_nodes if k > 1 else 1)
        self._mark(np.zeros_like(self.before), _TOP[self.dtype])
        header = self._header(found)
        assert _HEAD.size + len(header) <= self.offset
        with self.path.open("r+b") as file:
            file.write(_HEAD.pack(MAGIC, len(header), zlib.crc32(header)))
            file.write(header)
            file.seek(self.offset)
            size = self.n_tuples * self.stride * _SIZE[self.dtype]
            sums = [zlib.crc32(file.read(min(BLOCK, size - at))) for at in range(0, size, BLOCK)]
            trailer = struct.pack(f"<{len(sums)}I", *sums)
            file.seek(self.offset + size)
            file.write(trailer + struct.pack("<I", zlib.crc32(trailer)))

    def _header(self, found: AllStarts | None) -> bytes:
        header = {
            "version": 1,
            "config": config_to_json(self.config),
            "rules": rules_of(self.config),
            "dtype": self.dtype,
            "stride": self.stride,
            "offset": getattr(self, "offset", 0),
            "states": found.states if found else 0,
            "rounds": len(found.survivors_by_round) if found else 0,
            "fixpoint": found.fixpoint if found else False,
        }
        return json.dumps(header, ensure_ascii=False).encode()


@dataclass(slots=True)
class Table:
    """A table file, open for reading; only the parts asked for are read."""

    path: Path
    config: Config
    states: int
    rounds: int
    """Rounds that were swept; without `fixpoint` the table knows nothing beyond them."""
    fixpoint: bool
    _depths: NDArray[Any]
    _sums: tuple[int, ...]
    _checked: set[int]

    def rounds_survived(self, quarry: Node, pursuers: tuple[Node, ...]) -> int:
        """For a state with the first side to move; FOREVER if never caught (or not within the rounds swept)."""
        number = 0
        for node in pursuers:
            number = number * self.config.board.n_nodes + node
        width = self._depths.shape[1] * self._depths.itemsize
        self._check(number * width, (number + 1) * width)
        return self._value(int(self._depths[number, quarry]))

    def worst_for_pursuers(self, placed: tuple[Node, ...]) -> tuple[int, tuple[Node, ...]]:
        """The placement that begins with `placed` and leaves the quarry the fewest rounds, and how many."""
        n, k = self.config.board.n_nodes, self.config.n_detectives
        rest = n ** (k - len(placed))
        number = 0
        for node in placed:
            number = number * n + node
        width = self._depths.shape[1] * self._depths.itemsize
        self._check(number * rest * width, (number + 1) * rest * width)
        longest = self._depths[number * rest : (number + 1) * rest].max(axis=1)
        for at in range(rest if not self.config.may_share else 0):
            if len(set(self._nodes(number * rest + at))) < k:
                longest[at] = np.iinfo(longest.dtype).max
        best = int(longest.argmin())
        return self._value(int(longest[best])), self._nodes(number * rest + best)

    def _nodes(self, number: int) -> tuple[Node, ...]:
        nodes = []
        for _ in range(self.config.n_detectives):
            number, node = divmod(number, self.config.board.n_nodes)
            nodes.append(Node(node))
        return tuple(reversed(nodes))

    def _value(self, stored: int) -> int:
        return FOREVER if stored == _TOP[self._depths.dtype.name] else stored

    def check_game(self, config: Config) -> None:
        """Refuse to speak about another board or other rules."""
        if config.board != self.config.board:
            raise BadTable(f"table {self.path} is for board {self.config.board.name}, not for {config.board.name}")
        mine, theirs = rules_of(self.config), rules_of(config)
        for key, value in mine.items():
            if theirs[key] != value:
                raise BadTable(f"table {self.path} is for other rules: {key} is {value} there, {theirs[key]} here")

    def check_whole(self) -> None:
        self._check(0, self._depths.nbytes)

    def _check(self, begin: int, end: int) -> None:
        flat = self._depths.reshape(-1).view(np.uint8)
        for block in range(begin // BLOCK, (end + BLOCK - 1) // BLOCK):
            if block not in self._checked:
                if zlib.crc32(flat[block * BLOCK : (block + 1) * BLOCK].data) != self._sums[block]:
                    raise BadTable(
                        f"table {self.path} is damaged: block {block} has the wrong checksum; solve it again"
                    )
                self._checked.add(block)


def open_table(path: Path) -> Table:
    """Open a table; anything that does not fit together is refused."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD.size)
            if len(head) < _HEAD.size or not head.startswith(MAGIC):
                raise BadTable(f"{path} is no table of manhunt: its first bytes are not {MAGIC.decode()}")
            _, length, checksum = _HEAD.unpack(head)
            text = file.read(length)
            size = file.seek(0, 2)
    except OSError as error:
        raise ManhuntError(f"cannot read table {path}: {error.strerror}") from None
    if len(text) != length or zlib.crc32(text) != checksum:
        raise BadTable(f"table {path} is damaged: its header has the wrong checksum; solve it again")
    header = json.loads(text)
    if header["version"] != 1:
        raise BadTable(f"table {path} has version {header['version']}; this program reads version 1")
    table = _open_data(path, header, size)
    if table._depths.nbytes <= CHECK_ALL_BELOW:
        table.check_whole()
    return table


def _open_data(path: Path, header: dict[str, Any], size: int) -> Table:
    config = config_from_json(header["config"])
    n_tuples, stride, dtype = config.board.n_nodes**config.n_detectives, header["stride"], header["dtype"]
    n_bytes = n_tuples * stride * _SIZE[dtype]
    n_blocks = (n_bytes + BLOCK - 1) // BLOCK
    whole = header["offset"] + n_bytes + 4 * n_blocks + 4
    if size != whole:
        raise BadTable(f"table {path} has {size} bytes instead of {whole}; it was cut off or added to, solve it again")
    with path.open("rb") as file:
        file.seek(header["offset"] + n_bytes)
        trailer = file.read(4 * n_blocks)
        if struct.unpack("<I", file.read(4))[0] != zlib.crc32(trailer):
            raise BadTable(f"table {path} is damaged: its list of checksums is wrong; solve it again")
    shape = (n_tuples, stride)
    depths = np.memmap(path, dtype=dtype, mode="r", offset=header["offset"], shape=shape).view(np.ndarray)
    sums = struct.unpack(f"<{n_blocks}I", trailer)
    return Table(path, config, header["states"], header["rounds"], header["fixpoint"], depths, sums, set())
