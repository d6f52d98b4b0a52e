"""Who wants to know when kernels are being compiled or loaded; for those who do not import the compiler themselves."""

from collections.abc import Callable

watchers: list[Callable[[bool], object]] = []
"""Called with True when this process begins to compile or to load a kernel, with False when it is done."""


def tell_watchers(is_compiling: bool) -> None:
    for watcher in watchers:
        watcher(is_compiling)
