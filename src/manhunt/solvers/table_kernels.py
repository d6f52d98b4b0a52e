"""From sets of survivors to rounds survived, state by state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from manhunt.core.arrays import Words
from manhunt.core.jit import kernel
from manhunt.solvers.bitsets import lowest_bit
from manhunt.solvers.hunt import Hunt
from manhunt.solvers.retrograde_kernels import is_in, read_prefix

if TYPE_CHECKING:
    from numpy.typing import NDArray


_U0, _U1, _U8, _LOW_BYTE = np.uint64(0), np.uint64(1), np.uint64(8), np.uint64(255)


@kernel
def mark_bytes(before: Words, after: Words, masks: Words, value: np.uint64, depths: Words) -> None:
    """Write `value` for every state that was in `before` and is not in `after`, then make them equal.

    `depths` holds one byte for each state, eight in a word; `masks[b]` has a 1 in byte i where bit i of b is set.
    Every state is written once, so or-ing is enough.
    """
    words, per_tuple = before.shape[1], depths.shape[1]
    for i in range(len(before)):
        for w in range(words):
            died = before[i, w] & ~after[i, w]
            if died == _U0:
                continue
            before[i, w] = after[i, w]
            at = 8 * w
            while died != _U0 and at < per_tuple:
                part = died & _LOW_BYTE
                if part != _U0:
                    depths[i, at] |= masks[np.int64(part)] * value
                died >>= _U8
                at += 1


@kernel
def mark_wide(before: Words, after: Words, value: np.uint16, depths: NDArray[np.uint16]) -> None:
    """As `mark_bytes`, with two bytes for each state."""
    for i in range(len(before)):
        for w in range(before.shape[1]):
            died = before[i, w] & ~after[i, w]
            before[i, w] = after[i, w]
            while died != _U0:
                depths[i, 64 * w + lowest_bit(died)] = value
                died &= died - _U1


@kernel
def clear_forbidden(hunt: Hunt, sets: Words, n_digits: int, n_columns: int) -> None:
    """Empty the sets of pursuer tuples that the rules forbid; a row of `sets` is one tuple here."""
    digits = np.empty(n_digits, dtype=np.int64)
    for row in range(len(sets) // n_columns):
        legal = read_prefix(hunt, row, digits)
        for column in range(n_columns):
            if not legal or (n_columns > 1 and not hunt.may_share and is_in(digits, column)):
                sets[row * n_columns + column] = _U0
