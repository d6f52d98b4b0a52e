"""A bot that is a child process, watched by a supervisor."""

import contextlib
import os
import secrets
import select
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

from manhunt.agents.wires.leftovers import MARK, kill_marked
from manhunt.agents.wires.sandbox import BotSurroundings, bot_environment, in_sandbox
from manhunt.agents.wires.stream import Wire, WireClosed
from manhunt.core.errors import BadAgent, BadConfig

SUPERVISOR = Path(__file__).with_name("supervisor.py")
END_SECONDS = 5.0
LAST_WORDS_SECONDS = 0.5
OWN_NAMESPACE = "namespace"
"""Asks the supervisor to give the bot process numbers of its own where the system lets it."""
ORPHANED = "its supervisor was killed"


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

    def __init__(self, command: Sequence[str], limits: BotLimits, surroundings: BotSurroundings | None = None) -> None:
        if os.name != "posix":
            raise BadAgent("bots as commands need Linux or macOS; here let the bot listen and use tcp:HOST:PORT")
        around = surroundings or BotSurroundings()
        mark = secrets.token_hex(16)
        words = in_sandbox(command, around.hidden) if around.sandbox else command
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = [str(theirs.fileno()), *map(str, astuple(limits)), _isolation(around), *words]
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env=bot_environment(around) | {MARK: mark},
            )
        self._supervisor = ours
        self._said = b""
        self._is_orphaned = False
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        assert all(pipes)
        writing, reading, errors = (pipe.fileno() for pipe in pipes if pipe)
        for descriptor in (writing, reading, errors):
            os.set_blocking(descriptor, False)
        self._finalizer = weakref.finalize(self, _end, self._process, ours, os.getpid(), mark)
        super().__init__(
            reading,
            writing,
            lambda n: os.read(reading, n),
            lambda data: os.write(writing, data),
            errors,
            lambda n: os.read(errors, n),
        )
        self._watch_control(ours)

    @property
    def pid(self) -> int:
        """Of the supervisor."""
        return self._process.pid

    def receive(self, deadline: float) -> bytes | None:
        """As of any wire; what a bot says that got rid of its supervisor does not count."""
        line = super().receive(deadline)
        if line is not None and self._has_words(0.0):
            self._hear_control()
        if self._is_orphaned:
            raise WireClosed(ORPHANED)
        return line

    def end_input(self) -> None:
        self._outbox.clear()
        self._watch(self._writing, 0)
        if self._process.stdin is not None:
            self._process.stdin.close()

    def how_it_ended(self) -> str:
        """The supervisor's last words; a bot that only closed its output has not ended."""
        deadline = time.monotonic() + LAST_WORDS_SECONDS
        while not self._is_orphaned and self._has_words(max(0.0, deadline - time.monotonic())):
            if not self._hear_control():
                break
        return ORPHANED if self._is_orphaned else self._said.decode("utf-8", "replace") or "closed its output"

    def _has_words(self, seconds: float) -> bool:
        waiting = select.poll()  # select would not do beyond 1,024 open files
        waiting.register(self._supervisor, select.POLLIN)
        return bool(waiting.poll(1000 * seconds))

    def _hear_control(self) -> bool:
        """What the supervisor says; False at its end. One that ends without a word was killed."""
        part = b""
        with contextlib.suppress(OSError):
            part = self._supervisor.recv(4096)
        self._said += part
        if not part:
            self._watch_control(None)
            if not self._said:
                self._is_orphaned = self._ended = True
        return bool(part)

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


def _isolation(surroundings: BotSurroundings) -> str:
    """How the supervisor parts the bot from other processes; the sandbox sees to that itself."""
    return "sandbox" if surroundings.sandbox else OWN_NAMESPACE


def _end(process: subprocess.Popen[bytes], control: socket.socket, owner: int, mark: str) -> None:
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
    if process.returncode:
        kill_marked(mark)  # the supervisor came to no regular end
    control.close()


__all__ = ["BotLimits", "BotSurroundings", "ProcessWire", "WireClosed"]
