"""The example game, installed by pip into a folder of its own: other tests must not know it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from manhunt.core import registry

NIGHT_CHASE = Path(__file__).parents[2] / "examples" / "games" / "night_chase"


@pytest.fixture(scope="session")
def night_chase_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that Night Chase is installed in; nothing in this process looks there."""
    folder = tmp_path_factory.mktemp("night_chase")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*command, "--no-build-isolation", "--target", folder, NIGHT_CHASE], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return folder


@contextmanager
def known_here(folder: Path) -> Iterator[None]:
    """Games installed in this folder are there for this process and those it starts; afterwards they are forgotten."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep))
        _forget()
        try:
            yield
        finally:
            for name in [name for name, module in sys.modules.items() if _is_below(module, folder)]:
                del sys.modules[name]
    _forget()


def _is_below(module: object, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(folder)


def _forget() -> None:
    registry._outside.cache_clear()
    registry.kit_of.cache_clear()
