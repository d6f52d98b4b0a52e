"""Test processes that run side by side compile a kernel once: the others wait until they can load it.

Each kernel is one byte of a locked file. The system frees the lock of a process that ends. Kernels call each other
without circles, so two processes never wait for each other; should they, one is told so and compiles.
"""

import os
from contextlib import suppress
from typing import Any
from zlib import crc32

IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
IS_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def pytest_configure() -> None:
    if IS_WORKER and not IS_PLAIN and os.name == "posix":
        take_turns()


def take_turns() -> None:
    import fcntl

    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    from manhunt.core.kernel_cache import KernelCache
    from manhunt.core.kernel_files import cache_root

    cache_root().mkdir(parents=True, exist_ok=True)
    handle = os.open(cache_root() / "tests.lock", os.O_RDWR | os.O_CREAT)
    compile_now = Dispatcher.compile

    def compile_in_turn(self: Any, sig: Any) -> Any:
        if not isinstance(self._cache, KernelCache):
            return compile_now(self, sig)
        byte = crc32(f"{self.py_func.__module__}.{self.py_func.__qualname__}".encode())
        with global_compiler_lock:  # first: a thread must not hold a kernel while it waits for this
            with suppress(OSError):
                fcntl.lockf(handle, fcntl.LOCK_EX, 1, byte)
            try:
                return compile_now(self, sig)
            finally:
                fcntl.lockf(handle, fcntl.LOCK_UN, 1, byte)

    Dispatcher.compile = compile_in_turn  # type: ignore[method-assign]
