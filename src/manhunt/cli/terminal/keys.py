"""Single keys from the terminal, without Enter; the terminal is put back however the block ends."""

from __future__ import annotations

import codecs
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

END = ""
"""What `Keys.read` gives at the end of input."""
RESIZED = "resized"
"""What it gives when the window has another size, for those who asked for it."""
SPECIAL = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "1~": "home", "7~": "home", "4~": "end", "8~": "end", "3~": "delete", "5~": "page up", "6~": "page down",
}  # fmt: skip
"""What follows Escape and a bracket; such keys come under these names, others are dropped."""
_SEQUENCE = re.compile(r"\x1b(?:\[|O)([0-9;]*[A-Za-z~])|\x1b.?", re.DOTALL)


class Keys:
    """Reads keys while its block lasts."""

    def read(self, timeout_seconds: float | None = None) -> str | None:
        """The next key in lower case, END at the end of input, None when the time is over first."""
        key = self.read_typed(timeout_seconds)
        return None if key is None else key.lower()

    def read_typed(self, timeout_seconds: float | None = None) -> str | None:
        """The same as it was typed: `G` is not `g`."""
        raise NotImplementedError


@contextmanager
def raw_keys(*, resizes: bool = False) -> Iterator[Keys]:
    """Keys of standard input; Ctrl-C still interrupts. With `resizes`, a new size of the window is a key, too."""
    if os.name == "nt":
        yield _WindowsKeys()
        return
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    with _resize_pipe(resizes) as resized:
        try:
            tty.setcbreak(descriptor, termios.TCSADRAIN)  # what was typed already is not thrown away
            yield _PosixKeys(descriptor, resized)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


@contextmanager
def _resize_pipe(wanted: bool) -> Iterator[int | None]:
    """A descriptor that has something to read when the window was given another size."""
    if not wanted or threading.current_thread() is not threading.main_thread():
        yield None
        return
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)

    def note(number: int, frame: object) -> None:
        with suppress(BlockingIOError):  # thousands of sizes wait already; the last one is all that counts
            os.write(writing, b".")

    before = signal.signal(signal.SIGWINCH, note)
    try:
        yield reading
    finally:
        signal.signal(signal.SIGWINCH, before)
        os.close(reading)
        os.close(writing)


class _PosixKeys(Keys):
    def __init__(self, descriptor: int, resized: int | None) -> None:
        self.descriptor, self.resized = descriptor, resized
        self.waiting: list[str] = []
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")

    def read_typed(self, timeout_seconds: float | None = None) -> str | None:
        import select

        watched = [self.descriptor, *([] if self.resized is None else [self.resized])]
        while not self.waiting:
            ready, _, _ = select.select(watched, [], [], timeout_seconds)
            if not ready:
                return None
            if self.resized is not None and self.resized in ready:
                os.read(self.resized, 65536)
                return RESIZED
            burst = os.read(self.descriptor, 1024)
            if not burst:
                return END
            self.waiting += _split(self.decoder.decode(burst))
        sign = self.waiting.pop(0)
        return END if sign == "\x04" else sign


def _split(text: str) -> Iterator[str]:
    """Signs one by one, and the names of special keys."""
    at = 0
    for found in _SEQUENCE.finditer(text):
        yield from text[at : found.start()]
        if (name := SPECIAL.get(found[1] or "")) is not None:
            yield name
        at = found.end()
    yield from text[at:]


class _WindowsKeys(Keys):
    _SPECIAL = {  # noqa: RUF012
        "H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end",
        "S": "delete", "I": "page up", "Q": "page down",
    }  # fmt: skip

    def read_typed(self, timeout_seconds: float | None = None) -> str | None:
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
            return self._SPECIAL.get(console.getwch())
        return END if sign == "\x1a" else sign
