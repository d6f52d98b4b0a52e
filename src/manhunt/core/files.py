"""Files: written so that an interrupted run leaves the old one or the new one, never half of it; and locked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from manhunt.core.errors import ManhuntError


@contextmanager
def atomic_path(path: Path, *, private: bool = False) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends well and vanishes otherwise.

    A private file is for its owner alone, from its first byte on. Devices and pipes, such as /dev/null, are written to
    as they are: nothing may take their place.
    """
    if _is_special(path):
        try:
            yield path
        except OSError as error:
            raise ManhuntError(f"cannot write {path}: {error.strerror or error}") from None
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise ManhuntError(f"cannot write {path}: {error.strerror}") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o600 if private else 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        raise ManhuntError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> None:
    data = content.encode() if isinstance(content, str) else content
    with atomic_path(path, private=private) as temporary:
        temporary.write_bytes(data)


def check_writable(path: Path) -> None:
    """Refuse a place where no file can be written, before the work that would be lost."""
    if path.is_dir():
        raise ManhuntError(f"cannot write {path}: it is a folder; give the name of a file")
    if not path.absolute().parent.is_dir():
        raise ManhuntError(f"cannot write {path}: the folder {path.parent} does not exist")
    if _is_special(path):
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise ManhuntError(f"cannot write {path}: {error.strerror}") from None
    os.close(handle)
    os.unlink(name)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def lock(file: IO[Any]) -> bool:
    """Lock an open file until it is closed or its process ends, however that ends; False if another has it locked.

    On a system without such locks (Windows) it is always True, and the user must see to it.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
