"""Commands that must end early: SIGTERM and a closed terminal are handled like Ctrl-C, so nothing is lost."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Terminated(KeyboardInterrupt):
    """The process was told to end; goes the way of Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Inside the block the signals raise `Terminated`, the first one only; what somebody ignores stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated(number)

    before = {each: signal.getsignal(each) for each in SIGNALS}
    for each, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(each, end)
    try:
        yield
    finally:
        for each, handler in before.items():
            with suppress(TypeError):  # a handler that was not set from Python
                signal.signal(each, handler)
