"""Iterations until a limit is used up, in chunks short enough to stop in time."""

from collections.abc import Callable

from manhunt.core import thinking_time
from manhunt.core.agent import Limit

FIRST_CHUNK = 32
CHUNK_SECONDS = 0.02
CHUNK_SHARE = 0.02
RESERVE_SHARE = 0.03
"""Of the seconds, kept for what comes after the last iteration."""


def iterate_within(limit: Limit, run: Callable[[int], None]) -> int:
    """Call `run(n)` for n more iterations until the limit, whose seconds count from now; returns how many iterations
    ran.

    Without seconds and iterations this never ends.
    """
    began = thinking_time.now()
    deadline = limit.deadline() - RESERVE_SHARE * (limit.seconds or 0.0)
    left = limit.iterations if limit.iterations is not None else 1 << 62
    done, chunk = 0, FIRST_CHUNK
    while left > 0:
        n = min(chunk, left)
        run(n)
        done, left = done + n, left - n
        now = thinking_time.now()
        if now >= deadline:
            break
        span = min(CHUNK_SECONDS, CHUNK_SHARE * (deadline - began), deadline - now)
        chunk = max(1, int(done / (now - began) * span))
    return done
