"""A bot that is a child process, watched by a supervisor."""

import contextlib
import os
import select
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

from manhunt.agents.wires.stream import Wire, WireClosed
from manhunt.core.errors import BadAgent, BadConfig

SUPERVISOR = Path(__file__).with_name("supervisor.py")
END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class BotLimits:
    """What a bot's process may use; memory is private writable memory of each process and resident memory of all."""

    memory_mb: int = 1024
    cpu_seconds: int = 3600
    processes: int = 64

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if type(value) is not int or value < 1:
                raise BadConfig(f"limit {name} must be a whole number of at least 1, not {value!r}")


class ProcessWire(Wire):
    """Standard input, output and error of a command; closing it ends the command and all that it started."""

    def __init__(self, command: Sequence[str], limits: BotLimits) -> None:
        if os.name != "posix":
            raise BadAgent("bots as commands need Linux or macOS; here let the bot listen and use tcp:HOST:PORT")
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = [str(theirs.fileno()), *map(str, astuple(limits)), *command]
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        self._control = ours
        self._said = b""
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        assert all(pipes)
        writing, reading, errors = (pipe.fileno() for pipe in pipes if pipe)
        for descriptor in (writing, reading, errors):
            os.set_blocking(descriptor, False)
        self._finalizer = weakref.finalize(self, _end, self._process, ours, os.getpid())
        super().__init__(
            reading,
            writing,
            lambda n: os.read(reading, n),
            lambda data: os.write(writing, data),
            errors,
            lambda n: os.read(errors, n),
        )

    @property
    def pid(self) -> int:
        """Of the supervisor."""
        return self._process.pid

    def how_it_ended(self) -> str:
        """The supervisor's last words; a bot that only closed its output has not ended."""
        deadline = time.monotonic() + 0.5
        while time.monotonic() < deadline:
            if not select.select([self._control], [], [], max(0.0, deadline - time.monotonic()))[0]:
                break
            with contextlib.suppress(OSError):
                if part := self._control.recv(4096):
                    self._said += part
                    continue
            break
        return self._said.decode("utf-8", "replace") or "closed its output"

    def _wait_for_end(self, deadline: float) -> bool:
        super()._wait_for_end(deadline)
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
        return True

    def shut(self) -> None:
        super().shut()
        self._finalizer()


def _end(process: subprocess.Popen[bytes], control: socket.socket, owner: int) -> None:
    """Closing the control pipe makes the supervisor kill everything and leave; a fork of the owner lets it live."""
    if os.getpid() == owner:
        with contextlib.suppress(OSError):
            control.shutdown(socket.SHUT_WR)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    if os.getpid() != owner:
        control.close()
        return
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    control.close()


__all__ = ["BotLimits", "ProcessWire", "WireClosed"]
