"""A WebSocket client that costs next to nothing, so that a load test measures the server and not itself."""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable

_SHORT, _MEDIUM = 126, 127
_MASK = b"\0\0\0\0"
"""Clients must mask; a mask of zeros leaves the bytes as they are."""


class LightSocket(asyncio.Protocol):
    """Calls `heard` with every text message, `gone` when the connection ends."""

    def __init__(self, host: str, path: str, heard: Callable[[bytes], None], gone: Callable[[], None]) -> None:
        self._host, self._path, self._heard, self._gone = host, path, heard, gone
        self._buffer = bytearray()
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(
        cls,
        host: str,
        port: int,
        path: str,
        heard: Callable[[bytes], None],
        gone: Callable[[], None] = lambda: None,
        address: str | None = None,
    ) -> LightSocket:
        """`address` is where the connection comes from: any of 127.0.0.0/8 on Linux."""
        loop = asyncio.get_running_loop()
        ours = None if address is None else (address, 0)
        _, made = await loop.create_connection(
            lambda: cls(f"{host}:{port}", path, heard, gone), host, port, local_addr=ours
        )
        await made.opened
        return made

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {self._path} HTTP/1.1", f"Host: {self._host}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        transport.write("\r\n".join(lines).encode())

    def say(self, text: bytes) -> None:
        self._frame(0x81, text)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _frame(self, first: int, data: bytes) -> None:
        assert self._transport is not None
        if len(data) < _SHORT:
            head = bytes([first, 0x80 | len(data)])
        else:
            head = bytes([first, 0x80 | _SHORT]) + len(data).to_bytes(2, "big")
        self._transport.write(head + _MASK + data)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open and not self._shake_hands():
            return
        while (frame := self._next_frame()) is not None:
            kind, body = frame
            if kind == 1:
                self._heard(body)
            elif kind == 9:
                self._frame(0x8A, body)
            elif kind == 8:
                self.close()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the socket was not opened"))
        self._gone()

    def _shake_hands(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        answer = bytes(self._buffer[:end])
        del self._buffer[: end + 4]
        if self.opened.done():  # whoever waited for it has given up
            self.close()
            return False
        if b" 101 " not in answer.split(b"\r\n", 1)[0]:
            self.opened.set_exception(ConnectionError(answer.split(b"\r\n", 1)[0].decode()))
            self.close()
            return False
        self._is_open = True
        self.opened.set_result(None)
        return True

    def _next_frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, start = buffer[1] & 0x7F, 2
        if size == _SHORT:
            size, start = int.from_bytes(buffer[2:4], "big"), 4
        elif size == _MEDIUM:
            size, start = int.from_bytes(buffer[2:10], "big"), 10
        if len(buffer) < start + size:
            return None
        kind, body = buffer[0] & 0x0F, bytes(buffer[start : start + size])
        del buffer[: start + size]
        return kind, body
