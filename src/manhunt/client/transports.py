"""Where a bot meets the manager: standard input and output, a TCP port, a WebSocket."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from manhunt.client.bot import Bot
from manhunt.client.talk import converse
from manhunt.core.errors import MissingExtra
from manhunt.protocol.codec import encode
from manhunt.protocol.messages import BotError

if TYPE_CHECKING:
    import asyncio

LONGEST_LINE = 16 * 1024 * 1024
MakeBot = Callable[[], Bot]


def run(make: MakeBot, argv: Sequence[str] | None = None) -> None:
    """The whole main program of a bot: plays over stdin and stdout, or listens where `--listen` says."""
    options = _parser(make).parse_args(argv)
    if options.listen is None and options.listen_ws is None:
        play_stdio(make())
        return
    import asyncio

    host, port = options.listen or options.listen_ws
    serve = serve_tcp if options.listen else serve_websocket
    try:
        asyncio.run(_forever(serve(make, host, port)))
    except KeyboardInterrupt:
        pass
    except OSError as error:
        raise SystemExit(f"cannot listen on {host}:{port}: {error.strerror or error}") from None


def _parser(make: MakeBot) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=inspect.getdoc(make))
    where = "wait for the manager on [HOST:]PORT (default host 127.0.0.1) in place of stdin and stdout"
    parser.add_argument("--listen", type=_place, metavar="PLACE", help=f"{where}: tcp:HOST:PORT")
    parser.add_argument("--listen-ws", type=_place, metavar="PLACE", help="the same as WebSocket: ws://HOST:PORT")
    return parser


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (port.isdecimal() and int(port) < 65536):
        raise argparse.ArgumentTypeError(f"{text!r} is not a place; write PORT or HOST:PORT")
    return host or "127.0.0.1", int(port)


def play_stdio(bot: Bot) -> None:
    """Until the manager says bye. What the bot prints goes to stderr: stdout belongs to the protocol."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr

    async def receive() -> bytes | None:
        return source.readline() or None

    async def send(data: bytes) -> None:
        target.write(data)
        target.flush()

    talk = converse(bot, receive, send)
    try:
        if inspect.iscoroutinefunction(bot.choose):
            import asyncio

            asyncio.run(talk)
        else:
            _run_through(talk)
    except BrokenPipeError:
        raise SystemExit("the connection to the manager was lost") from None


def _run_through(coroutine: Coroutine[Any, Any, None]) -> None:
    """A coroutine that never waits needs no event loop."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise RuntimeError("choose returned an awaitable; make it an async def")


async def serve_tcp(make: MakeBot, host: str, port: int) -> asyncio.Server:
    """Each connection gets a bot of its own."""
    import asyncio

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def receive() -> bytes | None:
            return await reader.readline() or None

        async def send(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        try:
            await _converse(make(), receive, send)
        finally:
            writer.close()

    server = await asyncio.start_server(handle, host, port, limit=LONGEST_LINE)
    _announce("tcp:{}:{}", server.sockets[0].getsockname())
    return server


async def serve_websocket(make: MakeBot, host: str, port: int) -> Any:
    try:
        from websockets.asyncio.server import ServerConnection, serve
        from websockets.exceptions import ConnectionClosed
    except ImportError:
        raise MissingExtra("--listen-ws needs the package websockets: pip install websockets") from None

    async def handle(connection: ServerConnection) -> None:
        async def receive() -> bytes | None:
            try:
                return await connection.recv(decode=False)
            except ConnectionClosed:
                return None

        async def send(data: bytes) -> None:
            for line in data.splitlines():
                await connection.send(line, text=True)

        await _converse(make(), receive, send)

    server = await serve(handle, host, port, max_size=LONGEST_LINE)
    _announce("ws://{}:{}", next(iter(server.sockets)).getsockname())
    return server


async def _converse(bot: Bot, receive: Any, send: Any) -> None:
    """A bot that crashes says so and ends its own connection only."""
    import asyncio
    import traceback

    try:
        await converse(bot, receive, send, asyncio.to_thread)
    except OSError:
        return  # the manager is gone
    except Exception as error:
        traceback.print_exc()
        await send(encode(BotError(f"{type(error).__name__}: {error}"[:1000])))


def _announce(pattern: str, address: Sequence[Any]) -> None:
    print("listening:", pattern.format(address[0], address[1]), file=sys.stderr, flush=True)


async def _forever(opening: Coroutine[Any, Any, Any]) -> None:
    server = await opening
    async with server:
        await server.serve_forever()
