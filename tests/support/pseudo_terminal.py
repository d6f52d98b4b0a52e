"""A real terminal for tests: the command runs behind a pseudo terminal of 80 x 24."""

import os
import re
import select
import subprocess
import sys
import time

ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-Z\\-_])")
PATIENCE_SECONDS = 300
# The terminal must be the controlling one of the command's session, or Ctrl-C would not reach it.
START = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from manhunt.cli.main import run
sys.exit(run())
"""


class Terminal:
    def __init__(self, *arguments: str) -> None:
        import pty

        self.master, self.slave = pty.openpty()
        self.resize(80, 24)
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        environment["TERM"] = "xterm-256color"
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *arguments],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=environment,
            start_new_session=True,
        )
        self.seen = ""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)

    def resize(self, columns: int, rows: int) -> None:
        """Another size of the window; whoever runs in it gets SIGWINCH."""
        import fcntl
        import struct
        import termios

        self.seen = ""
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def lines(self) -> list[str]:
        """The lines printed since the last key, without the spaces at their ends."""
        return [line.rstrip() for line in self._plain().replace("\r", "").split("\n")]

    def press(self, text: str) -> None:
        self.seen = ""
        os.write(self.master, text.encode())

    def expect(self, *texts: str) -> None:
        """Wait until all texts were printed since the last key."""
        until = time.monotonic() + PATIENCE_SECONDS
        while not all(text in self._plain() for text in texts):
            assert time.monotonic() < until, f"no {texts} in:\n{self._plain()}"
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 65536).decode(errors="replace")

    def wait(self) -> int:
        """Its exit code; reads on meanwhile, since a full terminal would stop the command."""
        until = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None and time.monotonic() < until:
            if select.select([self.master], [], [], 0.1)[0]:
                self.seen += os.read(self.master, 65536).decode(errors="replace")
        return self.process.wait(0)

    def is_cooked(self) -> bool:
        """Whether lines are edited and echoed, as a shell wants it."""
        import termios

        flags = termios.tcgetattr(self.slave)[3]
        return bool(flags & termios.ICANON) and bool(flags & termios.ECHO)

    def _plain(self) -> str:
        return ESCAPES.sub("", self.seen).replace("\u00a0", " ")
