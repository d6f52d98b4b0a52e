"""The one kernel decorator, and where compiled kernels are kept.

Numba's cache does not notice edits in other files, so each module's kernels lie in a folder named by the hash of
that module and of everything of ours that it imports.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])

_settings: Any = numba.config
_SOURCES = Path(__file__).parents[2]
_IMPORT = re.compile(r"^\s*from\s+(manhunt[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|^\s*import\s+(manhunt[\w.]*)", re.M)
_used: set[Path] = set()


def kernel(function: F) -> F:
    """Compile a function over arrays: cached on disk, free of the interpreter lock, never checking its input."""
    folder = cache_folder(function.__module__)
    _used.add(folder)
    _settings.CACHE_DIR = str(folder)
    return cast("F", numba.njit(cache=True, nogil=True)(function))


def needs_compiling(*modules: str) -> bool:
    """True when one of these kernel modules (default: all that are imported) has nothing cached yet, so that first
    calls will take seconds."""
    folders = {cache_folder(module) for module in modules} or _used
    return not _settings.DISABLE_JIT and any(not any(folder.rglob("*.nbi")) for folder in folders)


@cache
def cache_folder(module: str) -> Path:
    """Where a module's kernels are kept: below NUMBA_CACHE_DIR, else below the user's cache."""
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    checked = "-checked" if _settings.BOUNDSCHECK else ""  # numba's own key does not tell the two apart
    return Path(base) / "manhunt" / f"{module}-{source_hash(module)}{checked}"


def source_hash(module: str) -> str:
    """A short hash over a module and all modules of this package that it imports, directly or not."""
    digest = hashlib.sha256(numba.__version__.encode())
    for file in sorted(_closure(module)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _closure(module: str) -> set[Path]:
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        file = _file_of(waiting.pop())
        if file is not None and file not in found:
            found.add(file)
            waiting.extend(_imports(file))
    return found


def _file_of(module: str) -> Path | None:
    """The source of a module of this package, or of one elsewhere that is being imported."""
    path = _SOURCES.joinpath(*module.split("."))
    loaded = getattr(sys.modules.get(module), "__file__", None)
    places = (path.with_suffix(".py"), path / "__init__.py", *([Path(loaded)] if loaded else []))
    return next((file for file in places if file.is_file()), None)


def _imports(file: Path) -> Iterator[str]:
    for match in _IMPORT.finditer(file.read_text(encoding="utf-8")):
        package = match[1] or match[3]
        yield package
        yield from (f"{package}.{name}" for name in re.findall(r"\w+", match[2] or ""))
