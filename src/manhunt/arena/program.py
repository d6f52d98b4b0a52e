"""A hash of the program as far as it decides games, so that results of two programs are not mixed unnoticed."""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOMS = ("boards", "games", "beliefs", "solvers", "agents", "play")


def program_hash() -> str:
    """A short hash over all sources below the arena."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for room in ROOMS:
        for file in sorted((root / room).rglob("*.py")):
            digest.update(str(file.relative_to(root)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
