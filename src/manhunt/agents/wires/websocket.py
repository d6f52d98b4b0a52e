"""The same lines as WebSocket messages, one each; needs the extra `bots`."""

import socket
import time
from collections.abc import Iterator
from typing import Any

from manhunt.agents.wires.stream import SocketWire, WireClosed
from manhunt.core.errors import BadAgent, MissingExtra
from manhunt.protocol.codec import LineTooLong
from manhunt.protocol.messages import MOST_LINE_BYTES


class WebSocketWire(SocketWire):
    """Frames and the opening handshake are the library's, the waiting is ours."""

    def __init__(self, connection: socket.socket, url: str, seconds: float) -> None:
        try:
            from websockets.client import ClientProtocol
            from websockets.uri import parse_uri
        except ImportError:
            raise MissingExtra("bots behind ws:// need the package websockets: pip install websockets") from None
        try:
            self._protocol = ClientProtocol(parse_uri(url), max_size=MOST_LINE_BYTES)
        except Exception as error:
            raise BadAgent(f"{url} is not an address of a WebSocket: {error}") from None
        super().__init__(connection)
        self._parts: list[bytes] = []
        self._protocol.send_request(self._protocol.connect())
        self._open(time.monotonic() + seconds)

    def framed(self, data: bytes) -> bytes:
        for line in data.splitlines():
            self._protocol.send_text(line)
        return b"".join(self._protocol.data_to_send())

    def lines_of(self, data: bytes) -> Iterator[bytes]:
        self._protocol.receive_data(data)
        self._outbox += b"".join(self._protocol.data_to_send())
        events = self._protocol.events_received()
        if self._protocol.close_expected() or self._protocol.handshake_exc is not None:
            self._ended = True
        for event in events:
            yield from self._lines_in(event)

    def end_input(self) -> None:
        """A WebSocket cannot be closed in one direction alone."""

    def shut(self) -> None:
        if not self._ended and self._protocol.state.name == "OPEN":
            self._protocol.send_close()
            self._outbox += b"".join(self._protocol.data_to_send())
            self._flush()
        super().shut()

    def _lines_in(self, event: Any) -> Iterator[bytes]:
        """Messages may come in several frames; control frames are answered by the library."""
        if not hasattr(event, "opcode") or event.opcode.name not in ("TEXT", "BINARY", "CONT"):
            return
        self._parts.append(bytes(event.data))
        if sum(map(len, self._parts)) > MOST_LINE_BYTES:
            raise LineTooLong(f"a message of more than {MOST_LINE_BYTES} bytes")
        if event.fin:
            whole = b"".join(self._parts)
            self._parts.clear()
            yield from (line for line in whole.split(b"\n") if line.strip())

    def _open(self, deadline: float) -> None:
        self._outbox += b"".join(self._protocol.data_to_send())
        while self._protocol.state.name == "CONNECTING" and not self._ended:
            if not self._pump(deadline):
                break
        if self._protocol.state.name != "OPEN":
            why = self._protocol.handshake_exc or "no answer to the opening handshake"
            self.shut()
            raise WireClosed(f"no WebSocket there: {why}")
