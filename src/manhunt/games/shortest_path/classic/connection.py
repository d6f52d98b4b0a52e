"""The server's end of one connection: what came in and when, and what may go out and when."""

import asyncio
from contextlib import suppress
from typing import Any, NamedTuple

from manhunt.games.shortest_path.classic.protocol import BadClassicMessage, ClassicHello, Decoder, encode, parse_hello

LAYOUT_SILENCE_SECONDS = 0.6
UPDATE_GAP_SECONDS = 0.02
"""Paragraph 11; a little more than half a second, and more than one receive takes."""
HELLO_SECONDS = 30.0
LINGER_SECONDS = 5.0
MOST_WAITING_OBJECTS = 16
DROPPED = "the connection dropped"


class Arrived(NamedTuple):
    """An object, and the moment on the loop's clock at which it was there."""

    message: dict[str, Any]
    at: float


class ClassicConnection:
    """Reads from the start, so that a drop is noticed at any time; `gone` then has the reason."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.hello: ClassicHello | None = None
        self.ready_at = 0.0
        """When the client had what was last sent, on the loop's clock; its thinking begins there."""
        self.gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.inbox: asyncio.Queue[Arrived] = asyncio.Queue(MOST_WAITING_OBJECTS)
        self._reader, self._writer = reader, writer
        self._not_before = 0.0
        self._has_closed = self._is_deaf = False
        self._sending = asyncio.Lock()
        self._listening = asyncio.create_task(self._listen())

    @property
    def name(self) -> str:
        return "?" if self.hello is None else self.hello.name

    @property
    def address(self) -> str:
        host, port, *_ = self._writer.get_extra_info("peername") or ("?", "?")
        return f"{host}:{port}"

    async def introduce(self) -> ClassicHello:
        """The client's first message; BadClassicMessage when it is none, or does not come."""
        waiting = asyncio.ensure_future(self.inbox.get())
        watched: set[asyncio.Future[Any]] = {waiting, self.gone}
        await asyncio.wait(watched, timeout=HELLO_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            raise BadClassicMessage(
                self.gone.result() if self.gone.done() else f"no first message in {HELLO_SECONDS:g} s"
            )
        self.hello = parse_hello(waiting.result().message)
        return self.hello

    def stop_listening(self) -> None:
        """From now on nothing that comes in is of interest, except that the connection drops."""
        self._is_deaf = True
        while not self.inbox.empty():
            self.inbox.get_nowait()

    async def send_layout(self, message: dict[str, Any]) -> None:
        await self.send(message)
        self._keep_quiet(LAYOUT_SILENCE_SECONDS)
        self.ready_at = max(self.ready_at, self._not_before)

    async def send(self, message: dict[str, Any]) -> None:
        """Not before the client can take it.

        Nothing waits for a client that does not read: all updates of a game fit into the buffer.
        """
        loop = asyncio.get_running_loop()
        async with self._sending:
            while (wait := self._not_before - loop.time()) > 0:
                await asyncio.sleep(wait)
            if not (self._has_closed or self._writer.is_closing()):
                self._writer.write(encode(message))
            self.ready_at = loop.time()
            self._keep_quiet(UPDATE_GAP_SECONDS)

    def post(self, words: bytes, most_buffered: int | None = None) -> bool:
        """Write at once and without waiting; False when more than `most_buffered` bytes wait to be read."""
        if self._has_closed or self._writer.is_closing():
            return False
        self._writer.write(words)
        return most_buffered is None or self._writer.transport.get_write_buffer_size() <= most_buffered

    def _keep_quiet(self, seconds: float) -> None:
        """Paragraph 11; a client that reads lines needs no pauses."""
        if self.hello is not None and not self.hello.lines:
            self._not_before = asyncio.get_running_loop().time() + seconds

    async def close(self, linger_seconds: float = LINGER_SECONDS) -> None:
        """Let the last words arrive: a socket that is closed with unread input would take them back."""
        self._has_closed = True
        self._listening.cancel()
        await asyncio.wait({self._listening})
        with suppress(OSError, RuntimeError, TimeoutError):
            if self._writer.can_write_eof():
                self._writer.write_eof()
            await asyncio.wait_for(self._drain_input(), linger_seconds)
        self._writer.transport.abort()

    async def _drain_input(self) -> None:
        while await self._reader.read(65536):
            pass

    async def _listen(self) -> None:
        decoder, loop = Decoder(), asyncio.get_running_loop()
        reason = DROPPED
        try:
            while data := await self._reader.read(4096):
                for message in () if self._is_deaf else decoder.feed(data):
                    await self.inbox.put(Arrived(message, loop.time()))
                    if self._is_deaf:
                        break
        except BadClassicMessage as error:
            reason = str(error)
        except OSError:
            pass
        finally:
            if not self.gone.done():
                self.gone.set_result(reason)
