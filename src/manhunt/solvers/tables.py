"""Table files: for every start of a hunt the rounds its quarry survives under best play.

Layout: magic, length and checksum of the header, the header (JSON), padding; one number for each state, row by row
of pursuer tuples; a checksum for each block of the numbers, and one for these. What the header says about the game is
the game's own; it is enough to find the table's `Shape` from it.
"""

import json
import shutil
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from manhunt.core.arrays import Words
from manhunt.core.errors import BadText, ManhuntError
from manhunt.core.files import atomic_path
from manhunt.core.ids import Node
from manhunt.core.reading import parse_json
from manhunt.solvers import table_kernels as kernels
from manhunt.solvers.hunt import Hunt, placement, placement_number
from manhunt.solvers.retrograde import AllStarts, Progress, bytes_needed, solve_hunt

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
Header = Mapping[str, Any]


class BadTable(BadText):
    """A table file that is damaged, or is not for this game."""


class Shape(NamedTuple):
    """What a reader must know about the hunt of a table."""

    n_nodes: int
    n_pursuers: int
    may_share: bool


def table_bytes(n_nodes: int, n_pursuers: int) -> int:
    """The size of a table's numbers as long as each takes a byte."""
    return int(n_nodes**n_pursuers) * _stride(n_nodes)


def _stride(n_nodes: int) -> int:
    """Places for the quarry in the row of a tuple: its nodes and padding."""
    return (n_nodes + 7) // 8 * 8


def solve_to_file(
    hunt: Hunt,
    path: Path,
    header: Header,
    max_rounds: int | None = None,
    *,
    max_memory: int | None = None,
    on_round: Progress | None = None,
) -> AllStarts:
    """Solve all starts and write their table; an interrupted run leaves no incomplete file."""
    with atomic_path(path) as temporary:
        recorder = _TableWriter(hunt, temporary, path, header)
        found = solve_hunt(hunt, max_rounds, max_memory=max_memory, recorder=recorder, on_round=on_round)
        recorder.finish(found)
    return found


class _TableWriter:
    """Writes down, round by round, who was caught."""

    def __init__(self, hunt: Hunt, temporary: Path, path: Path, about: Header) -> None:
        n, k = hunt.n_nodes, hunt.n_pursuers
        self.hunt, self.path, self.about = hunt, temporary, about
        self.n_tuples, self.stride = n**k, _stride(n)
        self.dtype = "uint8"
        self.bytes_needed = bytes_needed(n, k)
        size = table_bytes(n, k)
        if size > shutil.disk_usage(temporary.parent).free:
            raise ManhuntError(f"cannot write {path}: the table takes {size / 1e9:.1f} GB, the disk has less")
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        self.masks = bits.view("<u8").ravel().astype(np.uint64)
        self.offset = 0
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
        n, k = self.hunt.n_nodes, self.hunt.n_pursuers
        kernels.clear_forbidden(self.hunt, self.before, max(k - 1, 1), n if k > 1 else 1)
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
            **self.about,
            "dtype": self.dtype,
            "stride": self.stride,
            "offset": self.offset,
            "states": found.states if found else 0,
            "rounds": len(found.survivors_by_round) if found else 0,
            "fixpoint": found.fixpoint if found else False,
        }
        return json.dumps(header, ensure_ascii=False).encode()


class RoundsTable:
    """A table file, open for reading; only the requested parts are read. A file that contradicts itself is refused."""

    states: int
    rounds: int
    """Rounds that were swept; without `fixpoint` the table holds nothing beyond them."""
    fixpoint: bool

    def __init__(self, path: Path, shape_of: Callable[[Header], Shape]) -> None:
        self.path = path
        self.header, size = _read_header(path)
        self.shape = shape_of(self.header)
        self.states, self.rounds = self.header["states"], self.header["rounds"]
        self.fixpoint = self.header["fixpoint"]
        self._depths, self._sums = _open_depths(path, self.header, self.shape, size)
        self._checked: set[int] = set()
        if self._depths.nbytes <= CHECK_ALL_BELOW:
            self.check_whole()

    def rounds_survived(self, quarry: Node, pursuers: tuple[Node, ...]) -> int:
        """For a state with the first side to move; FOREVER if never caught (or not within the rounds swept)."""
        number = placement_number(pursuers, self.shape.n_nodes)
        return self._value(int(self._rows(number, 1)[0, quarry]))

    def worst_for_pursuers(self, placed: tuple[Node, ...]) -> tuple[int, tuple[Node, ...]]:
        """The placement starting with `placed` that gives the quarry the fewest rounds, and that number."""
        n, k, may_share = self.shape
        rest = n ** (k - len(placed))
        first = placement_number(placed, n) * rest
        longest = self._rows(first, rest).max(axis=1)
        for at in range(0 if may_share else rest):
            if len(set(placement(first + at, n, k))) < k:
                longest[at] = np.iinfo(longest.dtype).max
        best = int(longest.argmin())
        return self._value(int(longest[best])), placement(first + best, n, k)

    def _rows(self, first: int, n: int) -> NDArray[Any]:
        """The numbers of `n` tuples, with their checksums checked."""
        width = self._depths.shape[1] * self._depths.itemsize
        self._check(first * width, (first + n) * width)
        return self._depths[first : first + n]

    def _value(self, stored: int) -> int:
        return FOREVER if stored == _TOP[self._depths.dtype.name] else stored

    def check_whole(self) -> None:
        """Read the whole table once; BadTable if it was damaged."""
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


def _read_header(path: Path) -> tuple[Header, int]:
    """The header, and the size of the file."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD.size)
            if len(head) < _HEAD.size or not head.startswith(MAGIC):
                raise BadTable(f"{path} is not a table of manhunt: its first bytes are not {MAGIC.decode()}")
            _, length, checksum = _HEAD.unpack(head)
            text = file.read(length)
            size = file.seek(0, 2)
    except OSError as error:
        raise ManhuntError(f"cannot read table {path}: {error.strerror}") from None
    if len(text) != length or zlib.crc32(text) != checksum:
        raise BadTable(f"table {path} is damaged: its header has the wrong checksum; solve it again")
    header: Header = parse_json(text.decode("utf-8", "replace"), f"the header of table {path}")
    if header["version"] != 1:
        raise BadTable(f"table {path} has version {header['version']}; this program reads version 1")
    return header, size


def _open_depths(path: Path, header: Header, shape: Shape, size: int) -> tuple[NDArray[Any], tuple[int, ...]]:
    """The numbers, mapped from the file, and the checksums of their blocks."""
    n_tuples, stride, dtype = shape.n_nodes**shape.n_pursuers, header["stride"], header["dtype"]
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
    depths = np.memmap(path, dtype=dtype, mode="r", offset=header["offset"], shape=(n_tuples, stride)).view(np.ndarray)
    return depths, struct.unpack(f"<{n_blocks}I", trailer)
