"""Bytes on a wire as no honest program sends them: cut anywhere, and spoiled."""

from __future__ import annotations

from random import Random


def packets(rng: Random, data: bytes) -> list[bytes]:
    """The same bytes in up to seven parts."""
    ends = sorted({0, len(data), *(rng.randint(0, len(data)) for _ in range(rng.randint(0, 6)))})
    return [data[a:b] for a, b in zip(ends, ends[1:], strict=False)]


def spoiled(rng: Random, data: bytes) -> bytes:
    """Some bytes changed, dropped, doubled or put in."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(found))
        how = rng.randrange(4)
        if how == 0:
            found[at] = rng.randrange(256)
        elif how == 1:
            del found[at : at + rng.randint(1, 9)]
        elif how == 2:
            found[at:at] = rng.randbytes(rng.randint(1, 9))
        else:
            found[at:at] = found[at : at + 20]
        if not found:
            return b"x"
    return bytes(found)
