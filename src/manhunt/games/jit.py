"""The one kernel decorator, and where compiled kernels are kept.

Numba's cache does not notice edits in other files, so ours lies in a folder named by the hash of all sources.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])
_settings: Any = numba.config


def source_hash() -> str:
    """A short hash over every Python file of the package."""
    digest = hashlib.sha256(numba.__version__.encode())
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels are kept: NUMBA_CACHE_DIR, else a folder below the user's cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    checked = "-checked" if _settings.BOUNDSCHECK else ""  # numba's own key does not tell the two apart
    return Path(base) / "manhunt" / f"kernels-{source_hash()}{checked}"


def needs_compiling() -> bool:
    """True when nothing is cached yet, so that the first call of each kernel will take seconds."""
    if _settings.DISABLE_JIT:
        return False
    folder = cache_folder()
    return not folder.is_dir() or not any(folder.rglob("*.nbi"))


_settings.CACHE_DIR = str(cache_folder())


def kernel(function: F) -> F:
    """Compile a function over arrays: cached on disk, free of the interpreter lock, never checking its input."""
    return cast("F", numba.njit(cache=True, nogil=True)(function))
