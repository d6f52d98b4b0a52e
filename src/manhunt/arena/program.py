"""A hash of the program as far as it decides games, so that results of two programs are not mixed unnoticed."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from manhunt.core.registry import kits

PACKAGES = ("core", "boards", "beliefs", "search", "solvers", "agents", "play")
SHOWN_ONLY = ("show", "study", "web")
"""Folders of a game that no result depends on."""


def program_hash() -> str:
    """A short hash over the sources of the platform below the arena, and of all games."""
    digest = hashlib.sha256()
    for name, file in _sources():
        digest.update(name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _sources() -> Iterator[tuple[str, Path]]:
    root = Path(__file__).parents[1]
    for package in PACKAGES:
        yield from ((str(file.relative_to(root)), file) for file in sorted((root / package).rglob("*.py")))
    for kit in kits():
        folder = Path(str(kit.files))
        files = ((file.relative_to(folder), file) for file in sorted(folder.rglob("*.py")))
        yield from ((f"{kit.name}/{name}", file) for name, file in files if name.parts[0] not in SHOWN_ONLY)
