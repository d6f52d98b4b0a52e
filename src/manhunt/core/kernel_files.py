"""Where compiled kernels are kept, and what they were compiled from. Nothing here imports Numba.

Numba's own cache does not notice edits in other files, so the kernels of each module are in a folder named by the hash
of that module and of everything of ours that it imports.
"""

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

SHIPPED = Path(__file__).parents[1] / "_kernels"
"""Kernels that came with the package, in folders of the same kind; only wheels for one platform have them."""
CARD = "card.json"
"""In that folder: what the kernels were compiled with, and the work that they cover."""
_SOURCES = Path(__file__).parents[2]
_IMPORT = re.compile(r"^\s*from\s+(manhunt[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|^\s*import\s+(manhunt[\w.]*)", re.M)


def cache_root() -> Path:
    """Below NUMBA_CACHE_DIR, else below the user's cache."""
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "manhunt"


def folder_name(module: str) -> str:
    """The folder of a module's kernels, below the cache or the shipped kernels."""
    return f"{module}-{source_hash(module)}{checked_suffix()}"


def checked_suffix() -> str:
    """Kernels with bounds checks are kept apart; Numba's own key does not tell the two apart."""
    return "-checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else ""


@cache
def shipped_card() -> dict[str, Any]:
    """The card of the shipped kernels; empty if there are none for this Python and Numba."""
    try:
        card: dict[str, Any] = json.loads((SHIPPED / CARD).read_text(encoding="utf-8"))
        fits = card["built_with"] == built_with()
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return card if fits and not checked_suffix() else {}


def built_with() -> dict[str, str]:
    """What compiled kernels depend on, apart from the sources and the kind of processor."""
    python = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"
    return {"python": python, "platform": sys.platform, "numba": version("numba"), "llvmlite": version("llvmlite")}


@cache
def source_hash(module: str) -> str:
    """A short hash over a module and all modules of this package that it imports, directly or not."""
    digest = hashlib.sha256(version("numba").encode())
    for file in sorted(closure(files_of(module))):
        digest.update(_read(file)[0])
    return digest.hexdigest()[:16]


def closure(files: Iterable[Path]) -> set[Path]:
    """The files and all modules of this package that they import, directly or not."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting.extend(filter(None, map(file_of, _read(file)[1])))
    return found


@cache
def files_of(name: str) -> tuple[Path, ...]:
    """The file of one of our modules, all files of one of our packages.

    Of another distribution, all files of its top package, whose imports may be relative. None at a prompt.
    """
    own = file_of(name)
    if own is not None:
        return tuple(sorted(own.parent.rglob("*.py"))) if own.name == "__init__.py" else (own,)
    top = sys.modules.get(name.partition(".")[0])
    for folder in getattr(top, "__path__", ()):
        return tuple(sorted(Path(folder).rglob("*.py")))
    file = getattr(sys.modules.get(name), "__file__", None)
    return (Path(file),) if file else ()


@cache
def file_of(module: str) -> Path | None:
    """The source of a module of this package."""
    if module.partition(".")[0] != "manhunt":
        return None
    path = _SOURCES.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def _read(file: Path) -> tuple[bytes, tuple[str, ...]]:
    """The hash of a file, and the modules of ours that it imports."""
    text = file.read_bytes()
    return hashlib.sha256(text).digest(), tuple(_imports(text.decode()))


def _imports(text: str) -> Iterator[str]:
    for match in _IMPORT.finditer(text):
        package = match[1] or match[3]
        yield package
        yield from (f"{package}.{name}" for name in re.findall(r"\w+", match[2] or ""))
