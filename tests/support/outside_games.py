"""Games of other packages, installed for a test as pip does it: by entry points."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from manhunt.core import registry


@contextmanager
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, **points: str) -> Iterator[None]:
    """These games (name: `package:KIT`) are there for this process and those it starts."""
    info = folder / "outside-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    lines = [f"{name} = {point}" for name, point in points.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{registry.ENTRY_POINTS}]", *lines, ""]))
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv(
        "PYTHONPATH",
        os.pathsep.join([str(folder), str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]),
    )
    _forget()
    try:
        yield
    finally:
        monkeypatch.undo()
        _forget()


def _forget() -> None:
    registry._outside.cache_clear()
    registry.kit_of.cache_clear()
