"""The one kernel decorator: compiled by Numba, or left as plain Python where a first use should not wait for it."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from manhunt.core.kernel_files import closure, file_of, files_of

F = TypeVar("F", bound=Callable[..., object])

MODE_VARIABLE = "MANHUNT_KERNELS"
"""`compiled` compiles whatever is first used, silently; `plain` never compiles. Otherwise first use decides."""
COMPILED_MODE, PLAIN_MODE = "compiled", "plain"
_compiled_all_the_same: set[Path] | None = None
"""While kernels run as plain Python: the modules whose kernels are compiled even so. None: all are compiled."""


def kernel(function: F) -> F:
    """Compile a function over arrays: cached on disk, free of the interpreter lock, never checking its input."""
    if is_plain(function.__module__):
        import numpy as np

        np.seterr(over="ignore")  # in compiled kernels unsigned integers wrap around silently
        return function
    from manhunt.core.kernel_cache import compiled_kernel

    return compiled_kernel(function)


def is_plain(module: str = "") -> bool:
    """Whether the kernels of a module run as plain Python: the same results, nothing to compile, slower."""
    if os.environ.get(MODE_VARIABLE) == PLAIN_MODE or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return True
    return _compiled_all_the_same is not None and file_of(module) not in _compiled_all_the_same


def run_kernels_plain(compile_only: Iterable[str] = ()) -> None:
    """From now on, import kernels as plain Python, except in these packages and whatever they import.

    A compiled kernel can call compiled kernels only, which is why the imports are included. Kernels that were imported
    before stay as they are.
    """
    global _compiled_all_the_same
    _compiled_all_the_same = closure(file for package in compile_only for file in files_of(package))
