"""Lines to and from one bot, over a pair of pipes or a socket; nothing here waits longer than it is told."""

import contextlib
import selectors
import socket
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from manhunt.protocol.codec import BadMessage, LineSplitter
from manhunt.protocol.messages import MOST_TURN_BYTES

CHUNK = 64 * 1024
MOST_STDERR_BYTES = 4096
"""What is kept of a move's stderr: its end, where the reason of a crash stands."""


class WireClosed(Exception):
    """The bot has hung up, ended, or was never there; the text says how."""


class Wire:
    """A non-blocking duplex stream of lines.

    What the bot writes is read only while we wait for it or write to it, and never more than a turn's worth ahead: the
    rest stays in the pipe, where it holds up nobody but the bot.
    """

    def __init__(
        self,
        reading: Any,
        writing: Any,
        read: Callable[[int], bytes],
        write: Callable[[bytes], int],
        errors: Any = None,
        read_errors: Callable[[int], bytes] | None = None,
    ) -> None:
        self._reading, self._writing, self._errors = reading, writing, errors
        self._read, self._write, self._read_errors = read, write, read_errors
        self._selector = selectors.DefaultSelector()
        self._interest: dict[Any, int] = {}
        self._outbox = bytearray()
        self._inbox: deque[bytes] = deque()
        self._n_inbox = 0
        self._splitter = LineSplitter()
        self._broken: BadMessage | None = None
        self._ended = False
        self._stderr = b""
        self._control: Any = None
        self._watch(self._reading, selectors.EVENT_READ)
        if errors is not None:
            self._watch(errors, selectors.EVENT_READ)

    def send(self, data: bytes, deadline: float) -> bool:
        """Write a message; False when the bot did not take all of it in time. The rest goes out before the next."""
        if self._ended and not self._inbox:
            raise WireClosed(self.how_it_ended())
        self._outbox += self.framed(data)
        while self._outbox and not self._ended:
            if not self._pump(deadline):
                return not self._outbox
        return True

    def receive(self, deadline: float) -> bytes | None:
        """The next line; None when there is none in time. WireClosed after the last, BadMessage for an endless one."""
        while True:
            if self._inbox:
                line = self._inbox.popleft()
                self._n_inbox -= len(line)
                return line
            if self._broken is not None:
                raise self._broken
            if self._ended:
                raise WireClosed(self.how_it_ended())
            if not self._pump(deadline) and not (self._inbox or self._broken or self._ended):
                return None

    def take_stderr(self) -> str:
        """What the bot wrote to stderr since the last call, or the end of it."""
        while self._errors in self._interest and self._drain_errors():
            pass
        text, self._stderr = self._stderr.decode("utf-8", "replace"), b""
        return text

    def end_input(self) -> None:
        """Tell the bot that nothing more will come, where the wire can; what it says may still be read."""

    def how_it_ended(self) -> str:
        return "the connection was closed"

    def close(self, leave_seconds: float = 0.0) -> bool:
        """Let go of the bot; True if it left by itself in time."""
        left = self._wait_for_end(time.monotonic() + leave_seconds)
        self.shut()
        return left

    def shut(self) -> None:
        """Close everything at once."""
        self._selector.close()
        self._interest.clear()
        self._ended = True

    def framed(self, data: bytes) -> bytes:
        """How lines are written on this wire."""
        return data

    def lines_of(self, data: bytes) -> Iterable[bytes]:
        """The lines that become complete with this piece."""
        return self._splitter.feed(data)

    def _wait_for_end(self, deadline: float) -> bool:
        """What it says until then is of no interest."""
        while not self._ended and self._broken is None and time.monotonic() < deadline:
            self._inbox.clear()
            self._n_inbox = 0
            self._pump(deadline)
        return self._ended

    def _watch(self, side: Any, events: int) -> None:
        """Listen for these events on one side; 0 is none."""
        before = self._interest.get(side, 0)
        if events == before:
            return
        if not before:
            self._selector.register(side, events)
        elif not events:
            self._selector.unregister(side)
        else:
            self._selector.modify(side, events)
        self._interest[side] = events
        if not events:
            del self._interest[side]

    def _watch_control(self, control: Any) -> None:
        """Hear also whoever watches the bot; None is nobody."""
        if self._control is not None:
            self._watch(self._control, 0)
        self._control = control
        if control is not None:
            self._watch(control, selectors.EVENT_READ)

    def _hear_control(self) -> bool:
        """Something came from there; False at its end."""
        return False

    def _pump(self, deadline: float) -> bool:
        """Move what can be moved; False when the deadline has come."""
        writes = selectors.EVENT_WRITE if self._outbox else 0
        reads = selectors.EVENT_READ if self._n_inbox <= MOST_TURN_BYTES and self._broken is None else 0
        if self._reading == self._writing:
            self._watch(self._reading, reads | writes)
        else:
            self._watch(self._reading, reads)
            self._watch(self._writing, writes)
        ready = self._selector.select(max(0.0, deadline - time.monotonic()))
        for key, events in ready:
            if key.fileobj == self._errors:
                self._drain_errors()
                continue
            if key.fileobj == self._control:
                self._hear_control()
                continue
            if events & selectors.EVENT_WRITE:
                self._flush()
            if events & selectors.EVENT_READ:
                self._fill()
        return bool(ready) and time.monotonic() <= deadline

    def _flush(self) -> None:
        try:
            n_written = self._write(bytes(self._outbox[: 4 * CHUNK]))
        except (BlockingIOError, InterruptedError):
            return
        except OSError:  # it reads no more, but may have said something before
            self._outbox.clear()
            if self._reading == self._writing:
                self._ended = True
            return
        del self._outbox[:n_written]

    def _fill(self) -> None:
        try:
            data = self._read(CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if not data:
            self._ended = True
            self._watch(self._reading, 0)
            return
        try:
            for line in self.lines_of(data):
                self._inbox.append(line)
                self._n_inbox += len(line)
        except BadMessage as error:
            self._broken = error

    def _drain_errors(self) -> bool:
        assert self._read_errors is not None
        try:
            data = self._read_errors(CHUNK)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            data = b""
        if not data:
            self._watch(self._errors, 0)
            return False
        self._stderr = (self._stderr + data)[-MOST_STDERR_BYTES:]
        return len(data) == CHUNK


class SocketWire(Wire):
    """A bot that listens on a port."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().__init__(connection, connection, connection.recv, connection.send)
        self._finalizer = weakref.finalize(self, connection.close)
        self._connection = connection

    def end_input(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def shut(self) -> None:
        super().shut()
        self._finalizer()


def connected(host: str, port: int, seconds: float) -> socket.socket:
    try:
        return socket.create_connection((host, port), timeout=seconds)
    except OSError as error:
        raise WireClosed(f"nobody answers at {host}:{port} ({error.strerror or error})") from None
