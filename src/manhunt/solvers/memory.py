"""How much memory there is, and how much this process has used."""

import resource
import sys
from pathlib import Path

from manhunt.core.errors import ManhuntError

GIB = 1 << 30
_GUESS = 2 * GIB


class TooLarge(ManhuntError):
    """The answer needs more memory than allowed."""


def free_bytes() -> int:
    """What the machine can give now; a careful guess where it does not say."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return _GUESS


def peak_rss_mb() -> float:
    """The most memory this process has held so far, in MB (10^6 bytes)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def check_memory(needed: int, limit: int | None, what: str, advice: str) -> None:
    """Refuse work that needs more than the limit (default: what is free)."""
    allowed = free_bytes() if limit is None else limit
    if needed > allowed:
        have = "free" if limit is None else "allowed"
        raise TooLarge(f"{what} needs about {memory_text(needed)} of memory, {memory_text(allowed)} {have}; {advice}")


def memory_text(size: int) -> str:
    return f"{size / GIB:.1f} GB" if size >= GIB / 10 else f"{size / (1 << 20):.1f} MB"
