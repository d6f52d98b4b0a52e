"""Packages that show their main names without importing the modules behind them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, home: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose names live in the modules of `home`.

    A module is imported when one of its names is first asked for. Beside them the package says `__all__`, and imports
    the same names under `TYPE_CHECKING`, so that editors and type checkers know them; a test compares the three.
    """

    def find(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    return find, lambda: sorted(sys.modules[package].__all__)
