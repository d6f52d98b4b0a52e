"""Processes of a bot whose supervisor was killed: they are found by a variable of their environment, and killed."""

import contextlib
import os
import signal
import time
from pathlib import Path

MARK = "MANHUNT_BOT"
"""The variable: all that a bot starts inherits it, and each bot has its own value."""
ROUNDS = 200
PAUSE_SECONDS = 0.005


def kill_marked(mark: str) -> None:
    """Stop everybody before killing, so that nobody forks meanwhile; again until nobody is left."""
    for _ in range(ROUNDS):
        found = marked(mark)
        if not found:
            return
        for sign in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
                with contextlib.suppress(OSError):
                    os.kill(pid, sign)
        time.sleep(PAUSE_SECONDS)


def marked(mark: str) -> list[int]:
    """Living processes of ours with this mark; none where the system does not show environments."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdecimal():
                with contextlib.suppress(OSError):
                    if wanted in Path("/proc", name, "environ").read_bytes().split(b"\0"):
                        found.append(int(name))
    return found
