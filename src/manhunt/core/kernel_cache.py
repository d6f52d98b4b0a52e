"""Kernels compiled by Numba, kept on disk.

A kernel is looked for in the user's cache, then among the kernels that came with the package: those were compiled for
the plainest processor of their kind, and are only read. Whatever is not found there for this source, Numba, Python and
platform is compiled as usual, and so is whatever turns out to be damaged.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import caching, event, types

from manhunt.core.compiling import tell_watchers
from manhunt.core.kernel_files import SHIPPED, cache_root, files_of, folder_name, shipped_card, source_hash

F = TypeVar("F", bound=Callable[..., object])

Compiled = Callable[[str, float], object]
"""Told the module of a kernel that was compiled, and the seconds that it took without the kernels that it calls."""
SHIPPED_TARGETS = {"x86_64": "x86-64"}
"""The processor that shipped kernels are compiled for, by architecture."""


def compiled_kernel(function: F) -> F:
    """The function compiled at its first call with each kind of arguments, or loaded if that was done before."""
    dispatcher: Any = numba.njit(nogil=True)(function)
    _widen_constants(dispatcher)
    if files_of(function.__module__):
        dispatcher._cache = KernelCache(function)
    return cast("F", dispatcher)


def _widen_constants(dispatcher: Any) -> None:
    """Let kernels that call this one with a constant use the compilation for any value.

    Numba gives a constant in a call (`keep(row, -1, True)`) a type of its own and compiles the callee once for each
    mixture of constants and variables. What is small enough to gain from a constant is inlined by LLVM all the same.
    """
    resolve, widen = dispatcher.get_call_template, types.unliteral

    def resolve_widened(args: Any, kws: Any) -> Any:
        return resolve(tuple(map(widen, args)), {name: widen(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = resolve_widened


class _KernelLocator(caching._CacheLocator):
    """Tells Numba the folder, and what makes a kernel stale."""

    def __init__(self, module: str, line: int) -> None:
        self.module, self.line = module, line

    def get_cache_path(self) -> str:
        return str(cache_root() / folder_name(self.module))

    def get_source_stamp(self) -> str:
        return source_hash(self.module)

    def get_disambiguator(self) -> str:
        return str(self.line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_KernelLocator":
        return cls(py_func.__module__, py_func.__code__.co_firstlineno)


class _KernelResults(caching.CompileResultCacheImpl):
    _locator_classes = [_KernelLocator]  # noqa: RUF012


class KernelCache(caching.FunctionCache):
    """The user's cache first, then the shipped kernels; a damaged or unwritable cache never stops a game."""

    _impl_class = _KernelResults

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        with suppress(Exception):  # whatever a damaged file makes Numba or pickle raise: compile instead
            found = super()._load_overload(sig, target_context)
            if found is not None:
                return found
        with suppress(Exception):
            return self._load_shipped(sig, target_context)
        return None

    def _load_shipped(self, sig: Any, context: Any) -> Any:
        if not shipped_card():
            return None
        locator = self._impl.locator
        folder = SHIPPED / folder_name(locator.module)
        files = caching.IndexDataCacheFile(str(folder), self._impl.filename_base, locator.get_source_stamp())
        _, (triple, _, _), code = self._index_key(sig, context.codegen())
        target = SHIPPED_TARGETS.get(triple.partition("-")[0])
        data = files.load((sig, (triple, target, ""), code))
        return None if data is None else self._impl.rebuild(context, data)

    def _save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError), _alone_in(Path(self.cache_path)):
            with suppress(Exception):
                self._cache_file._load_index()
                super()._save_overload(sig, data)
                return
            self.flush()  # the index is damaged
            super()._save_overload(sig, data)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Processes that compile side by side must not drop each other's lines from an index."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:  # Windows: a kernel that is dropped is compiled once more
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


class _CompilerEvents(event.Listener):
    """The compiler is at work, or reads from its cache, while somebody holds its lock."""

    def on_start(self, event: Any) -> None:
        tell_watchers(True)

    def on_end(self, event: Any) -> None:
        tell_watchers(False)


event.register("numba:compiler_lock", _CompilerEvents())


class CompileListener(event.Listener):
    """Keeps, for each compilation under way, when it began and the seconds of those inside it."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.under_way: list[list[float]] = []

    def on_start(self, event: Any) -> None:
        self.under_way.append([time.process_time(), 0.0])

    def on_end(self, event: Any) -> None:
        began, inner = self.under_way.pop()
        module = event.data["dispatcher"].py_func.__module__
        if module.startswith("numba."):  # a helper of Numba's counts as part of the kernel that wants it
            return
        seconds = time.process_time() - began
        if self.under_way:
            self.under_way[-1][1] += seconds
        self.compiled(module, seconds - inner)


@contextmanager
def compilations_told(compiled: Compiled) -> Iterator[None]:
    """Tell what is compiled in the block, not what is loaded."""
    with event.install_listener("numba:compile", CompileListener(compiled)):
        yield
