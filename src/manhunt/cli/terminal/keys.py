"""Single keys from the terminal, without Enter; the terminal is put back however the block ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

END = ""
"""What `Keys.read` gives at the end of input."""


class Keys:
    """Reads keys while its block lasts; what begins with Escape (arrow keys and the like) is no key."""

    def read(self, timeout_seconds: float | None = None) -> str | None:
        """The next key in lower case, END at the end of input, None when the time is over first."""
        raise NotImplementedError


@contextmanager
def raw_keys() -> Iterator[Keys]:
    """Keys of standard input; Ctrl-C still interrupts."""
    if os.name == "nt":
        yield _WindowsKeys()
        return
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        yield _PosixKeys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class _PosixKeys(Keys):
    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.waiting: list[str] = []

    def read(self, timeout_seconds: float | None = None) -> str | None:
        import select

        while not self.waiting:
            ready, _, _ = select.select([self.descriptor], [], [], timeout_seconds)
            if not ready:
                return None
            burst = os.read(self.descriptor, 1024).decode(errors="ignore")
            if not burst:
                return END
            self.waiting += burst.partition("\x1b")[0].lower()
        sign = self.waiting.pop(0)
        return END if sign == "\x04" else sign


class _WindowsKeys(Keys):
    def read(self, timeout_seconds: float | None = None) -> str | None:
        import time
        from importlib import import_module

        console = import_module("msvcrt")
        until = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while not console.kbhit():
            if until is not None and time.monotonic() >= until:
                return None
            time.sleep(0.02)
        sign: str = console.getwch()
        if sign == "\x03":
            raise KeyboardInterrupt
        if sign in ("\x00", "\xe0"):
            console.getwch()
        return END if sign == "\x1a" else sign.lower()
