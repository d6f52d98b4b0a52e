"""Night Chase for tests: commands in processes that know it, or its modules in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from example_games import known_here
from manhunt.core.registry import make_game

Manhunt = Callable[..., "subprocess.CompletedProcess[str]"]
MODULES = ("agents.greedy", "belief", "config", "game", "notation", "rules", "views")


@pytest.fixture
def environment(night_chase_folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(night_chase_folder), "COLUMNS": "100"}


@pytest.fixture
def manhunt(environment: dict[str, str], tmp_path: Path) -> Manhunt:
    """`manhunt(*words, typed="", code=0)` as in a shell, in the test's own folder."""

    def run(*words: object, typed: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "manhunt", *map(str, words)],
            cwd=tmp_path,
            env=environment,
            input=typed,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return run


@pytest.fixture(scope="module")
def known(night_chase_folder: Path) -> Iterator[None]:
    """This process knows the game while the tests of a file run."""
    with known_here(night_chase_folder):
        yield


@pytest.fixture(scope="module")
def chase(known: None) -> SimpleNamespace:
    """The modules of Night Chase by name, and `play`, the game itself."""
    modules = {name.rpartition(".")[2]: import_module(f"night_chase.{name}") for name in MODULES}
    return SimpleNamespace(**modules, play=make_game("night_chase"))
